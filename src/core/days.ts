/** Calendar days, as `YYYY-MM-DD` of the years 0001 to 9999. Pure. */

import { DAY_MS } from "./clock.ts";
import { offsetAt } from "./zones.ts";

const DAY_TEXT = /^\d{4}-\d{2}-\d{2}$/;

/** True for a day of the years 0001 to 9999. */
export function isDay(text: string): boolean {
  if (!DAY_TEXT.test(text) || text.startsWith("0000")) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && dayText(time) === text;
}

/** The days from one to another; negative if the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

export function addDays(day: string, days: number): string {
  return dayText(Date.parse(day) + days * DAY_MS);
}

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

/** The day of a local time in milliseconds, as if it were UTC. */
export function dayText(local: number): string {
  return new Date(local).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** The day of an instant in a known zone. */
export function localDay(zone: string, time: number): string {
  return dayText(time + offsetAt(zone, time));
}
