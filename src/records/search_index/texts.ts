/** Selects a record's searched texts. Pure. */

import type { CatalogModule, EditType } from "../../catalog/module.ts";
import { MODULE_CODES } from "../../catalog/module_codes.ts";
import type { JsonObject } from "../../core/json.ts";

/** A record's content, and the fields that its family stores separately. */
export interface SearchedContent {
  readonly title: string;
  readonly summary: string;
  readonly fields: JsonObject;
}

const SEARCHED_EDITS: readonly EditType[] = ["text", "textarea", "tags"];

/**
 * Fields with words, for modules in which not every text field contains words: a term's color and
 * parent do not.
 */
const SEARCHED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  taxonomy: ["name", "aliases", "description"],
};

/** The assistants that may read a text: all, those that read sensitive fields, or none. */
export type Audience = LentAudience | "NONE";

/** The audiences of texts that an assistant may read. */
export type LentAudience = "ALL" | "SENSITIVE";

/** The fields of people that no assistant reads. */
const OPINIONS: readonly string[] = ["opinion", "evidence", "counterEvidence"];

/** The audience of a field, or of the title of a record; that of a person is its name. */
export function audienceOf(
  { code, fields }: Pick<CatalogModule, "code" | "fields">,
  name: string,
): Audience {
  const isOfPerson = code === "relationship";
  if (isOfPerson && OPINIONS.includes(name)) return "NONE";
  const isSensitive = name === "title"
    ? isOfPerson
    : fields.some((field) => field.name === name && field.sensitive);
  return isSensitive ? "SENSITIVE" : "ALL";
}

/**
 * A text to index. By a plain one, only its owner finds a record. Assistants find it by the words
 * with the prefix of their audience, together with the mark of the module. Both have capitals,
 * which no word has.
 */
export type IndexedText =
  | string
  | { readonly text: string; readonly prefix: string; readonly mark: string };

export const PREFIXES: Readonly<Record<LentAudience, string>> = { ALL: "A", SENSITIVE: "S" };

export function markOf(moduleCode: string): string {
  return "M" + String.fromCharCode(FIRST_LETTER + MODULE_CODES.indexOf(moduleCode));
}

const FIRST_LETTER = "A".charCodeAt(0);

/**
 * The searched texts of a record for the index.
 *
 * @param isClosed True for a guarded record and a sealed person: no assistant finds them.
 */
export function indexedTexts(
  module: CatalogModule,
  content: SearchedContent,
  isClosed = false,
): readonly IndexedText[] {
  return namedTexts(module, content).map(({ name, text }) => {
    const audience = isClosed ? "NONE" : audienceOf(module, name);
    return audience === "NONE"
      ? text
      : { text, prefix: PREFIXES[audience], mark: markOf(module.code) };
  });
}

/** The searched texts of a record: title, summary, then the fields in the order of the catalog. */
export function searchedTexts(
  module: Pick<CatalogModule, "code" | "fields">,
  content: SearchedContent,
): readonly string[] {
  return namedTexts(module, content).map(({ text }) => text);
}

function namedTexts(
  module: Pick<CatalogModule, "code" | "fields">,
  { title, summary, fields }: SearchedContent,
): readonly { readonly name: string; readonly text: string }[] {
  const searched = SEARCHED_FIELDS[module.code];
  const values = module.fields
    .filter(({ name, edit }) => SEARCHED_EDITS.includes(edit) && (searched?.includes(name) ?? true))
    .flatMap(({ name }) => {
      const value = Object.hasOwn(fields, name) ? fields[name] : [];
      return [value].flat().map((text) => ({ name, text }));
    });
  return [{ name: "title", text: title }, { name: "summary", text: summary }, ...values]
    .filter((named): named is { name: string; text: string } => typeof named.text === "string");
}
