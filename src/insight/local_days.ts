/** Local days: those of parameters, and of the times of records. */

import { DAY_MS } from "../core/clock.ts";
import { dayText, isDay, localDay } from "../core/days.ts";
import { changesBetween, instantOf, knownZone, offsetAt, ZONE_PATTERN } from "../core/zones.ts";
import { localTimeText } from "../validate/local_time.ts";
import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP } from "../validate/timestamp.ts";
import { type Schema, stringMatching } from "../validate/schema.ts";

export const DAY_JSON = { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" } as const;

/** A query parameter: a day of the years 0001 to 9999. */
export const DAY = stringMatching("field.date", isDay, DAY_JSON);

const ZONE_NAME = stringMatching("field.time_zone", (name) => knownZone(name) !== null, {
  type: "string",
  pattern: `^${ZONE_PATTERN}$`,
});

/** A query parameter: the name of a zone, in the letter case of the runtime's list. */
export const ZONE: Schema<string> = {
  ...ZONE_NAME,
  check(value, field, violations) {
    const name = ZONE_NAME.check(value, field, violations);
    return knownZone(name ?? "") ?? name;
  },
};

/** The first instant of a day in a zone, in milliseconds, from the year 0001 on. */
export function startOfDay(zone: string, day: string): number {
  return Math.max(instantOf(zone, Date.parse(day)), EARLIEST_TIMESTAMP);
}

/** The instants that may lie on days, by any clock or zone: up to, but not including, `to`. */
export function instantsOfDays(from: string, until: string): { from: Date; to: Date } {
  return {
    from: new Date(Math.max(Date.parse(from) - DAY_MS, EARLIEST_TIMESTAMP)),
    to: new Date(Math.min(Date.parse(until) + DAY_MS, LATEST_TIMESTAMP)),
  };
}

/** The day of an owner's time: the date of its clock; without a clock, the date in the zone. */
export function ownDay(zone: string, time: number, clock: string | null): string {
  return clock === null
    ? localDay(zone, time)
    : localTimeText(time, clock).slice(0, "YYYY-MM-DD".length);
}

/** Computes the days of many instants between two days of a zone. */
export class LocalDays {
  readonly #first: number;
  readonly #changes: readonly { readonly at: number; readonly after: number }[];
  /** Texts by the number of the day, because a text costs more than an offset. */
  readonly #texts = new Map<number, string>();

  /** @param from The first day; instants of the day before and after the range are possible too. */
  constructor(zone: string, from: string, until: string) {
    const begin = Date.parse(from) - 2 * DAY_MS;
    this.#first = offsetAt(zone, begin);
    this.#changes = changesBetween(zone, begin, Date.parse(until) + 2 * DAY_MS);
  }

  dayOf(time: number): string {
    const change = this.#changes.findLast(({ at }) => at <= time);
    const day = Math.floor((time + (change?.after ?? this.#first)) / DAY_MS);
    return this.#texts.getOrInsertComputed(day, () => dayText(day * DAY_MS));
  }
}
