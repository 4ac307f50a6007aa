import { notFound, readModule } from "../../core/names.js";
import { editableThing, readListedRevision } from "../root_parts.js";
import { draftForm } from "../draft_form.js";
import { IDENTITY_API, partsOf, PROFILE } from "./parts.js";

/** @type {Page} */
export default async function partForm({ params, session }) {
  const { id } = params;
  const name = /** @type {ProfilePartName} */ (params.part ?? "stages");
  const part = partsOf((await readModule("identity"))?.fields ?? [])[name];
  if (part === undefined) return notFound();
  const list = `${IDENTITY_API}/${name}`;
  const one = id === undefined ? null : `${list}/${id}`;
  const page = `${PROFILE}/${name}`;
  const editable = {
    ...editableThing(part.fields, { list, one, idName: part.idName }),
    earlier: (/** @type {number} */ revision) => readListedRevision(`${one}`, revision),
  };
  return await draftForm(session, editable, {
    page: id === undefined ? `${page}/new` : `${page}/${id}/edit`,
    kept: () => PROFILE,
    left: id === undefined ? PROFILE : `${page}/${id}`,
    name: () => part.one,
  });
}
