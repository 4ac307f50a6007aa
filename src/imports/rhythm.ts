/** Dates of things that repeat. */

import { DAY_MS } from "../core/clock.ts";
import { isTimestamp, startOfDay } from "../validate/timestamp.ts";

export interface Rhythm {
  /** The first date, as `2020-01-31`. */
  readonly first: string;
  readonly unit: "week" | "month" | "year";
  /** Weeks, months or years from one date to the next. */
  readonly every: number;
}

/**
 * The first date of a rhythm that is not before today, in milliseconds since 1970: midnight in UTC.
 * In a month without the day of the first date it is the last day. Null after the year 9999.
 */
export function nextDate({ first, unit, every }: Rhythm, now: Date): number | null {
  const [year = 1, month = 1, day = 1] = first.split("-").map(Number);
  const start = startOfDay(year, month, day);
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  if (start >= today) return start;
  const weeks = every * 7 * DAY_MS;
  const months = unit === "year" ? every * 12 : every;
  const passed = (now.getUTCFullYear() - year) * 12 + now.getUTCMonth() + 1 - month;
  const dateAfter = (times: number) =>
    unit === "week" ? start + times * weeks : dayOfMonth(year, month + times * months, day);
  const times = Math.floor(unit === "week" ? (today - start) / weeks : passed / months);
  const next = [dateAfter(times), dateAfter(times + 1)].find((date) => date >= today) ?? NaN;
  return isTimestamp(next) ? next : null;
}

/** @param month May be after the year. */
function dayOfMonth(year: number, month: number, day: number): number {
  return Math.min(startOfDay(year, month, day), startOfDay(year, month + 1, 0));
}
