import { h, send, t } from "../core/base.js";
import { notFound, readModule } from "../core/names.js";
import { keyValues, valuesList } from "../fields/shown.js";
import { tagsSection } from "./record_tags.js";
import { archiveButton, archivedNote, rootFacts } from "./root_parts.js";

/** @type {Page} */
export default async function record({ params, session }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const path = `/console/records/${module.code}/${params.id}`;
  const api = `/api/v2/records/${module.code}/${params.id}`;
  /** @type {{ data: StoredRecord }} */
  const { data } = await send("GET", api);
  const title = data.redacted ? t("hidden") : data.title;
  // A module's own title repeats the record's.
  const fields = module.fields.filter(({ name, edit }) =>
    edit !== "text" || data.payload[name] !== data.title
  );
  const { line, rest } = keyValues(fields, data.payload);
  return {
    title,
    body: [
      line,
      archivedNote(data),
      data.summary !== "" && h("p.words.lead", data.summary),
      valuesList(rest, data.payload),
      module.entry === "GENERIC" && h(
        "div.bar",
        h("a.main", { href: `${path}/edit` }, t("edit")),
        h("a", { href: `${path}/history` }, t("history")),
        archiveButton(session, data, { page: path, api }),
      ),
      h("p", h("a", { href: `${path}/executions` }, t("executions"))),
      tagsSection(session, module.code, data.recordId, path),
      rootFacts(data),
    ],
  };
}
