/** Forms of a tag or category, and their use. */

import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { label } from "../../core/names.js";
import { viewsOf } from "../../fields/controls/choices.js";
import { line } from "../../fields/controls/forms.js";
import { counted } from "../../fields/shown/figures.js";
import { optional } from "../../fields/shown/texts.js";
import { dayText } from "../../fields/shown/times.js";
import { pickAmong } from "../draft_form/catalog_fields.js";
import { draftForm } from "../draft_form/form.js";
import { listPage } from "../parts/lists.js";
import { editableThing } from "../parts/objects.js";
import {
  API,
  CATEGORIES_API,
  categoryChoices,
  fieldsNamed,
  PATCHED,
  pathsOf,
  readTerm,
  TAGS,
  TAGS_API,
  termLink,
} from "./list.js";

/** @type {Page} */
export function termForm({ params }) {
  return params.id === undefined ? newForm(false) : changeForm(params.id);
}

/** @type {Page} */
export function categoryForm({ query }) {
  return newForm(true, query.get("parent"));
}

/** @param {boolean} isCategory @param {string | null} [parent] */
async function newForm(isCategory, parent = null) {
  const fields = (await fieldsNamed(["name", ...PATCHED])).map(withHint);
  if (isCategory) {
    const make = pickAmong(await categoryChoices());
    fields.push(optional("parentId", "text", { label: t("parentCategory"), make }));
  }
  const place = { list: isCategory ? CATEGORIES_API : TAGS_API, one: null, idName: "termId" };
  const first = isCategory ? { parentId: parent ?? "" } : {};
  return draftForm(editableThing(fields, place, first), {
    page: isCategory ? `${TAGS}/categories/new` : `${TAGS}/new`,
    kept: (id) => `${TAGS}/${id}`,
    left: TAGS,
    name: () => label(isCategory ? "category" : "tag"),
  });
}

/** @param {string} id */
async function changeForm(id) {
  const { page, api, list } = pathsOf(await readTerm(id));
  const fields = (await fieldsNamed(PATCHED)).map(withHint);
  const editable = editableThing(fields, { list, one: api, idName: "termId" });
  const earlier = (/** @type {number} */ revision) => get(`${api}/revisions/${revision}`);
  return draftForm({ ...editable, earlier }, {
    page: `${page}/edit`,
    kept: () => page,
    left: page,
    name: ({ name }) => name,
  });
}

/** @type {(field: CatalogField) => CatalogField} */
function withHint(field) {
  return field.name === "color" ? { ...field, hint: t("colourHint") } : field;
}

/** @type {Page} */
export function usage({ query }) {
  return listPage(query, {
    title: t("tagUsage"),
    api: `${API}/usage`,
    filter: {
      name: "kind",
      views: viewsOf({ "": t("anyOf"), TAG: t("tags"), CATEGORY: t("categories") }),
    },
    beside: [link(TAGS, t("tagsTitle"))],
    above: () => h("p", t("usageText")),
    line: usageLine,
  });
}

/** @param {TaxonomyUsage} used */
function usageLine({ termId, kind, name, active, direct, total, lastAssignedAt, modules }) {
  return line(termLink({ termId, name }), [
    kind === "CATEGORY" && label("category"),
    !active && t("inactive"),
    direct === 0 ? t("notUsed") : counted(direct, "manyRecords"),
    total > direct && t("usedBelow", { count: total - direct }),
    ...modules.map(({ moduleCode, count }) => `${label(moduleCode)}: ${count}`),
    lastAssignedAt !== null && t("lastUsed", { time: dayText(lastAssignedAt) }),
  ]);
}
