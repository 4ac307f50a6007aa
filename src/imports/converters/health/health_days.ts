/** Records of days and nights. Each counts one source, so that no step counts twice. */

import { entryBytes, type ReadingBudget } from "../../reading_budget.ts";
import { reportWord } from "../../words.ts";
import type { HealthKind } from "./health_types.ts";
import type { HealthValue } from "./health_values.ts";

/** Bytes of the totals of a day, and of an interval of a night. */
const TOTALS_BYTES = 450;
const INTERVAL_BYTES = 40;
/** Sums are whole numbers of millionths, so that their order does not matter. */
const MILLIONTHS = 1_000_000;

/** The values of one source on one day. */
export class DayTotals {
  readonly kind: HealthKind;
  readonly unit: string;
  count = 0;
  least = Infinity;
  greatest = -Infinity;
  /** True if a value was converted. */
  isConverted = false;
  /** The value that ends last, and its unit in the file if it was converted. */
  last = 0;
  lastEnd = -Infinity;
  lastWritten: string | null = null;
  /** The zone of the value that ends last. */
  zone = "";
  /** Null for none, or for several. */
  device: string | null = null;
  #sum = 0;
  #lastStart = -Infinity;
  #hasDevices = false;
  /** Starts and ends of sleep, in pairs. */
  readonly #intervals: number[] = [];

  constructor({ kind, unit }: HealthValue) {
    this.kind = kind;
    this.unit = unit;
  }

  add(value: HealthValue, zone: string): void {
    const { start, end, value: number, device, asWritten } = value;
    this.#addDevice(device);
    this.count++;
    this.#sum += Math.round(number * MILLIONTHS);
    this.least = Math.min(this.least, number);
    this.greatest = Math.max(this.greatest, number);
    if (asWritten !== null) this.isConverted = true;
    if (this.kind.dayRule === "night") this.#intervals.push(start, end);
    if (!this.#isLast(value, zone)) return;
    this.last = number;
    this.lastEnd = end;
    this.#lastStart = start;
    this.lastWritten = asWritten;
    this.zone = zone;
  }

  get sum(): number {
    return this.#sum / MILLIONTHS;
  }

  /** The time in which a person slept, in milliseconds: the union of the intervals. */
  get asleep(): number {
    const pairs: (readonly [number, number])[] = [];
    for (let at = 0; at < this.#intervals.length; at += 2) {
      pairs.push([this.#intervals[at] ?? 0, this.#intervals[at + 1] ?? 0]);
    }
    let total = 0;
    let until = -Infinity;
    for (const [start, end] of pairs.toSorted(([one], [other]) => one - other)) {
      total += Math.max(0, end - Math.max(start, until));
      until = Math.max(until, end);
    }
    return total;
  }

  /** By which the totals of sources are compared. */
  get size(): number {
    const { dayRule } = this.kind;
    if (dayRule === "night") return this.asleep;
    return dayRule === "sum" ? this.#sum : this.count;
  }

  /** Compares all that a record shows, so that the order of values does not matter. */
  #isLast({ start, end, value }: HealthValue, zone: string): boolean {
    if (end !== this.lastEnd) return end > this.lastEnd;
    if (start !== this.#lastStart) return start > this.#lastStart;
    return value === this.last ? zone < this.zone : value > this.last;
  }

  #addDevice(device: string | null): void {
    if (device === null || device === this.device) return;
    this.device = this.#hasDevices ? null : device;
    this.#hasDevices = true;
  }
}

interface ChosenDay {
  readonly day: number;
  readonly totals: DayTotals;
}

type SourceDays = Map<number, DayTotals>;

export class HealthDays {
  readonly #budget: ReadingBudget;
  readonly #types = new Map<string, Map<string, SourceDays>>();

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
  }

  add(value: HealthValue, day: number, zone: string): void {
    const sources = this.#types.getOrInsertComputed(value.type, () => new Map());
    const days = sources.getOrInsertComputed(value.source, () => {
      this.#budget.hold(entryBytes(""), 0);
      return new Map();
    });
    const totals = days.getOrInsertComputed(day, () => {
      this.#budget.hold(TOTALS_BYTES, 0);
      return new DayTotals(value);
    });
    if (value.kind.dayRule === "night") this.#budget.hold(INTERVAL_BYTES, 0);
    totals.add(value, zone);
  }

  /**
   * Chooses a source for each day of each type: the first that the owner prefers, else the one with
   * the largest sum or the most values, the first by name among equals.
   *
   * @param ranks Places of the preferred sources, as the sample shows their names.
   * @param leaveOut Called with the number of values of a source that is not chosen.
   */
  async *chosen(
    ranks: ReadonlyMap<string, number>,
    leaveOut: (count: number) => void,
  ): AsyncGenerator<ChosenDay> {
    const rankOf = (source: string) => ranks.get(reportWord(source)) ?? Infinity;
    for (const sources of this.#types.values()) {
      const chosen = new Map<number, Candidate>();
      const names = [...sources.keys()].toSorted((one, other) =>
        rankOf(one) === rankOf(other) ? (one < other ? -1 : 1) : rankOf(one) - rankOf(other)
      );
      for (const name of names) {
        await this.#budget.turn(0);
        const isPreferred = rankOf(name) < Infinity;
        for (const [day, totals] of sources.get(name) ?? []) {
          const earlier = chosen.get(day);
          const isBetter = earlier === undefined ||
            !earlier.isPreferred && totals.size > earlier.totals.size;
          if (isBetter) chosen.set(day, { totals, isPreferred });
          if (earlier !== undefined) leaveOut((isBetter ? earlier.totals : totals).count);
        }
      }
      const days = [...chosen].toSorted(([one], [another]) => one - another);
      for (const [day, { totals }] of days) yield { day, totals };
    }
  }
}

interface Candidate {
  readonly totals: DayTotals;
  readonly isPreferred: boolean;
}
