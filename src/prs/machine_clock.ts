/** The clock of this machine: its offset from UTC, and its zone if that has an IANA name. */

const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;
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
  const size = Math.abs(minutes);
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) =>
    String(part).padStart(2, "0")
  );
  const offset = `${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
  const isNamed = ZONE.test(zone ?? "") && zone !== "Etc/Unknown";
  return `${local}${offset}${isNamed ? `[${zone}]` : ""}`;
}

/** The same time with the offset alone. */
export function withoutZone(time: string): string {
  return time.replace(/\[.*$/, "");
}
