/** The owner's mapping for a preset. */

import { textField } from "../../../catalog/field_schema.ts";
import { HEALTH } from "../../../catalog/modules/health.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { payloadInvalid } from "../../../errors/service_error.ts";
import {
  integer,
  oneOf,
  optional,
  readBody,
  type Schema,
  string,
  stringMatching,
} from "../../../validate/schema.ts";
import { MAX_TITLE } from "../../fit_members.ts";
import type { MappingContext } from "../converter.ts";
import { READING } from "../csv_reading.ts";
import { DEFAULT_ZONE, TIME_ZONE } from "../dates.ts";
import { UNITS } from "../health/health_mapping.ts";
import { PEOPLE_MAPPING } from "../people.ts";
import type { PresetMapping } from "./preset.ts";
import { PRESETS } from "./presets.ts";

const NAMES: readonly string[] = PRESETS.map(({ name }) => name);
const MOOD = integer(1, 5);

/** Levels by word. */
const MOODS: Schema<JsonObject> = {
  check(value, field, violations) {
    if (!isJsonObject(value)) return violations.add("field.type", field);
    for (const level of Object.values(value)) MOOD.check(level, field, violations);
    return value;
  },
  json: { type: "object", additionalProperties: MOOD.json },
};

const NAME = stringMatching(
  "mapping.preset",
  (name) => NAMES.includes(name),
  { type: "string", enum: [...NAMES] },
);

/** The members that clients draw a form of. */
export const PRESET_FORM = {
  timeZone: optional(TIME_ZONE),
  /** The form of dates with numbers alone; those that begin with the year need none. */
  dates: optional(oneOf("DMY", "MDY")),
  /** The unit of numbers whose table states none. */
  unit: optional(string({ maximum: 32 })),
  metricType: optional(textField(HEALTH, "metricType")),
  title: optional(string({ maximum: MAX_TITLE })),
  moods: optional(MOODS),
  /** The unit in which a metric is stored. */
  units: optional(UNITS),
  encoding: READING.encoding,
};

export const PRESET_MAPPING = {
  preset: optional(NAME),
  ...PRESET_FORM,
  ...PEOPLE_MAPPING.schema,
  ...READING,
};

/** True for a mapping by a preset, instead of one of columns. */
export function namesPreset(mapping: JsonObject): boolean {
  return Object.hasOwn(mapping, "preset");
}

/** @throws ServiceError `PAYLOAD_INVALID`. */
export function checkPresetMapping(mapping: JsonObject, context: MappingContext): void {
  const { preset = "" } = readBody(PRESET_MAPPING, mapping);
  if (!context.presets.includes(preset)) throw payloadInvalid(["mapping.preset"], ["preset"]);
  const { requires = [] } = PRESETS.find(({ name }) => name === preset) ?? {};
  const missing = requires.filter((name) => !Object.hasOwn(mapping, name));
  if (missing.length > 0) throw payloadInvalid(["field.required"], missing);
  const answers = Object.entries(mapping).filter(([name]) =>
    Object.hasOwn(PEOPLE_MAPPING.schema, name)
  );
  PEOPLE_MAPPING.check(Object.fromEntries(answers), context);
}

/** Reads a checked mapping. */
export function readPresetMapping(mapping: JsonObject): PresetMapping {
  const { moods = {}, ...read } = readBody(PRESET_MAPPING, mapping);
  const levels = Object.entries(moods).map(([word, level]) =>
    [word.trim().toLowerCase(), Number(level)] as const
  );
  return {
    preset: "",
    timeZone: DEFAULT_ZONE,
    dates: "ISO",
    units: {},
    ...read,
    moods: new Map(levels),
  };
}
