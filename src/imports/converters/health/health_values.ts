/** Values of an export of Apple Health, read by the rules of their types. */

import { entryBytes, type ReadingBudget } from "../../reading_budget.ts";
import { reportWord } from "../../words.ts";
import { ownText } from "../apps/clean_text.ts";
import type { HealthElement } from "./health_elements.ts";
import type { HealthMapping } from "./health_mapping.ts";
import { type HealthKind, SLEEP, wordsOf, WORKOUT } from "./health_types.ts";
import { convertValue, MAX_VALUE, numberOf, plainUnit } from "./health_units.ts";
import { readWrittenTime } from "./health_zones.ts";
import { workoutNotes } from "./workout_notes.ts";

export interface HealthValue {
  readonly type: string;
  readonly kind: HealthKind;
  readonly title: string;
  /** The name of the source, as the file has it. */
  readonly source: string;
  /** The name of the device that a record shows; null without one. */
  readonly device: string | null;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** The start in the file, with its offset. */
  readonly startDate: string;
  /** The zone that the value states; null without one. */
  readonly zone: string | null;
  /** The value as the file states it, by which equal values are found. */
  readonly written: string;
  readonly value: number;
  readonly unit: string;
  /** The number and unit in the file, if the value was converted; null if not. */
  readonly asWritten: string | null;
  /** Lines about a workout. */
  readonly notes: readonly string[];
}

const SLEEP_VALUE = "HKCategoryValueSleepAnalysis";
const ACTIVITY = "HKWorkoutActivityType";
const HOUR_MS = 3_600_000;

export class ValueReader {
  readonly #mapping: HealthMapping;
  readonly #budget: ReadingBudget;
  readonly #kinds = new Map<string, HealthKind>();
  readonly #names = new Map<string, string>();
  #device: { readonly text: string; readonly name: string | null } = { text: "", name: null };

  constructor(mapping: HealthMapping, budget: ReadingBudget) {
    this.#mapping = mapping;
    this.#budget = budget;
  }

  /** Reads an element; returns the name under which it is counted if it does not come in. */
  read(element: HealthElement): HealthValue | string {
    const { type, attributes, zone } = element;
    if (attributes === null || !this.#mapping.reads(type)) return `health.${type}`;
    const attribute = (name: string) => attributes.get(name) ?? "";
    const isSleep = type === SLEEP;
    const stage = isSleep ? stageOf(attribute("value")) : null;
    if (stage !== null && !stage.startsWith("Asleep")) return `health.${SLEEP}.${stage}`;
    const isWorkout = type === WORKOUT;
    const unit = plainUnit(attribute(isWorkout ? "durationUnit" : "unit"));
    if (isSleep ? stage === null : unit === "") return INVALID;
    const kind = this.#kindOf(type, unit);
    const startDate = attribute("startDate");
    const start = readWrittenTime(startDate);
    const end = readWrittenTime(attribute("endDate"));
    if (start === null || end === null || end < start) return INVALID;
    const written = attribute(isWorkout ? "duration" : "value");
    const measured = stage === null
      ? measure(written, unit, kind)
      : { value: (end - start) / HOUR_MS, asWritten: null };
    if (measured === null) return INVALID;
    const activity = attribute("workoutActivityType");
    const source = this.#keep(attribute("sourceName"));
    return {
      type,
      kind,
      title: isWorkout ? titleOf(activity) : kind.title,
      source,
      device: this.#deviceOf(attribute("device"), source),
      start,
      end,
      startDate,
      zone,
      written: activity + written,
      unit: kind.unit ?? unit,
      notes: isWorkout ? workoutNotes(element) : [],
      ...measured,
    };
  }

  /** The unit of a type that the table lacks is that of its first value. */
  #kindOf(type: string, unit: string): HealthKind {
    const known = this.#kinds.get(type);
    if (known !== undefined) return known;
    this.#budget.hold(entryBytes(type) + entryBytes(unit), 0);
    const kind = this.#mapping.kindOf(type, ownText(unit));
    this.#kinds.set(type, kind);
    return kind;
  }

  /** The last device is kept, because most values are of the same one as the value before. */
  #deviceOf(text: string, source: string): string | null {
    if (this.#mapping.hasDeviceNames && source !== "") return this.#shownName(source);
    if (text !== this.#device.text) {
      const name = deviceName(text);
      this.#device = { text: ownText(text), name: name === null ? null : this.#shownName(name) };
    }
    const { name } = this.#device;
    // An unknown name of both may be one that a person chose.
    return name === this.#shownName(source) && !PRODUCT.test(source) ? null : name;
  }

  #shownName(name: string): string | null {
    const shown = reportWord(name).trim();
    return shown === "" ? null : this.#keep(shown);
  }

  #keep(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    this.#budget.hold(entryBytes(text), 0);
    const copy = ownText(text);
    this.#names.set(copy, copy);
    return copy;
  }
}

/** The name of the count of values that cannot be read. */
const INVALID = "health.invalid";

/** The word after the prefix of sleep values; null for another text. */
function stageOf(value: string): string | null {
  const stage = value.startsWith(SLEEP_VALUE) ? value.slice(SLEEP_VALUE.length) : "";
  return /^[A-Za-z]{1,40}$/.test(stage) ? stage : null;
}

function titleOf(activity: string): string {
  const name = activity.startsWith(ACTIVITY) ? activity.slice(ACTIVITY.length) : "";
  return name === "" ? WORKOUT : wordsOf(name);
}

type Measured = Pick<HealthValue, "value" | "asWritten">;

/** Null for a text that is not a number, a value out of range, and an unknown unit. */
function measure(text: string, unit: string, kind: HealthKind): Measured | null {
  const number = numberOf(text);
  if (number === null) return null;
  const { quantity, unit: shown } = kind;
  const converted = quantity === null || shown === null
    ? unit === shown ? { value: number, isComputed: false } : null
    : convertValue(number, unit, quantity, shown);
  if (converted === null || Math.abs(converted.value) > MAX_VALUE) return null;
  const { value, isComputed } = converted;
  return { value, asWritten: isComputed ? `${number} ${unit}` : null };
}

/** The names of products, which are not personal. */
const PRODUCT = /^(?:Apple\sWatch|iPhone|iPad|iPod\stouch)$/;
const DEVICE = ", name:";
const NEXT = [", manufacturer:", ", model:", ", hardware:", ", firmware:", ", software:"];

/** The name in `<<HKDevice: 0x1>, name:Apple Watch, manufacturer:Apple, …>`. */
function deviceName(text: string): string | null {
  const at = text.indexOf(DEVICE);
  if (at === -1) return null;
  const rest = text.slice(at + DEVICE.length);
  const ends = NEXT.map((mark) => rest.indexOf(mark)).filter((end) => end !== -1);
  return ends.length === 0 ? rest.replace(/>$/, "") : rest.slice(0, Math.min(...ends));
}
