/** The clock of this machine: its offset from UTC, and its zone if that has an IANA name. */

import { isZoneName } from "../core/zones.ts";
import { offsetText } from "../validate/local_time.ts";

const MINUTE_MS = 60_000;

/**
 * Returns a time as `2025-11-01T08:00:00.000+09:00[Asia/Tokyo]`.
 *
 * @param zone The name by `Intl`: for some machines none, an offset or `Etc/Unknown`. Do not ask
 *   `Temporal.Now`, which names UTC for them and so contradicts the offset of `Date`.
 */
export function machineTime(
  time: Date,
  zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): string {
  const minutes = -time.getTimezoneOffset();
  const local = new Date(time.getTime() + minutes * MINUTE_MS).toISOString().slice(0, -1);
  const isNamed = isZoneName(zone ?? "") && zone !== "Etc/Unknown";
  return `${local}${offsetText(minutes)}${isNamed ? `[${zone}]` : ""}`;
}

/** The same time with the offset alone. */
export function withoutZone(time: string): string {
  return time.replace(/\[.*$/, "");
}
