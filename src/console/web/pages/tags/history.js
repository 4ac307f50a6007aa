import { send, t } from "../../core/base.js";
import { label } from "../../core/names.js";
import { thingHistory } from "../root_parts.js";
import { CATEGORIES_API, fieldsNamed, PATCHED, pathsOf, readTerm } from "./tag_paths.js";

/** Name, place and use, and the fields of a patch. */
const COMPARED = ["name", "parentId", "active", ...PATCHED];

/** @type {Page} */
export default async function termHistory(visit) {
  const term = await readTerm(visit.params.id);
  const { page, api } = pathsOf(term);
  const names = await categoryNames();
  const fields = (await fieldsNamed(COMPARED)).map((field) =>
    field.name === "parentId"
      ? {
        ...field,
        label: t("parentCategory"),
        text: (/** @type {any} */ { parentId }) => names.get(parentId) ?? parentId ?? "",
      }
      : field
  );
  return await thingHistory(visit, {
    page,
    api,
    fields,
    isFixed: !term.active,
    fixed: COMPARED.filter((name) => !PATCHED.includes(name)),
    nameOf: ({ name }) => name,
    nameOfChange: changeName,
    earlier: (revision) => `${api}/revisions/${revision}`,
  });
}

/** @returns {Promise<Map<string, string>>} the newest hundred names by id. */
async function categoryNames() {
  const { data } = await send("GET", `${CATEGORIES_API}?inactive=include&limit=100`);
  return new Map(data.items.map((/** @type {any} */ { termId, name }) => [termId, name]));
}

/** @param {string} change */
function changeName(change) {
  const names = /** @type {const} */ ({
    CREATED: "created",
    CHANGED: "modified",
    RENAMED: "renamed",
    MOVED: "moved",
    DEACTIVATED: "deactivated",
    REACTIVATED: "reactivated",
    MERGED: "merged",
  });
  const name = names[/** @type {keyof typeof names} */ (change)];
  return name === undefined ? label(change) : t(name);
}
