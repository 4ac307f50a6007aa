/** The first pass over an export: facts of the whole file by which its values are read. */

import { DAY_MS } from "../../../core/clock.ts";
import { entryBytes, type ReadingBudget } from "../../reading_budget.ts";
import { ownText } from "../apps/clean_text.ts";
import type { Converted } from "../converter.ts";
import type { HealthElement } from "./health_elements.ts";
import type { HealthValue, ValueReader } from "./health_values.ts";
import type { RepeatedValues } from "./repeated_values.ts";

/** The values of a source in 24 hours; those of a sensor are more. */
const MAX_MEASURED = 50;
/** Bytes of a value in a map of numbers. */
const SAMPLE_BYTES = 100;

export class HealthFacts {
  readonly #reader: ValueReader;
  readonly #repeated: RepeatedValues;
  readonly #budget: ReadingBudget;
  /** Numbers of values by source and type. */
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #zones = new Map<string, number>();
  readonly #samples = new Map<string, SourceSamples>();

  constructor(reader: ValueReader, repeated: RepeatedValues, budget: ReadingBudget) {
    this.#reader = reader;
    this.#repeated = repeated;
    this.#budget = budget;
  }

  add(element: HealthElement): void {
    const { type, attributes, zone, isInner } = element;
    if (attributes === null) return;
    if (!isInner) {
      this.#count(attributes.get("sourceName") ?? "", type);
      if (zone !== null) this.#zones.set(zone, (this.#zones.get(zone) ?? 0) + 1);
    }
    const value = this.#reader.read(element);
    if (typeof value === "string") return;
    const digest = this.#repeated.note(value);
    if (value.kind.hasSensors) this.#samplesOf(value).add(value.start, digest);
  }

  /** The sources with their numbers of values, and the series of each type. */
  *groups(): Generator<Converted> {
    for (const [source, types] of this.#counts) {
      let total = 0;
      for (const [type, count] of types) {
        total += count;
        yield { kind: "series", name: type, group: source, count };
      }
      yield { kind: "group", name: source, count: total };
    }
  }

  /** The zone that most values state, the first by name among equals; null without one. */
  get commonZone(): string | null {
    const [first] = [...this.#zones].toSorted(([one, count], [other, another]) =>
      another - count || (one < other ? -1 : 1)
    );
    return first?.[0] ?? null;
  }

  /** The sources with values of a sensor. */
  sensors(): ReadonlySet<string> {
    const sensors = [...this.#samples].filter(([, samples]) => samples.isSensor());
    return new Set(sensors.map(([source]) => source));
  }

  #count(source: string, type: string): void {
    let types = this.#counts.get(source);
    if (types === undefined) {
      this.#budget.hold(2 * entryBytes(source), 0);
      types = new Map();
      this.#counts.set(ownText(source), types);
    }
    const count = types.get(type) ?? 0;
    if (count === 0) this.#budget.hold(entryBytes(""), 0);
    types.set(type, count + 1);
  }

  #samplesOf({ source }: HealthValue): SourceSamples {
    const known = this.#samples.get(source);
    if (known !== undefined) return known;
    this.#budget.hold(2 * entryBytes(source), 0);
    const samples = new SourceSamples(this.#budget);
    this.#samples.set(source, samples);
    return samples;
  }
}

/** The times of a source's values by the day in UTC, until there are too many on one. */
class SourceSamples {
  readonly #budget: ReadingBudget;
  /** Times by digest, so that equal values count once. Null for a sensor. */
  #days: Map<number, Map<number, number>> | null = new Map();
  #held = 0;

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
  }

  add(time: number, digest: number): void {
    if (this.#days === null) return;
    const number = Math.floor(time / DAY_MS);
    const day = this.#days.getOrInsertComputed(number, () => {
      this.#hold(entryBytes(""));
      return new Map();
    });
    if (day.has(digest)) return;
    this.#hold(SAMPLE_BYTES);
    day.set(digest, time);
    if (day.size <= MAX_MEASURED) return;
    this.#days = null;
    this.#budget.release(this.#held);
  }

  /** True if more than 50 values begin within 24 hours. */
  isSensor(): boolean {
    if (this.#days === null) return true;
    const times = [...this.#days.values()].flatMap((day) => [...day.values()])
      .toSorted((one, other) => one - other);
    return times.some((time, index) => {
      const earlier = times[index - MAX_MEASURED];
      return earlier !== undefined && time - earlier < DAY_MS;
    });
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    this.#budget.hold(bytes, 0);
  }
}
