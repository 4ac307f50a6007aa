/** Units of health values in presets. */

import { isJsonObject, type JsonValue } from "../../../core/json.ts";
import { objectOf } from "../../../validate/json_schema.ts";
import type { Schema } from "../../../validate/schema.ts";
import { CHOSEN_UNITS, KNOWN_TYPES, knownKind } from "../health/health_types.ts";
import { convertValue, type QuantityName, rounded, unitsOf } from "../health/health_units.ts";

/** Units by the metric that is stored in them. */
export type ChosenUnits = Readonly<Record<string, string>>;

/** Units by metric in a mapping. */
export const UNITS: Schema<ChosenUnits> = {
  check(value, field, violations) {
    if (!isJsonObject(value)) return violations.add("field.type", field);
    const isKnown = Object.entries(value).every(([metricType, unit]) => isUnit(metricType, unit));
    return isKnown ? value as ChosenUnits : violations.add("mapping.unit", field);
  },
  json: objectOf(
    Object.fromEntries(
      Object.entries(CHOSEN_UNITS).map(([metricType, quantity]) => [
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

/** The title of a metric's records; undefined for a metric that health formats do not have. */
export const METRIC_TITLES: ReadonlyMap<string, string> = new Map(
  KNOWN_TYPES.flatMap((type) => {
    const kind = knownKind(type);
    return kind === null ? [] : [[kind.metricType, kind.title]];
  }),
);

/** The quantities of metrics whose values are converted. */
const QUANTITIES: Readonly<Record<string, QuantityName>> = {
  ...CHOSEN_UNITS,
  EXERCISE_DURATION: "duration",
};

/** Names of units in tables, by that of the conversion. */
const UNIT_NAMES: Readonly<Record<string, string>> = {
  lbs: "lb",
  "°C": "degC",
  "°F": "degF",
  h: "hr",
};

interface StoredValue {
  readonly value: number;
  readonly unit: string;
  readonly isComputed: boolean;
}

/** A value in the unit in which its metric is stored; as it is for a unit without a conversion. */
export function storedValue(
  metricType: string,
  { value, unit }: { readonly value: number; readonly unit: string },
  units: ChosenUnits,
): StoredValue {
  const same = { value, unit, isComputed: false };
  const quantity = Object.hasOwn(QUANTITIES, metricType) ? QUANTITIES[metricType] : undefined;
  if (quantity === undefined) return same;
  const shown = units[metricType] ?? unitsOf(quantity)[0] ?? unit;
  const name = Object.hasOwn(UNIT_NAMES, unit) ? UNIT_NAMES[unit] ?? unit : unit;
  const converted = convertValue(value, name, quantity, shown);
  if (converted === null) return same;
  const { isComputed } = converted;
  return { value: isComputed ? rounded(converted.value) : value, unit: shown, isComputed };
}
