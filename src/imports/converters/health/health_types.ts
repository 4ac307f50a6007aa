/** The types of values that become records. */

import { type QuantityName, unitsOf } from "./health_units.ts";

/** How the values of a day become one record. */
type DayRule = "sum" | "mean" | "last" | "night";

export type RecordRule = "DAY" | "EACH";

/** A type of values, and the records that it becomes. */
export interface HealthKind {
  readonly metricType: string;
  /** The beginning of the keys. */
  readonly key: string;
  readonly title: string;
  /** Null for values that stay in the unit of the file. */
  readonly quantity: QuantityName | null;
  /** The unit of the records; null for that of the file. */
  readonly unit: string | null;
  readonly dayRule: DayRule;
  readonly record: RecordRule;
  /** True if the values of a sensor become one record a day. */
  readonly hasSensors: boolean;
}

export const SLEEP = "SleepAnalysis";
export const WORKOUT = "Workout";
const GLUCOSE = "BloodGlucose";

type Row = readonly [
  metricType: string,
  title: string,
  quantity: QuantityName,
  record: RecordRule,
  dayRule: DayRule,
];

const TABLE: Readonly<Record<string, Row>> = {
  StepCount: ["STEPS", "Steps", "count", "DAY", "sum"],
  [SLEEP]: ["SLEEP_DURATION", "Sleep", "duration", "DAY", "night"],
  HeartRate: ["HEART_RATE", "Heart rate", "rate", "DAY", "mean"],
  OxygenSaturation: ["OXYGEN_SATURATION", "Oxygen saturation", "share", "DAY", "mean"],
  RestingHeartRate: ["RESTING_HEART_RATE", "Resting heart rate", "rate", "DAY", "last"],
  BodyMass: ["WEIGHT", "Weight", "mass", "EACH", "mean"],
  BloodPressureSystolic: [
    "BLOOD_PRESSURE_SYSTOLIC",
    "Systolic pressure",
    "pressure",
    "EACH",
    "mean",
  ],
  BloodPressureDiastolic: [
    "BLOOD_PRESSURE_DIASTOLIC",
    "Diastolic pressure",
    "pressure",
    "EACH",
    "mean",
  ],
  [GLUCOSE]: ["BLOOD_GLUCOSE", "Blood glucose", "glucose", "EACH", "mean"],
  BodyTemperature: ["BODY_TEMPERATURE", "Body temperature", "temperature", "EACH", "mean"],
  [WORKOUT]: ["EXERCISE_DURATION", "Exercise", "duration", "EACH", "sum"],
};

const KINDS: ReadonlyMap<string, HealthKind> = new Map(
  Object.entries(TABLE).map(([type, [metricType, title, quantity, record, dayRule]]) => [type, {
    metricType,
    key: type === WORKOUT ? "WORKOUT" : metricType,
    title,
    quantity,
    unit: type === SLEEP ? "h" : unitsOf(quantity)[0] ?? null,
    dayRule,
    record,
    hasSensors: type === GLUCOSE,
  }]),
);

/** The types of the table. */
export const KNOWN_TYPES: readonly string[] = [...KINDS.keys()];

/** Metric types whose unit a mapping may choose, with the quantity of the units. */
export const CHOSEN_UNITS: Readonly<Record<string, QuantityName>> = {
  WEIGHT: "mass",
  BODY_TEMPERATURE: "temperature",
  BLOOD_GLUCOSE: "glucose",
};

/** Null for a type that the table lacks. */
export function knownKind(type: string): HealthKind | null {
  return KINDS.get(type) ?? null;
}

const ADDED_UNITS: ReadonlySet<string> = new Set(
  ["count", "kcal", "Cal", "kJ", "km", "mi", "m", "min", "mL", "L", "g"],
);

/** Types that HealthKit does not add, although their units are those of amounts. */
const NOT_ADDED: ReadonlySet<string> = new Set([
  "BodyMassIndex",
  "UVExposure",
  "SixMinuteWalkTestDistance",
  "RunningStrideLength",
  "UnderwaterDepth",
  "ForcedVitalCapacity",
  "ForcedExpiratoryVolume1",
]);

/** The records of a type that the table lacks. */
export function customKind(type: string, unit: string, record: RecordRule): HealthKind {
  return {
    metricType: "CUSTOM",
    key: type,
    title: wordsOf(type),
    quantity: unit === "%" ? "share" : null,
    unit,
    dayRule: ADDED_UNITS.has(unit) && !NOT_ADDED.has(type) ? "sum" : "mean",
    record,
    hasSensors: false,
  };
}

const PREFIX = /^HK(?:(?:Quantity|Category|Correlation)TypeIdentifier|DataType(?:Identifier)?)/;

/** `StepCount` for `HKQuantityTypeIdentifierStepCount`. */
export function typeName(identifier: string): string {
  return identifier.replace(PREFIX, "");
}

/** `Traditional Strength Training` for `TraditionalStrengthTraining`, `VO2 Max` for `VO2Max`. */
export function wordsOf(name: string): string {
  return name.replaceAll(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$& ");
}
