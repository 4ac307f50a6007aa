import { readModule } from "../../core/names.js";
import { t } from "../../core/base.js";

export const DECISIONS = "/console/decisions";
export const DECISIONS_API = "/api/v2/decision/decisions";

/** @param {string | undefined} id */
export function pathsOf(id) {
  return { page: `${DECISIONS}/${id}`, api: `${DECISIONS_API}/${id}` };
}

/**
 * Options, JSON in the catalog, become a list of words.
 * @returns {Promise<readonly CatalogField[]>}
 */
export async function decisionFields() {
  const fields = (await readModule("decision"))?.fields ?? [];
  return fields.map((field) => {
    if (field.name === "options") return { ...field, edit: "tags", hint: t("optionsHint") };
    return field.name === "chosenOption" ? { ...field, hint: t("chosenHint") } : field;
  });
}
