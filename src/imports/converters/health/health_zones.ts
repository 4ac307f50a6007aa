/** Local days of instants. A zone is a known IANA name, or an offset such as `+02:00`. */

import { DAY_MS } from "../../../core/clock.ts";
import { changesBetween, instantOf, isZoneName, offsetAt } from "../../../core/zones.ts";
import { offsetOf } from "../../../validate/local_time.ts";
import { formatTimestamp, isTimestamp } from "../../../validate/timestamp.ts";
import { zonedTime } from "../dates.ts";

const HALF_DAY_MS = DAY_MS / 2;
const MINUTE_MS = 60_000;
/** A night begins this long before midnight. */
const EVENING_MS = 6 * 60 * MINUTE_MS;
/** Days of all zones in the cache. */
const MAX_CACHED = 20_000;

/** Days are counted since 1970-01-01. */
export class LocalDays {
  /** Offsets by the day in UTC; null for a day on which the offset changes. */
  readonly #offsets = new Map<string, Map<number, number | null>>();
  #cached = 0;

  /** The day that a clock of the zone shows. */
  dayOf(zone: string, time: number): number {
    return Math.floor((time + this.#offsetAt(zone, time)) / DAY_MS);
  }

  /** The day whose night an instant belongs to: from 18:00 of the day before until 18:00. */
  nightOf(zone: string, time: number): number {
    return Math.floor((time + this.#offsetAt(zone, time) + EVENING_MS) / DAY_MS);
  }

  /** In milliseconds, without the seconds that offsets had before standard time. */
  #offsetAt(zone: string, time: number): number {
    if (!isZoneName(zone)) return offsetOf(zone);
    const day = Math.floor(time / DAY_MS);
    const cached = this.#offsets.get(zone)?.get(day);
    return cached ?? (cached === null ? cutOffset(zone, time) : this.#addDay(zone, day, time));
  }

  #addDay(zone: string, day: number, time: number): number {
    if (++this.#cached > MAX_CACHED) {
      this.#offsets.clear();
      this.#cached = 1;
    }
    const offset = cutOffset(zone, time);
    const days = this.#offsets.getOrInsertComputed(zone, () => new Map());
    const changes = changesBetween(zone, day * DAY_MS, (day + 1) * DAY_MS);
    days.set(day, changes.length === 0 ? offset : null);
    return offset;
  }
}

function cutOffset(zone: string, time: number): number {
  return Math.trunc(offsetAt(zone, time) / MINUTE_MS) * MINUTE_MS;
}

/** The instant of 12:00. */
export function noonOf(zone: string, day: number): number {
  const local = day * DAY_MS + HALF_DAY_MS;
  return isZoneName(zone) ? instantOf(zone, local) : local - offsetOf(zone);
}

/** The time as a clock of the zone shows it. */
export function timeText(zone: string, time: number): string {
  return zonedTime(zone, time) ?? formatTimestamp(time);
}

/** `YYYY-MM-DD`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, -"T00:00:00.000Z".length);
}

/** The day of `YYYY-MM-DD`; null for any other text, and for a day that does not exist. */
export function readDayText(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return isTimestamp(time) && dayText(time / DAY_MS) === text ? time / DAY_MS : null;
}

const ZERO = 0x30;

/** The number of digits at a position; NaN for other characters. */
function digitsAt(text: string, from: number, count: number): number {
  let number = 0;
  for (let at = from; at < from + count; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return NaN;
    number = number * 10 + digit;
  }
  return number;
}

const WRITTEN_LENGTH = "2016-11-14 07:25:41 -0700".length;
const SIGN_AT = "2016-11-14 07:25:41 ".length;
const PLUS = 0x2b;
const MINUS = 0x2d;
/** `Date.UTC` reads earlier years as those of the 20th century. */
const EARLIEST_YEAR = 100;

/**
 * Reads `2016-11-14 07:25:41 -0700`, in milliseconds since 1970; null for any other form. A large
 * file has millions of times, so no expression is used.
 */
export function readWrittenTime(text: string): number | null {
  const sign = text.charCodeAt(SIGN_AT);
  const isForm = text.length === WRITTEN_LENGTH && (sign === PLUS || sign === MINUS) &&
    text[4] === "-" && text[7] === "-" && text[10] === " " && text[13] === ":" &&
    text[16] === ":" && text[19] === " ";
  if (!isForm) return null;
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 5, 2);
  const day = digitsAt(text, 8, 2);
  const hour = digitsAt(text, 11, 2);
  const minute = digitsAt(text, 14, 2);
  const second = digitsAt(text, 17, 2);
  const aheadHours = digitsAt(text, SIGN_AT + 1, 2);
  const aheadMinutes = digitsAt(text, SIGN_AT + 3, 2);
  const isClock = hour < 24 && minute < 60 && second < 60 && aheadHours < 24 && aheadMinutes < 60;
  const isDate = year >= EARLIEST_YEAR && month >= 1 && month <= 12 && day >= 1;
  if (!isClock || !isDate) return null;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  // A day that does not exist is one of the next month.
  if (day > 28 && new Date(local).getUTCDate() !== day) return null;
  const ahead = (aheadHours * 60 + aheadMinutes) * MINUTE_MS;
  const time = sign === MINUS ? local + ahead : local - ahead;
  return isTimestamp(time) ? time : null;
}

/** The offset of a time of {@linkcode readWrittenTime}, as `+02:00`. */
export function writtenOffset(text: string): string {
  const offset = `${text.slice(SIGN_AT, SIGN_AT + 3)}:${text.slice(SIGN_AT + 3)}`;
  return offset === "-00:00" ? "+00:00" : offset;
}
