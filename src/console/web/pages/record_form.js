import { readModule } from "../core/catalog.js";
import { editableRecord } from "../core/editable.js";
import { labelOfOne } from "../logic/labels.js";
import { localTime, toInstant } from "../logic/local_time.js";
import { firstTexts } from "../logic/form_values.js";
import { notFound } from "./not_found.js";
import { draftForm } from "./draft_form.js";

/** @type {import("../pages.js").Page} */
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
    const { textsFromCapture } = await import("../core/captures.js");
    Object.assign(first, await textsFromCapture(module.code, capture));
  }
  return await draftForm(session, editableRecord(module, params.id, first), {
    page: isNew ? `${list}/new` : `${list}/${params.id}/edit`,
    kept: (id) => `${list}/${id}`,
    left: isNew ? list : `${list}/${params.id}`,
    name: (stored) => stored?.title ?? labelOfOne(module.code),
  });
}
