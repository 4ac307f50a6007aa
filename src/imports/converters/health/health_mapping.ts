/** The owner's mapping of an export of Apple Health. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../../core/json.ts";
import { knownZone } from "../../../core/zones.ts";
import { payloadInvalid } from "../../../errors/service_error.ts";
import { type JsonSchema, listOf, objectOf, TEXT } from "../../../validate/json_schema.ts";
import {
  boolean,
  oneOf,
  optional,
  readBody,
  type Schema,
  stringMatching,
} from "../../../validate/schema.ts";
import type { MappingContext } from "../converter.ts";
import { offsetZone, TIME_ZONE } from "../dates.ts";
import { wordsByName } from "../words_by_name.ts";
import {
  CHOSEN_UNITS,
  customKind,
  type HealthKind,
  KNOWN_TYPES,
  knownKind,
  type RecordRule,
  SLEEP,
} from "./health_types.ts";
import { unitsOf } from "./health_units.ts";
import { readDayText } from "./health_zones.ts";

/** Units by the metric that is stored in them. */
export type ChosenUnits = Readonly<Record<string, string>>;

export const UNITS: Schema<ChosenUnits> = {
  check(value, field, violations) {
    if (!isJsonObject(value)) return violations.add("field.type", field);
    const isKnown = Object.entries(value).every(([metricType, unit]) => isUnit(metricType, unit));
    return isKnown ? value as ChosenUnits : violations.add("mapping.unit", field);
  },
  json: objectOf(
    Object.fromEntries(
      Object.entries(CHOSEN_UNITS).map(([metricType, quantity]): [string, JsonSchema] => [
        metricType,
        { type: "string", enum: [...unitsOf(quantity)] },
      ]),
    ),
    Object.keys(CHOSEN_UNITS),
  ),
};

function isUnit(metricType: string, unit: JsonValue): boolean {
  const quantity = Object.hasOwn(CHOSEN_UNITS, metricType) ? CHOSEN_UNITS[metricType] : undefined;
  return quantity !== undefined && typeof unit === "string" && unitsOf(quantity).includes(unit);
}

const DAY = stringMatching(
  "mapping.day",
  (text) => readDayText(text) !== null,
  { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
);

const SOURCES: Schema<readonly string[]> = {
  check(value, field, violations) {
    const isList = Array.isArray(value) && value.every((name) => typeof name === "string");
    return isList ? value : violations.add("mapping.source", field);
  },
  json: listOf(TEXT),
};

export const HEALTH_MAPPING = {
  detail: optional(oneOf("DAY", "EACH")),
  kinds: optional(wordsByName(["leave", "DAY", "EACH"], "mapping.kind")),
  sources: optional(SOURCES),
  timeZone: optional(TIME_ZONE),
  units: optional(UNITS),
  from: optional(DAY),
  until: optional(DAY),
  deviceNames: optional(boolean),
};

/** Types that are added over a day in any case, unless `kinds` names them. */
const ALWAYS_ADDED: ReadonlySet<string> = new Set(["StepCount", SLEEP]);

export class HealthMapping {
  /** Sources in the order in which one of a day is chosen, as the sample shows them. */
  readonly sources: readonly string[];
  readonly timeZone: string | null;
  /** The first and the last day, counted since 1970-01-01. */
  readonly from: number;
  readonly until: number;
  /** True to write the names that people gave their devices. */
  readonly hasDeviceNames: boolean;
  readonly #detail: RecordRule;
  readonly #kinds: ReadonlyMap<string, RecordRule | "leave">;
  readonly #units: ReadonlyMap<string, string>;

  /** @throws ServiceError `PAYLOAD_INVALID`. */
  constructor(mapping: JsonObject) {
    const read = readBody(HEALTH_MAPPING, mapping);
    const { detail = "DAY", kinds = {}, units = {}, sources = [], deviceNames = false } = read;
    const { timeZone = "" } = read;
    this.sources = sources;
    this.timeZone = knownZone(timeZone) ?? offsetZone(timeZone);
    this.from = readDayText(read.from ?? "") ?? -Infinity;
    this.until = readDayText(read.until ?? "") ?? Infinity;
    this.hasDeviceNames = deviceNames;
    this.#detail = detail;
    this.#kinds = new Map(Object.entries(kinds));
    this.#units = new Map(Object.entries(units));
  }

  /** @throws ServiceError `PAYLOAD_INVALID` for a type or source that the file does not have. */
  check({ groups, series }: Pick<MappingContext, "groups" | "series">): void {
    const types = new Set([...KNOWN_TYPES, ...series]);
    if ([...this.#kinds.keys()].some((type) => !types.has(type))) {
      throw payloadInvalid(["mapping.kind"], ["kinds"]);
    }
    if (this.sources.some((name) => !groups.includes(name))) {
      throw payloadInvalid(["mapping.source"], ["sources"]);
    }
  }

  /**
   * The records of a type that is read.
   *
   * @param unit The unit of the file, for a type that the table lacks.
   */
  kindOf(type: string, unit: string): HealthKind {
    const word = this.#kinds.get(type);
    const known = knownKind(type);
    const own = word === undefined || word === "leave" ? null : word;
    if (known === null) return customKind(type, unit, own ?? "DAY");
    const isEach = this.#detail === "EACH" && !ALWAYS_ADDED.has(type);
    return {
      ...known,
      unit: this.#units.get(known.metricType) ?? known.unit,
      record: own ?? (isEach ? "EACH" : known.record),
      hasSensors: known.hasSensors && own === null && !isEach,
    };
  }

  /** True if the table or the mapping names records of a type. */
  reads(type: string): boolean {
    const word = this.#kinds.get(type);
    return word === undefined ? knownKind(type) !== null : word !== "leave";
  }
}
