/** The mapping of a CSV file: its columns, and how their cells are read. */

import type { Field } from "../../catalog/module.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import {
  jsonObject,
  oneOf,
  optional,
  readBody,
  type Schema,
  string,
  stringMatching,
} from "../../validate/schema.ts";
import type { MappingContext } from "./converter.ts";
import type { DateForm } from "./dates.ts";
import { isTimeZone } from "./zones.ts";

export const TIME_ZONE: Schema<string> = stringMatching(
  "mapping.time_zone",
  (name) => name.length <= 100 && isTimeZone(name),
  { type: "string", maxLength: 100 },
);

export const CSV_MAPPING = {
  target: string({ maximum: 40 }),
  columns: jsonObject,
  constants: optional(jsonObject),
  rest: optional(oneOf("leave", "notes")),
  dates: optional(oneOf("ISO", "DMY", "MDY")),
  timeZone: optional(TIME_ZONE),
  decimal: optional(oneOf(".", ",")),
};

/** Members of an item that a column or a constant can state. */
const MEMBERS: readonly string[] = ["@title", "@summary", "@key", "@recordedAt", "@tags"];
/** The field that gets the columns left over. */
const NOTES = "notes";

export interface CsvMapping {
  readonly target: string;
  readonly targetFields: ReadonlyMap<string, Field>;
  readonly fields: ReadonlyMap<string, string>;
  readonly constants: readonly (readonly [name: string, value: JsonValue])[];
  readonly rest: "leave" | "notes";
  readonly dates: DateForm;
  readonly timeZone: string;
  readonly decimal: "." | ",";
  readonly hasKey: boolean;
}

/**
 * Checks a mapping.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for an unknown target, column or field, a field that is stated twice,
 * and a mapping without `@title`.
 */
export function readCsvMapping(
  mapping: JsonObject,
  { columns, fieldsOf }: MappingContext,
): CsvMapping {
  const body = readBody(CSV_MAPPING, mapping);
  const known = fieldsOf(body.target);
  if (known === null) throw payloadInvalid(["mapping.target"], ["target"]);
  const targetFields = new Map(known.map((field) => [field.name, field]));
  const isField = (name: JsonValue): name is string =>
    typeof name === "string" && (MEMBERS.includes(name) || targetFields.has(name));
  const fields = new Map<string, string>();
  for (const [column, field] of Object.entries(body.columns)) {
    if (columns?.includes(column) === false) throw payloadInvalid(["mapping.column"], ["columns"]);
    if (!isField(field)) throw payloadInvalid(["mapping.field"], ["columns"]);
    fields.set(column, field);
  }
  const constants = Object.entries(body.constants ?? {});
  if (!constants.every(([name]) => isField(name))) {
    throw payloadInvalid(["mapping.field"], ["constants"]);
  }
  const stated = [...fields.values(), ...constants.map(([name]) => name)];
  if (new Set(fields.values()).size !== fields.size) {
    throw payloadInvalid(["mapping.field_repeated"], ["columns"]);
  }
  if (!stated.includes("@title")) throw payloadInvalid(["mapping.title"], ["columns"]);
  const { rest = "leave", dates = "ISO", timeZone = "UTC", decimal = "." } = body;
  if (rest === "notes" && !targetFields.has(NOTES)) {
    throw payloadInvalid(["mapping.notes"], ["rest"]);
  }
  const hasKey = stated.includes("@key");
  return {
    ...{ target: body.target, targetFields, fields, constants },
    ...{ rest, dates, timeZone, decimal, hasKey },
  };
}
