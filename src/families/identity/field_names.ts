/** Lists of field names, as of a publication or a release plan. */

import { enumOf, type JsonSchema, listOf } from "../../validate/json_schema.ts";
import type { Schema } from "../../validate/schema.ts";
import type { FieldName } from "./fields.ts";

/** At least one of the names, without repetition. Returns them in the order of `names`. */
export function someOf<Name extends FieldName>(names: readonly Name[]): Schema<Name[]> {
  const known = new Set<string>(names);
  return {
    check(value, field, violations) {
      if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
        return violations.add("field.type", field);
      }
      const sent = new Set(value);
      if (sent.size === 0) violations.add("field.length", field);
      if (sent.size < value.length) violations.add("field.repeated", field);
      if (value.some((name) => !known.has(name))) violations.add("field.option", field);
      return names.filter((name) => sent.has(name));
    },
    json: { ...fieldNamesOf(names), minItems: 1, uniqueItems: true },
  };
}

export function fieldNamesOf(names: readonly FieldName[]): JsonSchema {
  return listOf(enumOf(names));
}

/** Returns the stored form: names separated by spaces. */
export function joinNames(names: readonly FieldName[]): string {
  return names.join(" ");
}

/** Splits a stored list. The database has checked the names. */
export function splitNames<Name extends FieldName>(list: string): Name[] {
  return list.split(" ") as Name[];
}
