/** A stage of a life, to be read. */

import { actButton } from "../../core/act.js";
import { send } from "../../core/api.js";
import { readModule } from "../../core/catalog.js";
import { h } from "../../core/dom.js";
import { t, timeText } from "../../core/text.js";
import { valuesList } from "../../fields/values_list.js";
import { rootFacts } from "../root_parts.js";
import { IDENTITY_API, partsOf, PROFILE } from "./parts.js";

/** @type {import("../../pages.js").Page} */
export default async function stagePage({ params: { id }, session }) {
  const api = `${IDENTITY_API}/stages/${id}`;
  const page = `${PROFILE}/stages/${id}`;
  const [module, { data: stage }] = await Promise.all([readModule("identity"), send("GET", api)]);
  const fields = partsOf(module?.fields ?? []).stages.fields.filter(({ name }) => name !== "title");
  const isArchived = stage.archivedAt !== null;
  const move = {
    path: `${api}/${isArchived ? "restore" : "archive"}`,
    name: t(isArchived ? "restore" : "archive"),
    body: { expectedRevision: stage.revision },
    done: t(isArchived ? "restored" : "archived"),
    page,
  };
  return {
    title: stage.title,
    body: [
      isArchived && h("p", { class: "note" }, t("isArchived", { time: timeText(stage.archivedAt) })),
      valuesList(fields, stage),
      h(
        "div",
        { class: "bar" },
        h("a", { class: "main", href: `${page}/edit` }, t("edit")),
        actButton(session, move),
        h("a", { href: PROFILE }, t("profile")),
      ),
      h("p", { class: "quiet small" }, rootFacts(stage)),
    ],
  };
}
