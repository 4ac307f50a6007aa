import { labelOfOne, notFound, readModule } from "../core/names.js";
import { editableRecord } from "./root_parts.js";
import { firstTexts, localTime, toInstant } from "../fields/shown.js";
import { draftForm } from "./draft_form.js";

/** @type {Page} */
export default async function recordForm({ params, query, session }) {
  const module = await readModule(params.module);
  if (module === null || module.entry !== "GENERIC") {
    return notFound();
  }
  const list = `/console/records/${module.code}`;
  const isNew = params.id === undefined;
  const capture = query.get("capture");
  const now = toInstant(localTime(new Date()).slice(0, 16));
  const first = isNew ? firstTexts(module.fields, now) : {};
  if (isNew && capture !== null) {
    const { textsFromCapture } = await import("./capture_box.js");
    Object.assign(first, await textsFromCapture(module.code, capture));
  }
  return await draftForm(session, editableRecord(module, params.id, first), {
    page: isNew ? `${list}/new` : `${list}/${params.id}/edit`,
    kept: (id) => `${list}/${id}`,
    left: isNew ? list : `${list}/${params.id}`,
    name: (stored) => stored?.title ?? labelOfOne(module.code),
  });
}
