/** Moments of notes. */

import { formatTimestamp, isTimestamp } from "../../../validate/timestamp.ts";
import { zonedTime } from "../dates.ts";

/**
 * A moment as the clock of its zone shows it; in UTC without a known zone. Null for a number that
 * is not a moment.
 *
 * @param time Milliseconds since 1970.
 * @param zone As in `dates.ts`.
 */
export function itemTime(time: number | null, zone: string | null): string | null {
  if (time === null || !isTimestamp(time)) return null;
  return (zone === null ? null : zonedTime(zone, time)) ?? formatTimestamp(time);
}
