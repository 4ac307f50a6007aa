/** Lists of field names: the published ones of a profile, or those of a release plan. No SQL, no HTTP. */

import { enumOf, type JsonSchema, listOf } from "../../validate/json_schema.ts";
import type { Schema } from "../../validate/schema.ts";
import type { FieldName } from "./fields.ts";

/** A list of some of the names, at least one, without repetition. Returns them in the order of `names`. */
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

/** The JSON Schema of a list of the names. */
export function fieldNamesOf(names: readonly FieldName[]): JsonSchema {
  return listOf(enumOf(names));
}

/** A list of names as a column stores it: separated by spaces. */
export function joinNames(names: readonly FieldName[]): string {
  return names.join(" ");
}

/** The names of such a list, of which the database has checked each. */
export function splitNames<Name extends FieldName>(list: string): Name[] {
  return list.split(" ") as Name[];
}
