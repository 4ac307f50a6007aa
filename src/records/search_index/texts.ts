/** Selects a record's searched texts. Pure. */

import type { CatalogModule, EditType } from "../../catalog/module.ts";
import type { JsonObject } from "../../core/json.ts";

/** A record's content, and the fields that its family stores separately. */
export interface SearchedContent {
  readonly title: string;
  readonly summary: string;
  readonly fields: JsonObject;
}

const SEARCHED_EDITS: readonly EditType[] = ["text", "textarea", "tags"];

/**
 * Fields with words, for modules in which not every text field contains words: a term's color and parent do
 * not.
 */
const SEARCHED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  taxonomy: ["name", "aliases", "description"],
};

/** Title, summary, then the fields in the order of the catalog. */
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
