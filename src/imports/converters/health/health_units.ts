/** Units of measured values, and their conversion. */

/** Values that can be converted into each other. */
interface Quantity {
  /** The units of a record; the first is the default one. */
  readonly shown: readonly string[];
  /** The units of the file, in terms of the default unit. */
  readonly written: Readonly<Record<string, Unit>>;
}

/** A value in the default unit is (value + plus) × times ÷ by. */
interface Unit {
  /** As a record shows it; default: the name in the file. */
  readonly name?: string;
  readonly plus?: number;
  readonly times?: number;
  readonly by?: number;
}

const QUANTITIES = {
  count: { shown: ["steps"], written: { count: { name: "steps" } } },
  rate: { shown: ["bpm"], written: { "count/min": { name: "bpm" }, "count/s": { times: 60 } } },
  share: { shown: ["%"], written: { "%": {} } },
  mass: {
    shown: ["kg", "lb", "st"],
    written: {
      kg: {},
      lb: { times: 0.45359237 },
      st: { times: 6.35029318 },
      g: { by: 1000 },
    },
  },
  pressure: { shown: ["mmHg"], written: { mmHg: {} } },
  glucose: {
    shown: ["mg/dL", "mmol/L"],
    written: { "mg/dL": {}, "mmol/L": { times: 18.0156 } },
  },
  temperature: {
    shown: ["°C", "°F"],
    written: { degC: { name: "°C" }, degF: { name: "°F", plus: -32, by: 1.8 } },
  },
  duration: {
    shown: ["min"],
    written: { min: {}, hr: { times: 60 }, s: { by: 60 } },
  },
  energy: {
    shown: ["kcal"],
    written: { kcal: {}, Cal: { name: "kcal" }, kJ: { by: 4.184 } },
  },
  distance: { shown: ["km"], written: { km: {}, mi: { times: 1.609344 } } },
} as const satisfies Readonly<Record<string, Quantity>>;

export type QuantityName = keyof typeof QUANTITIES;

/** The units that a record of a quantity may have, the default one first. */
export function unitsOf(quantity: QuantityName): readonly string[] {
  return QUANTITIES[quantity].shown;
}

/** The largest value of a record, also below zero. */
export const MAX_VALUE = 1_000_000_000;

/** Null for anything but a decimal number in range. */
export function numberOf(text: string): number | null {
  const number = /^[-+]?[\d.]+(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : NaN;
  return Math.abs(number) <= MAX_VALUE ? number : null;
}

interface ConvertedValue {
  readonly value: number;
  readonly isComputed: boolean;
}

/**
 * Converts a value to a unit of its quantity. The result is not rounded.
 *
 * @param written The unit in the file, without a molar mass.
 * @returns Null for a unit that the quantity does not have.
 */
export function convertValue(
  value: number,
  written: string,
  quantity: QuantityName,
  shown: string,
): ConvertedValue | null {
  const { written: units }: Quantity = QUANTITIES[quantity];
  const from = Object.hasOwn(units, written) ? units[written] : undefined;
  if (from === undefined) return null;
  if (written === "%") return percentOf(value);
  if ((from.name ?? written) === shown) return { value, isComputed: false };
  const to = Object.entries(units).find(([name, unit]) => (unit.name ?? name) === shown)?.[1] ?? {};
  return { value: fromDefault(toDefault(value, from), to), isComputed: true };
}

function toDefault(value: number, { plus = 0, times = 1, by = 1 }: Unit): number {
  return (value + plus) * times / by;
}

function fromDefault(value: number, { plus = 0, times = 1, by = 1 }: Unit): number {
  return value * by / times - plus;
}

/** HealthKit writes a percentage as a fraction of 1. */
function percentOf(value: number): ConvertedValue {
  const isFraction = value <= 1;
  return { value: isFraction ? value * 100 : value, isComputed: isFraction };
}

/** Removes the molar mass: its digits differ between versions of iOS. */
export function plainUnit(unit: string): string {
  const open = unit.indexOf("<");
  const close = unit.indexOf(">", open);
  return open === -1 || close === -1 ? unit : unit.slice(0, open) + unit.slice(close + 1);
}

/** Significant digits of a number without the error of its computation. */
const EXACT_DIGITS = 15;

/** At most two decimals; 17.775 becomes 17.78, although its binary form is less. */
export function rounded(value: number): number {
  return Math.round(Number((value * 100).toPrecision(EXACT_DIGITS))) / 100;
}
