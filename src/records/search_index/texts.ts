/** Selects the searched texts of a record. Pure. */

import type { CatalogModule, EditType } from "../../catalog/module.ts";
import type { JsonObject } from "../../core/json.ts";

/** The content of a record, and the fields that its typed family stores separately. */
export interface SearchedContent {
  readonly title: string;
  readonly summary: string;
  readonly fields: JsonObject;
}

const SEARCHED_EDITS: readonly EditType[] = ["text", "textarea", "tags"];

/** The modules in which not every such field contains words: a term's color and parent do not. */
const SEARCHED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  taxonomy: ["name", "aliases", "description"],
};

/** The texts that are searched: title, summary, then the fields in the order of the catalog. */
export function searchedTexts(
  module: Pick<CatalogModule, "code" | "fields">,
  { title, summary, fields }: SearchedContent,
): readonly string[] {
  const searched = SEARCHED_FIELDS[module.code];
  const values = module.fields
    .filter(({ name, edit }) => SEARCHED_EDITS.includes(edit) && (searched?.includes(name) ?? true))
    .flatMap(({ name }) => Object.hasOwn(fields, name) ? fields[name] : []);
  return [title, summary, ...values].filter((value) => typeof value === "string");
}
