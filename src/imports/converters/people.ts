/** Shared by the formats of people: limits, refused items, and the mapping. */

import { textField } from "../../catalog/field_schema.ts";
import { RELATIONSHIP } from "../../catalog/modules/relationship.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import {
  checkObject,
  integer,
  jsonObject,
  optional,
  readBody,
  stringMatching,
  Violations,
} from "../../validate/schema.ts";
import type { FileMapping, SourceItem } from "./converter.ts";

/** Characters of a note or experience. */
export const MAX_TEXT_LENGTH = 100_000;
/** Fields of a person for which the mapping sets no others. */
export const DEFAULT_FIELDS = { relationshipType: "OTHER", importance: 3 } as const;

/** True if the keys of a source are UIDs of cards. */
export function hasUids(source: string): boolean {
  return /^vcard(?::|$)/.test(source);
}

/** @param key Undefined if it could not be read. */
export function refusedItem(key: string | undefined, target: string, rule: string): SourceItem {
  const members = { target, ...(key !== undefined && { key }) };
  return { members, refused: [rule], people: {} };
}

/** The owner's answer for a possible duplicate. */
const ANSWER = stringMatching(
  "import.answer",
  (text) => /^(?:join(?::[0-9A-HJKMNP-TV-Z]{26})?|new|leave)$/.test(text),
  { type: "string", pattern: "^(?:join(?::[0-9A-HJKMNP-TV-Z]{26})?|new|leave)$" },
);

const CATEGORY = {
  relationshipType: optional(textField(RELATIONSHIP, "relationshipType")),
  importance: optional(integer(1, 5)),
};

const MAPPING = {
  /** Answers by key of the item. */
  duplicates: optional(jsonObject),
  /** Fields of people by category. */
  categories: optional(jsonObject),
};

export const PEOPLE_MAPPING: FileMapping = { kind: "PEOPLE", schema: MAPPING, check: checkMapping };

function checkMapping(mapping: JsonObject): void {
  const { duplicates = {}, categories = {} } = readBody(MAPPING, mapping);
  const violations = new Violations();
  for (const answer of Object.values(duplicates)) ANSWER.check(answer, "duplicates", violations);
  for (const fields of Object.values(categories)) {
    if (isJsonObject(fields)) checkObject(CATEGORY, fields, violations);
    else violations.add("field.type", "categories");
  }
  if (!violations.isEmpty) throw payloadInvalid([...violations.rules], ["mapping"]);
}

/** Adds the fields that the mapping sets for the tags of an item. The first tag wins. */
export function withCategories(members: JsonObject, mapping: JsonObject | null): JsonObject {
  const { tags, payload } = members;
  const categories = mapping?.categories;
  if (!isJsonObject(categories) || !isJsonObject(payload) || !Array.isArray(tags)) return members;
  const given = tags.map(String)
    .map((tag) => Object.hasOwn(categories, tag) ? categories[tag] : null).filter(isJsonObject);
  return { ...members, payload: Object.assign({}, payload, ...given.toReversed()) };
}
