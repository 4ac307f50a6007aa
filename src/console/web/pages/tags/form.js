import { send, t } from "../../core/base.js";
import { editableThing } from "../root_parts.js";
import { draftForm } from "../draft_form.js";
import {
  CATEGORIES_API,
  categoryChoices,
  fieldsNamed,
  PATCHED,
  pathsOf,
  readTerm,
  TAGS,
  TAGS_API,
} from "./tag_paths.js";

/** @type {Page} */
export default async function termForm({ params, session }) {
  return params.id === undefined
    ? await newForm(session, false)
    : await changeForm(session, params.id);
}

/**
 * @param {Session} session
 * @param {boolean} isCategory
 * @param {string | null} [parent] Preselected.
 */
export async function newForm(session, isCategory, parent = null) {
  const fields = await fieldsNamed(["name", ...PATCHED]);
  const choices = isCategory ? await categoryChoices() : [];
  const place = { list: isCategory ? CATEGORIES_API : TAGS_API, one: null, idName: "termId" };
  /** @type {CatalogField} */
  const below = {
    name: "parentId",
    edit: "select",
    required: false,
    sensitive: false,
    label: t("parentCategory"),
    choices,
  };
  const hinted = fields.map(withHint);
  const editable = isCategory
    ? editableThing([...hinted, below], place, { parentId: parent ?? "" })
    : editableThing(hinted, place);
  return await draftForm(session, editable, {
    page: isCategory ? `${TAGS}/categories/new` : `${TAGS}/new`,
    kept: (id) => `${TAGS}/${id}`,
    left: TAGS,
    name: () => t(isCategory ? "category" : "tag"),
  });
}

/** @param {Session} session @param {string} id */
async function changeForm(session, id) {
  const { page, api, list } = pathsOf(await readTerm(id));
  const fields = (await fieldsNamed(PATCHED)).map(withHint);
  const editable = editableThing(fields, { list, one: api, idName: "termId" });
  return await draftForm(session, {
    ...editable,
    earlier: async (revision) => (await send("GET", `${api}/revisions/${revision}`)).data,
  }, {
    page: `${page}/edit`,
    kept: () => page,
    left: page,
    name: ({ name }) => name,
  });
}

/** @param {CatalogField} field */
function withHint(field) {
  return field.name === "color" ? { ...field, hint: t("colourHint") } : field;
}
