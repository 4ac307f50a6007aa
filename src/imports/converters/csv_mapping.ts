/** The owner's mapping of a table: how it is read, and which fields its columns fill. */

import type { Field } from "../../catalog/module.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { listOf, TEXT } from "../../validate/json_schema.ts";
import {
  jsonObject,
  oneOf,
  optional,
  readBody,
  type Schema,
  string,
  stringMatching,
} from "../../validate/schema.ts";
import { isLongerThan } from "../../validate/text.ts";
import type { MappingContext } from "./converter.ts";
import { namesPreset, PRESET_MAPPING } from "./presets/preset_mapping.ts";
import { READING, type ReadingOptions } from "./csv_reading.ts";
import { type DateForm, DEFAULT_ZONE, TIME_ZONE } from "./dates.ts";

/** Code points of the text that parts tags. */
const MAX_TAG_MARK = 10;

const COLUMN_FIELDS: Schema<JsonObject> = {
  ...jsonObject,
  json: { type: "object", additionalProperties: { anyOf: [TEXT, listOf(TEXT)] } },
};
const CELL_VALUES: Schema<JsonObject> = {
  ...jsonObject,
  json: { type: "object", additionalProperties: { type: "object", additionalProperties: true } },
};

/** Only reading options may be sent alone; any other member requires target and columns. */
export const CSV_MAPPING = {
  target: optional(string({ maximum: 40 })),
  columns: optional(COLUMN_FIELDS),
  constants: optional(jsonObject),
  values: optional(CELL_VALUES),
  rest: optional(string({ maximum: 40 })),
  key: optional(columnNames()),
  dates: optional(oneOf("ISO", "DMY", "MDY", "EXCEL")),
  timeZone: optional(TIME_ZONE),
  decimal: optional(oneOf(".", ",")),
  tagsBy: optional(
    stringMatching(
      "mapping.tags_by",
      (mark) => mark !== "" && !isLongerThan(mark, MAX_TAG_MARK),
      { type: "string", minLength: 1, maxLength: MAX_TAG_MARK },
    ),
  ),
  ...READING,
};

function columnNames(): Schema<readonly string[]> {
  return {
    check(value, field, violations) {
      const isList = Array.isArray(value) && value.every((name) => typeof name === "string");
      return isList ? value : violations.add("mapping.key", field);
    },
    json: listOf(TEXT),
  };
}

/** True if a mapping has nothing but reading options. */
export function isReadingAlone(mapping: JsonObject): boolean {
  return Object.keys(mapping).every((name) => Object.hasOwn(READING, name));
}

/** The reading options of a checked mapping. */
export function readingOptions(mapping: JsonObject | null): ReadingOptions {
  if (mapping === null) return {};
  return namesPreset(mapping) ? readBody(PRESET_MAPPING, mapping) : readBody(CSV_MAPPING, mapping);
}

/** Members of an item that a column or constant may set, with their kinds of field. */
export const ITEM_MEMBERS: Readonly<Record<string, string>> = {
  "@title": "text",
  "@summary": "text",
  "@key": "text",
  "@recordedAt": "instant",
  "@tags": "tags",
};

export interface CsvMapping {
  readonly target: string;
  readonly targetFields: ReadonlyMap<string, Field>;
  /** The fields that a column fills. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Values of fields whose cells are empty. */
  readonly constants: ReadonlyMap<string, JsonValue>;
  /** Replacements of cells in compared form, by column. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, CellValue>>;
  /** The field for the columns left over, or `leave`. */
  readonly rest: string;
  /** Columns of the key; empty for all mapped ones. */
  readonly keyColumns: readonly string[];
  /** True if a column or constant states the key. */
  readonly hasKey: boolean;
  readonly dates: DateForm;
  readonly timeZone: string;
  readonly decimal: "." | "," | null;
  readonly tagsBy: string | null;
}

/**
 * @throws ServiceError `PAYLOAD_INVALID` for an unknown target, column or field, for several
 * columns of a field that takes one, and for a mapping without `@title`.
 */
export function readCsvMapping(
  mapping: JsonObject,
  { columns, fieldsOf }: Pick<MappingContext, "columns" | "fieldsOf">,
): CsvMapping {
  const body = readBody(CSV_MAPPING, mapping);
  const { target, columns: sent } = body;
  if (target === undefined || sent === undefined) {
    const missing = ["target", "columns"].filter((name) => !Object.hasOwn(mapping, name));
    throw payloadInvalid(["field.required"], missing);
  }
  const { rest = "leave", dates = "ISO", timeZone = DEFAULT_ZONE, decimal = null, key } = body;
  const known = fieldsOf(target);
  if (known === null) throw payloadInvalid(["mapping.target"], ["target"]);
  const targetFields = new Map(known.map((field) => [field.name, field]));
  const named = new Set(columns);
  const isColumn = (name: string) => columns === null || named.has(name);
  const fields = readFields(sent, isColumn, targetFields);
  const constants = new Map(Object.entries(body.constants ?? {}));
  for (const name of constants.keys()) {
    if (kindOf(name, targetFields) === null) throw payloadInvalid(["mapping.field"], ["constants"]);
  }
  const stated = new Set([...[...fields.values()].flat(), ...constants.keys()]);
  if (!stated.has("@title")) throw payloadInvalid(["mapping.title"], ["columns"]);
  if (rest !== "leave" && targetFields.get(rest)?.edit !== "textarea") {
    throw payloadInvalid(["mapping.rest"], ["rest"]);
  }
  const hasKey = stated.has("@key");
  if (key?.every(isColumn) === false || (hasKey && key !== undefined && key.length > 0)) {
    throw payloadInvalid(["mapping.key"], ["key"]);
  }
  return {
    target,
    targetFields,
    fields,
    constants,
    values: readValues(body.values ?? {}, isColumn),
    rest,
    keyColumns: key ?? [],
    hasKey,
    dates,
    timeZone,
    decimal,
    tagsBy: body.tagsBy ?? null,
  };
}

type TargetFields = ReadonlyMap<string, Field>;

/** The kind of a field or of a member of an item; null for any other name. */
export function kindOf(name: string, fields: TargetFields): string | null {
  const own = Object.hasOwn(ITEM_MEMBERS, name) ? ITEM_MEMBERS[name] : undefined;
  return own ?? fields.get(name)?.edit ?? null;
}

/** True for fields that several columns may fill: a date and a time, or tags. */
function isShared(name: string, fields: TargetFields): boolean {
  return name === "@tags" || ["datetime", "instant"].includes(kindOf(name, fields) ?? "");
}

function readFields(
  columns: JsonObject,
  isColumn: (name: string) => boolean,
  targetFields: TargetFields,
): ReadonlyMap<string, readonly string[]> {
  const filled = new Set<string>();
  const fields = new Map<string, readonly string[]>();
  for (const [column, sent] of Object.entries(columns)) {
    if (!isColumn(column)) throw payloadInvalid(["mapping.column"], ["columns"]);
    const names: readonly JsonValue[] = Array.isArray(sent) ? sent : [sent];
    const own = names.filter((name) => typeof name === "string" && kindOf(name, targetFields));
    if (own.length !== names.length || own.length === 0) {
      throw payloadInvalid(["mapping.field"], ["columns"]);
    }
    const fieldNames = own.map(String);
    const isRepeated = new Set(fieldNames).size !== fieldNames.length ||
      fieldNames.some((name) => filled.has(name) && !isShared(name, targetFields));
    if (isRepeated) throw payloadInvalid(["mapping.field_repeated"], ["columns"]);
    for (const name of fieldNames) filled.add(name);
    fields.set(column, fieldNames);
  }
  return fields;
}

/** The replacement of a cell: a text, which is read like a cell, or a value. */
export type CellValue = string | number | boolean | readonly string[];

function readValues(
  values: JsonObject,
  isColumn: (name: string) => boolean,
): ReadonlyMap<string, ReadonlyMap<string, CellValue>> {
  return new Map(
    Object.entries(values).map(([column, cells]) => {
      if (!isColumn(column) || !isJsonObject(cells)) refuseValues();
      const replaced = new Map(
        Object.entries(cells).map(([cell, value]) => [comparedCell(cell), cellValue(value)]),
      );
      // Two cells that agree in compared form would have two values.
      if (replaced.size < Object.keys(cells).length) refuseValues();
      return [column, replaced];
    }),
  );
}

function cellValue(value: JsonValue): CellValue {
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  if (typeof value === "object") return refuseValues();
  return value;
}

function refuseValues(): never {
  throw payloadInvalid(["mapping.values"], ["values"]);
}

/** A cell without case, and without blanks at its ends. */
export function comparedCell(cell: string): string {
  return cell.trim().toLowerCase();
}
