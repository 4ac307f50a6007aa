/** Local times in named time zones. */

import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP, startOfDay } from "../../validate/timestamp.ts";

const MINUTE = 60_000;

/** A date of a calendar, and a time of day in milliseconds. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Milliseconds after midnight. */
  readonly time: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether a name is a time zone's. */
export function isTimeZone(name: string): boolean {
  return formatOf(name) !== null;
}

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
    return format;
  } catch {
    return null;
  }
}

/** Minutes between the local clock and UTC, rounded: offsets had seconds before there was a standard time. */
export function offsetAt(zone: string, moment: number): number {
  const parts = new Map(
    formatOf(zone)?.formatToParts(moment).map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name) ?? 0);
  const year = parts.get("era") === "BC" ? 1 - part("year") : part("year");
  const local = startOfDay(year, part("month"), part("day")) +
    ((part("hour") * 60 + part("minute")) * 60 + part("second")) * 1000;
  return Math.round((local - Math.floor(moment / 1000) * 1000) / MINUTE);
}

/** A moment as a timestamp with the offset that a zone has then; null outside the years 0001 to 9999. */
export function zonedTimestamp(zone: string, moment: number): string | null {
  const isEarly = moment < EARLIEST_TIMESTAMP + 86_400_000;
  if (isEarly || moment > LATEST_TIMESTAMP - 86_400_000) return null;
  const offset = offsetAt(zone, moment);
  const local = new Date(moment + offset * MINUTE).toISOString().slice(0, -1);
  return local + offsetText(offset);
}

/** A local time as a timestamp with the offset that its zone has then; null if there is no such date. */
export function localTimestamp(zone: string, local: LocalTime): string | null {
  const { year, month, day, time } = local;
  const midnight = startOfDay(year, month, day);
  const found = new Date(midnight);
  const isDate = year >= 1 && year <= 9999 && found.getUTCMonth() + 1 === month &&
    found.getUTCDate() === day;
  if (!isDate || time < 0 || time >= 86_400_000) return null;
  const clock = midnight + time;
  const guess = clock - offsetAt(zone, clock) * MINUTE;
  return zonedTimestamp(zone, clock - offsetAt(zone, guess) * MINUTE);
}

function offsetText(minutes: number): string {
  const ahead = Math.abs(minutes);
  const digits = (value: number) => String(value).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${digits(Math.floor(ahead / 60))}:${digits(ahead % 60)}`;
}
