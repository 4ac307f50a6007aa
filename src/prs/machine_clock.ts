/** The clock of this machine: its offset from UTC, and its zone if that has an IANA name. */

import { isZoneName } from "../core/zones.ts";
import { offsetText } from "../validate/local_time.ts";

const MINUTE_MS = 60_000;

/**
 * Returns the name of this machine's zone, or null if it has none.
 *
 * @param zone The name by `Intl`: for some machines none, an offset or `Etc/Unknown`. Do not ask
 *   `Temporal.Now`, which names UTC for them and so contradicts the offset of `Date`.
 */
export function machineZone(
  zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): string | null {
  return zone !== undefined && isZoneName(zone) && zone !== "Etc/Unknown" ? zone : null;
}

/**
 * Returns a time as `2025-11-01T08:00:00.000+09:00[Asia/Tokyo]`.
 *
 * @param zone As for `machineZone`.
 */
export function machineTime(time: Date, zone?: string): string {
  const minutes = -time.getTimezoneOffset();
  const local = new Date(time.getTime() + minutes * MINUTE_MS).toISOString().slice(0, -1);
  const name = machineZone(zone);
  return `${local}${offsetText(minutes)}${name === null ? "" : `[${name}]`}`;
}

/** The same time with the offset alone. */
export function withoutZone(time: string): string {
  return time.replace(/\[.*$/, "");
}
