/** Units of health values in presets. */

import type { ChosenUnits } from "../health/health_mapping.ts";
import { CHOSEN_UNITS, KNOWN_TYPES, knownKind } from "../health/health_types.ts";
import { convertValue, type QuantityName, rounded, unitsOf } from "../health/health_units.ts";

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
