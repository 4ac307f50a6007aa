import { readModule } from "../core/catalog.js";
import { editableRecord } from "../core/editable.js";
import { label } from "../logic/labels.js";
import { notFound } from "./not_found.js";
import { draftForm } from "./draft_form.js";

/** @type {import("../pages.js").Page} */
export default async function recordForm({ params, session }) {
  const module = await readModule(params.module);
  if (module === null || module.entry !== "GENERIC") {
    return notFound();
  }
  const list = `/console/records/${module.code}`;
  const isNew = params.id === undefined;
  return await draftForm(session, editableRecord(module, params.id), {
    page: isNew ? `${list}/new` : `${list}/${params.id}/edit`,
    kept: (id) => `${list}/${id}`,
    left: isNew ? list : `${list}/${params.id}`,
    name: (stored) => stored?.title ?? label(module.code),
  });
}
