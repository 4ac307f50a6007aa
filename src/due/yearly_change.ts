/** Changes of the clocks that every year has on the same weekday of a month. */

import { DAY_MS } from "../core/clock.ts";
import type { OffsetChange } from "../core/zones.ts";

/** Offsets and times are in milliseconds. */
export interface YearlyChange {
  /** From 0. */
  readonly month: number;
  /** From 0, Sunday. */
  readonly weekday: number;
  /** 1 for the first such weekday of the month, -1 for the last. */
  readonly nth: number;
  /** The time of day before the change. */
  readonly time: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Returns the change forward and the change back that all years have, in the order of the year.
 *
 * @returns null if a year has others, or the years differ.
 */
export function readYearlyChanges(
  changes: readonly OffsetChange[],
  years: number,
): readonly YearlyChange[] | null {
  const forward = commonChange(changes.filter(({ before, after }) => after > before), years);
  const back = commonChange(changes.filter(({ before, after }) => after < before), years);
  if (forward === null || back === null) return null;
  return [forward, back].sort((one, other) => one.month - other.month);
}

/** Null unless each year has exactly one of the changes. */
function commonChange(changes: readonly OffsetChange[], years: number): YearlyChange | null {
  const dated = changes.map(({ at, before, after }) => {
    const local = new Date(at + before);
    const day = local.getUTCDate();
    const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
    return {
      year,
      nth: Math.ceil(day / 7),
      isLast: day + 7 > new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
      rule: { month, weekday: local.getUTCDay(), time: at + before - Date.UTC(year, month, day) },
      offsets: { before, after },
    };
  });
  const [first] = dated;
  const isOneAYear = dated.length === years &&
    new Set(dated.map(({ year }) => year)).size === years;
  if (first === undefined || !isOneAYear) return null;
  const { rule, offsets, nth } = first;
  const isSame = dated.every((each) =>
    JSON.stringify([each.rule, each.offsets]) === JSON.stringify([rule, offsets])
  );
  const isLast = dated.every((each) => each.isLast);
  if (!isSame || !isLast && dated.some((each) => each.nth !== nth)) return null;
  return { ...rule, ...offsets, nth: isLast ? -1 : nth };
}

/** Returns the local time of a change in a year, as if it were UTC. */
export function momentIn(year: number, { month, weekday, nth, time }: YearlyChange): number {
  const isLast = nth < 0;
  const edge = new Date(Date.UTC(year, isLast ? month + 1 : month, isLast ? 0 : 1));
  const days = isLast
    ? -((edge.getUTCDay() - weekday + 7) % 7)
    : (weekday - edge.getUTCDay() + 7) % 7 + 7 * (nth - 1);
  return edge.getTime() + days * DAY_MS + time;
}
