import { h, send, t } from "../../core/base.js";
import { readModule } from "../../core/names.js";
import { valuesList } from "../../fields/shown.js";
import { archiveButton, archivedNote, rootFacts } from "../root_parts.js";
import { IDENTITY_API, partsOf, PROFILE } from "./parts.js";

/** @type {Page} */
export default async function stagePage({ params: { id }, session }) {
  const api = `${IDENTITY_API}/stages/${id}`;
  const page = `${PROFILE}/stages/${id}`;
  const [module, { data: stage }] = await Promise.all([readModule("identity"), send("GET", api)]);
  const fields = partsOf(module?.fields ?? []).stages.fields.filter(({ name }) => name !== "title");
  return {
    title: stage.title,
    body: [
      rootFacts(stage),
      archivedNote(stage),
      valuesList(fields, stage),
      h(
        "div.bar",
        h("a.main", { href: `${page}/edit` }, t("edit")),
        archiveButton(session, stage, { page, api }),
        h("a", { href: PROFILE }, t("profile")),
      ),
    ],
  };
}
