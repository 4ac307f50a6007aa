/** Shared by the formats of people: compared forms, keys, and the mapping. */

import { textField } from "../../catalog/field_schema.ts";
import { RELATIONSHIP } from "../../catalog/modules/relationship.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
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
import { isLongerThan } from "../../validate/text.ts";
import type { PeopleFacts } from "./converter.ts";

export const NO_PEOPLE_FACTS: PeopleFacts = {
  compared: [],
  isIdentified: true,
  links: [],
  members: [],
};

/** Code points. */
const MAX_KEY_LENGTH = 200;

/** Keys of one file. */
export class ItemKeys {
  readonly #taken = new Set<string>();

  /** An invalid or repeated key refuses its item, which then gets a key by its place. */
  take(key: string, place: number): { readonly key: string; readonly isRefused: boolean } {
    const isKey = key !== "" && !isLongerThan(key, MAX_KEY_LENGTH) && key.isWellFormed() &&
      !key.includes("\0") && !this.#taken.has(key);
    const taken = isKey ? key : `place:${place}`;
    this.#taken.add(taken);
    return { key: taken, isRefused: !isKey };
  }
}

/** In compared form. */
export function comparedEmail(value: string): string {
  return `email:${value.trim().toLowerCase()}`;
}

/** Digits only; null for fewer than six. */
export function comparedNumber(value: string): string | null {
  const digits = value.replaceAll(/\D/g, "");
  return digits.length < 6 ? null : `tel:${digits}`;
}

/** Distinct emails and numbers in compared form. */
export function comparedForms(details: readonly JsonObject[]): string[] {
  const forms = details.flatMap(({ kind, value }) => {
    const text = String((value as JsonObject).value ?? "");
    if (kind === "EMAIL") return [comparedEmail(text)];
    return kind === "PHONE" ? comparedNumber(text) ?? [] : [];
  });
  return [...new Set(forms)];
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

export const PEOPLE_MAPPING = {
  /** Answers by key of the item. */
  duplicates: optional(jsonObject),
  /** Fields of the people with that category. */
  categories: optional(jsonObject),
};

/** @throws ServiceError `PAYLOAD_INVALID`. */
export function readPeopleMapping(mapping: JsonObject): void {
  const { duplicates = {}, categories = {} } = readBody(PEOPLE_MAPPING, mapping);
  const violations = new Violations();
  for (const answer of Object.values(duplicates)) ANSWER.check(answer, "duplicates", violations);
  for (const fields of Object.values(categories)) {
    if (isJsonObject(fields)) checkObject(CATEGORY, fields, violations);
    else violations.add("field.type", "categories");
  }
  if (!violations.isEmpty) throw payloadInvalid([...violations.rules], ["mapping"]);
}

/** The payload of a person with the fields that the mapping gives to the person's categories. */
export function withCategories(
  payload: JsonObject,
  tags: readonly string[],
  mapping: JsonObject | null,
): JsonObject {
  const categories: JsonValue = mapping?.categories ?? {};
  if (!isJsonObject(categories)) return payload;
  const given = tags.flatMap((tag) => {
    const fields = Object.hasOwn(categories, tag) ? categories[tag] : null;
    return isJsonObject(fields ?? null) ? [fields as JsonObject] : [];
  });
  // The first category decides.
  return Object.assign({}, payload, ...given.toReversed());
}
