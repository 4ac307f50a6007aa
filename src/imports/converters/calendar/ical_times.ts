/** Dates, times and durations of calendars (RFC 5545, 3.3.4 to 3.3.6). */

import { DAY_MS } from "../../../core/clock.ts";
import { daysAfter, instantOfText } from "../../../validate/local_time.ts";
import { formatTimestamp, isTimestamp } from "../../../validate/timestamp.ts";
import { readDated, zonedTime } from "../dates.ts";
import { type CalendarLine, parameterOf } from "./ical_lines.ts";
import type { CalendarZones } from "./ical_zones.ts";

export interface CalendarTime {
  /** As its clock shows it; of a day its midnight. */
  readonly text: string;
  /** True for a date, whose end is the day after the last one. */
  readonly isDate: boolean;
  /** The zone of the text; null for an instant. */
  readonly zone: string | null;
  /** The time of day in an unknown zone, as `10:00 (Mars)`; only the day counts then. */
  readonly unknown: string | null;
  /** True if no zone is stated. */
  readonly isFloating: boolean;
}

const TIME = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2}):?(\d{2})?(?:\.\d{1,9})?(Z)?)?$/i;

/** Null for a value that is not a date or time. */
export function readTime(line: CalendarLine, zones: CalendarZones): CalendarTime | null {
  const parts = TIME.exec(line.value.trim());
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second = "00", utc] = parts;
  const id = parameterOf(line, "TZID");
  const stated = id === null ? null : zones.find(id);
  const { floating } = zones;
  const date = `${year}-${month}-${day}`;
  const time = `${hour}:${minute}:${second === "60" ? "59" : second}`;
  // Some programs state VALUE=DATE before times, and midnights as times of dates.
  const isMidnight = time === "00:00:00" && parameterOf(line, "VALUE")?.toUpperCase() === "DATE";
  const isDate = hour === undefined || isMidnight;
  const isUnknown = !isDate && utc === undefined && id !== null && stated === null;
  const zone = stated ?? (utc === undefined || isDate ? floating.zone : null);
  const isDay = isDate || isUnknown;
  const text = textIn(isDay ? date : `${date}T${time}${utc === undefined ? "" : "Z"}`, zone);
  if (text === null) return null;
  return {
    text,
    isDate,
    zone,
    unknown: isUnknown ? `${hour}:${minute} (${id})` : null,
    isFloating: !isDate && utc === undefined && id === null,
  };
}

/** @param zone Null for an instant. */
function textIn(written: string, zone: string | null): string | null {
  const text = readDated(written, "ISO", zone ?? "")?.text ?? null;
  if (text === null || zone === null || !text.endsWith("Z")) return text;
  return zonedTime(zone, instantOf(text)) ?? text;
}

/** Milliseconds since 1970. */
export function instantOf(text: string): number {
  return instantOfText(text) ?? NaN;
}

export interface Duration {
  readonly days: number;
  readonly milliseconds: number;
}

const DURATION =
  /^([+-])?P(?=\w)(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i;

/** Null for a value that is not a duration. */
export function readDuration(value: string): Duration | null {
  const parts = DURATION.exec(value.trim());
  if (parts === null) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(2)
    .map((part) => Number(part ?? 0));
  const sign = parts[1] === "-" ? -1 : 1;
  return {
    days: sign * (7 * weeks + days),
    milliseconds: sign * 1000 * (3600 * hours + 60 * minutes + seconds),
  };
}

/**
 * The time after a duration: days are those of the calendar, hours have 60 minutes (RFC 5545,
 * 3.3.6). Null outside the years 0001 to 9999.
 */
export function timeAfter(time: CalendarTime, duration: Duration): CalendarTime | null {
  const { milliseconds } = duration;
  const whole = time.isDate ? Math.trunc(milliseconds / DAY_MS) : 0;
  const later = daysAfter(time.text, duration.days + whole);
  if (later === null || time.isDate || milliseconds === 0) {
    return later === null ? null : { ...time, text: later };
  }
  const moment = instantOf(later) + milliseconds;
  if (!isTimestamp(moment)) return null;
  const text = time.zone === null ? formatTimestamp(moment) : zonedTime(time.zone, moment);
  return text === null ? null : { ...time, text };
}
