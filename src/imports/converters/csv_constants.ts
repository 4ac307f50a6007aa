/** The constants of a mapping, which its fields must be able to take. */

import { checkField, normaliseField } from "../../catalog/field_types.ts";
import type { JsonValue } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { isBlank } from "../../validate/text.ts";
import { cellKind } from "./csv_cells.ts";
import { type CsvMapping, ITEM_MEMBERS } from "./csv_mapping.ts";

/**
 * Checks each constant alone: a policy may still refuse it with the other fields of a row.
 *
 * @throws ServiceError `PAYLOAD_INVALID`, rule `mapping.field`.
 */
export function checkConstants(mapping: CsvMapping): void {
  for (const [name, value] of mapping.constants) {
    if (!isTaken(name, value, mapping)) throw payloadInvalid(["mapping.field"], ["constants"]);
  }
}

function isTaken(name: string, value: JsonValue, mapping: CsvMapping): boolean {
  const field = mapping.targetFields.get(name);
  if (field !== undefined) return checkField(field, normaliseField(field, value)) === null;
  if (name === "@tags" && Array.isArray(value)) {
    return value.every((tag) => typeof tag === "string");
  }
  if (typeof value !== "string") return false;
  if (name === "@title" || name === "@key") return !isBlank(value);
  return cellKind(ITEM_MEMBERS[name] ?? "").read(value, mapping, []).value !== null;
}
