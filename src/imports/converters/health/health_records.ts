/** The second pass over an export: its values become records. */

import { entryBytes, type ReadingBudget } from "../../reading_budget.ts";
import type { Converted, SourceItem } from "../converter.ts";
import { HealthDays } from "./health_days.ts";
import type { HealthElement } from "./health_elements.ts";
import { dayItem, valueItem } from "./health_items.ts";
import type { HealthMapping } from "./health_mapping.ts";
import type { HealthFacts } from "./health_facts.ts";
import type { HealthValue, ValueReader } from "./health_values.ts";
import { LocalDays, writtenOffset } from "./health_zones.ts";
import type { RepeatedValues } from "./repeated_values.ts";

interface RecordParts {
  readonly mapping: HealthMapping;
  readonly values: ValueReader;
  readonly repeated: RepeatedValues;
  readonly facts: HealthFacts;
  readonly budget: ReadingBudget;
}

export class HealthRecords {
  readonly #parts: RecordParts;
  /** The zone of values that state none; null for their offsets. */
  readonly #zone: string | null;
  readonly #sensors: ReadonlySet<string>;
  readonly #localDays = new LocalDays();
  readonly #days: HealthDays;
  /** Values and elements that do not come in. */
  readonly #counts = new Map<string, number>();

  constructor(parts: RecordParts) {
    this.#parts = parts;
    this.#zone = parts.mapping.timeZone ?? parts.facts.commonZone;
    this.#sensors = parts.facts.sensors();
    this.#days = new HealthDays(parts.budget);
  }

  /** Returns the record of a single value; null if the element is counted or added to a day. */
  add(element: HealthElement): SourceItem | null {
    const { mapping, values, repeated } = this.#parts;
    const value = values.read(element);
    if (typeof value === "string") return element.isInner ? null : this.#count(value);
    if (repeated.isRepeated(value)) return null;
    const zone = value.zone ?? this.#zone ?? writtenOffset(value.startDate);
    const isEach = this.#isEach(value);
    const isNight = !isEach && value.kind.dayRule === "night";
    const day = isNight
      ? this.#localDays.nightOf(zone, value.start)
      : this.#localDays.dayOf(zone, value.start);
    if (day < mapping.from || day > mapping.until) return this.#count("health.outside");
    if (isEach) return valueItem(value, zone);
    this.#days.add(value, day, zone);
    return null;
  }

  /** The records of days, and the counts. */
  async *end(): AsyncGenerator<Converted> {
    const ranks = new Map(this.#parts.mapping.sources.map((name, index) => [name, index]));
    const leaveOut = (count: number) => void this.#count("health.other_source", count);
    for await (const { day, totals } of this.#days.chosen(ranks, leaveOut)) {
      yield { kind: "item", item: dayItem(day, totals) };
    }
    for (const [name, count] of this.#counts) {
      yield { kind: "unmapped", name, count };
    }
  }

  #isEach({ kind, source }: HealthValue): boolean {
    return kind.record === "EACH" && !(kind.hasSensors && this.#sensors.has(source));
  }

  #count(name: string, by = 1): null {
    const count = this.#counts.get(name);
    if (count === undefined) this.#parts.budget.hold(entryBytes(name), 0);
    this.#counts.set(name, (count ?? 0) + by);
    return null;
  }
}
