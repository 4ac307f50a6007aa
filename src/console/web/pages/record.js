import { send } from "../core/api.js";
import { readModule } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { label } from "../logic/labels.js";
import { shownValue } from "../fields/shown_value.js";
import { notFound } from "./not_found.js";
import { archiveButton, archivedNote, rootFacts } from "./root_parts.js";

/** @type {import("../pages.js").Page} */
export default async function record({ params, session }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const path = `/console/records/${module.code}/${params.id}`;
  const api = `/api/v2/records/${module.code}/${params.id}`;
  /** @type {{ data: import("../wire.d.ts").Record }} */
  const { data } = await send("GET", api);
  const title = data.redacted ? t("hidden") : data.title;
  const values = module.fields.filter(({ name }) => data.payload[name] !== undefined);
  return {
    title,
    body: [
      rootFacts(data),
      data.summary !== "" && h("p", { class: "words lead" }, data.summary),
      archivedNote(data),
      h(
        "dl",
        { class: "values" },
        values.map((field) => [
          h("dt", {}, label(field.name)),
          h("dd", {}, shownValue(field, data.payload[field.name])),
        ]).flat(),
      ),
      module.entry === "GENERIC" && h(
        "div",
        { class: "bar" },
        h("a", { class: "main", href: `${path}/edit` }, t("edit")),
        h("a", { href: `${path}/history` }, t("history")),
        archiveButton(session, data, { page: path, api }),
      ),
    ],
  };
}
