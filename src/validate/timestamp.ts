/** RFC 3339 with any offset in requests, UTC with milliseconds in responses. */

import { DAY_MS } from "../core/clock.ts";

const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

const MILLISECONDS_A_MINUTE = 60_000;

/** `0001-01-01T00:00:00.000Z` in milliseconds since 1970. */
export const EARLIEST_TIMESTAMP = -62_135_596_800_000;

/** `9999-12-31T23:59:59.999Z` in milliseconds since 1970. */
export const LATEST_TIMESTAMP = 253_402_300_799_999;

/** The Gregorian calendar repeats after 146,097 days. */
const CALENDAR_CYCLE_YEARS = 400;
const CALENDAR_CYCLE_MILLISECONDS = 146_097 * DAY_MS;

/**
 * RFC 3339, years 0001 to 9999, in its own offset and in UTC. Fraction digits beyond milliseconds
 * are cut off. Leap seconds, hour 24, dates that do not exist, and dates without a time or an
 * offset are rejected.
 *
 * @returns Milliseconds since 1970, or null.
 */
export function parseTimestamp(text: string): number | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = "", sign, offsetHour, offsetMinute] =
    match;
  if (!isCalendarDate(Number(year), Number(month), Number(day))) return null;
  if (!isClockTime(Number(hour), Number(minute)) || Number(second) > 59) return null;
  if (sign !== undefined && !isClockTime(Number(offsetHour), Number(offsetMinute))) return null;

  const local = startOfDay(Number(year), Number(month), Number(day)) +
    (Number(hour) * 60 + Number(minute)) * MILLISECONDS_A_MINUTE +
    Number(second) * 1000 +
    Number(fraction.padEnd(3, "0").slice(0, 3));
  const ahead = sign === undefined ? 0 : Number(offsetHour) * 60 + Number(offsetMinute);
  const offsetMinutes = sign === "-" ? 0 - ahead : ahead;
  const time = local - offsetMinutes * MILLISECONDS_A_MINUTE;
  return isTimestamp(time) ? time : null;
}

/**
 * `YYYY-MM-DDTHH:MM:SS.mmmZ`.
 *
 * @param milliseconds Since 1970, within the years 0001 to 9999.
 * @throws {RangeError} Outside those years, or for a fraction of a millisecond.
 */
export function formatTimestamp(milliseconds: number): string {
  if (!isTimestamp(milliseconds)) {
    throw new RangeError("A timestamp must be whole milliseconds of the years 0001 to 9999");
  }
  return new Date(milliseconds).toISOString();
}

/** True for an integer within the years 0001 to 9999. */
export function isTimestamp(milliseconds: number): boolean {
  return Number.isInteger(milliseconds) &&
    milliseconds >= EARLIEST_TIMESTAMP && milliseconds <= LATEST_TIMESTAMP;
}

function isCalendarDate(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function isClockTime(hour: number, minute: number): boolean {
  return hour <= 23 && minute <= 59;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/**
 * Midnight, in milliseconds since 1970 without offset. A month or day out of range overflows into
 * the adjacent years and months.
 */
export function startOfDay(year: number, month: number, day: number): number {
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999, so the day is computed one cycle later.
  return Date.UTC(year + CALENDAR_CYCLE_YEARS, month - 1, day) - CALENDAR_CYCLE_MILLISECONDS;
}
