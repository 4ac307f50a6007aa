/**
 * Units of the calendar, numbered in order; each begins with a day and ends where the next begins.
 * Days are `YYYY-MM-DD` of the years 0001 to 9999. Pure.
 */

import { DAY_MS } from "../core/clock.ts";
import { dayText } from "../core/days.ts";
import { startOfDay } from "../validate/timestamp.ts";

const FIRST_DAY = "0001-01-01";
const LAST_DAY = "9999-12-31";

export interface CalendarUnit {
  /** The number of the unit that contains a day. */
  readonly indexOf: (day: string) => number;
  /** The first day of a unit, cut to the years 0001 to 9999. */
  readonly startOf: (index: number) => string;
}

/** December belongs to the winter of the next year; a decade begins with a year that ends in 0. */
export const UNITS = {
  day: unitOfDays(1, 0),
  // The Monday before 1 January 1970 was 29 December.
  week: unitOfDays(7, 3),
  month: unitOfMonths(1, 0),
  season: unitOfMonths(3, 1),
  year: unitOfMonths(12, 0),
  decade: unitOfMonths(120, 0),
} as const satisfies Record<string, CalendarUnit>;

/** @param before Days before 1 January 1970 on which a unit begins. */
function unitOfDays(length: number, before: number): CalendarUnit {
  return {
    indexOf: (day) => Math.floor((Date.parse(day) / DAY_MS + before) / length),
    startOf: (index) => cutDay((index * length - before) * DAY_MS),
  };
}

/** @param before Months before a January at which a unit begins. */
function unitOfMonths(length: number, before: number): CalendarUnit {
  return {
    indexOf: (day) => Math.floor((monthOf(day) + before) / length),
    startOf: (index) => cutDay(startOfMonth(index * length - before)),
  };
}

/** The first day of the month whose beginning in UTC is nearest to an instant. */
export function nearestMonth(time: number): string {
  const month = monthOf(dayText(time));
  const [start, next] = [startOfMonth(month), startOfMonth(month + 1)];
  return cutDay(time - start < next - time ? start : next);
}

/** The number of a day's month; January of the year 0 is 0. */
function monthOf(day: string): number {
  const [year, month] = day.split("-").map(Number);
  return (year ?? 0) * 12 + (month ?? 1) - 1;
}

function startOfMonth(month: number): number {
  return startOfDay(0, month + 1, 1);
}

/** @param local Midnight of a day, as if it were UTC. */
function cutDay(local: number): string {
  const [first, last] = [Date.parse(FIRST_DAY), Date.parse(LAST_DAY)];
  return dayText(Math.min(Math.max(local, first), last));
}
