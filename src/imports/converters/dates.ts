/**
 * Written dates and times with the clocks of their zones. A zone of a source is an IANA name, or an
 * offset such as `+02:00`.
 */

import { DAY_MS } from "../../core/clock.ts";
import { knownZone } from "../../core/zones.ts";
import {
  clockOf,
  instantOfText,
  isClock,
  localTimeIn,
  localTimeText,
  offsetOf,
  readStatedTime,
} from "../../validate/local_time.ts";
import { formatTimestamp, isTimestamp, parseTimestamp } from "../../validate/timestamp.ts";
import { type Schema, stringMatching } from "../../validate/schema.ts";

/** The form of dates in a mapping; `ISO` if it has none. */
export type DateForm = "ISO" | "DMY" | "MDY" | "EXCEL";

export interface WrittenDate {
  /** The time as its clock shows it; of a day its midnight. */
  readonly text: string;
  /** True for a date without a time. */
  readonly isDay: boolean;
}

/** The zone of a file whose mapping names none. */
export const DEFAULT_ZONE = "+00:00";

/** Maximum characters of a date. */
const MAX_LENGTH = 150;

const MONTHS: ReadonlyMap<string, number> = new Map([
  "january januar jan jänner jän",
  "february februar feb",
  "march märz maerz mar mär mrz",
  "april apr",
  "may mai",
  "june juni jun",
  "july juli jul",
  "august aug",
  "september sept sep",
  "october oktober oct okt",
  "november nov",
  "december dezember dec dez",
].flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)));

const WEEKDAYS = [
  "monday|mon|tuesday|tues|tue|wednesday|wed|thursday|thurs|thur|thu|friday|fri|saturday|sat",
  "sunday|sun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag",
  "mo|tu|we|th|fr|sa|su|di|mi|do|so",
].join("|");
const OFFSET = String.raw`(?<offset>z|(?:utc|gmt)(?:[+-]\d{1,2})?|[+-]\d{2}(?::?\d{2})?)` +
  String.raw`(?<zone>\[[^\]]*\])?`;
const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})` +
  String.raw`(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?: ?(?<half>[ap])m)?`;
const BEFORE = String.raw`^(?:(?:${WEEKDAYS})\.?,?[ _-])?`;
const AFTER = String.raw`(?:(?:, |[ ,_-])(?:${WEEKDAYS})\.?)?` +
  `(?:(?:t|,? | at )${TIME}(?: ?${OFFSET})?(?:,? (?:${WEEKDAYS})\\.?)?)?$`;

/** Forms that can be read in one way only. */
const DAYS = [
  String.raw`(?<year>\d{4})(?<mark>[-/._])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})`,
  String.raw`(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})`,
  String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|\.)? (?<name>\p{L}+)\.?,? (?<year>\d{4})`,
  String.raw`(?<name>\p{L}+)\.? (?<day>\d{1,2})(?:st|nd|rd|th|\.)?,? (?<year>\d{4})`,
].map(formOf);
const DOTTED = formOf(String.raw`(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})`);
const YEAR = String.raw`(?<year>\d{4}|\d{2})`;
const FORMS: Readonly<Record<DateForm, RegExp>> = {
  ISO: DOTTED,
  EXCEL: DOTTED,
  DMY: formOf(
    String.raw`(?<day>\d{1,2})(?<mark>[/.-])(?<month>\d{1,2})\k<mark>${YEAR}`,
  ),
  MDY: formOf(
    String.raw`(?<month>\d{1,2})(?<mark>[/.-])(?<day>\d{1,2})\k<mark>${YEAR}`,
  ),
};

function formOf(day: string): RegExp {
  return new RegExp(BEFORE + day + AFTER, "u");
}

/** As {@linkcode readDated}, without saying whether it is a day. */
export function readDate(text: string, form: DateForm, zone: string): string | null {
  return readDated(text, form, zone)?.text ?? null;
}

/**
 * Reads a date, with or without a time, or a number of seconds since 1970. The zone applies to a
 * date without an offset; `Z` and a number mean an instant without a clock. Forms with two meanings
 * are read only if `form` decides between them.
 *
 * @returns Null for anything else.
 */
export function readDated(text: string, form: DateForm, zone: string): WrittenDate | null {
  const plain = plainText(text);
  if (/^(?:\d{10}|\d{13}|\d{16})$/.test(plain)) {
    // Seconds, milliseconds or microseconds.
    return { text: formatTimestamp(Number(plain.padEnd(13, "0").slice(0, 13))), isDay: false };
  }
  if (form === "EXCEL" && /^\d{1,7}(?:\.\d+)?$/.test(plain)) return readDayNumber(plain, zone);
  const parts = partsOf(plain, form);
  return parts === null ? null : readParts(parts, zone);
}

/**
 * Reads a day of a form with one meaning. A time after it is ignored.
 *
 * @returns `YYYY-MM-DD`, also for a day that does not exist; null for anything else.
 */
export function readDay(text: string): string | null {
  const parts = partsOf(plainText(text), "ISO");
  return parts === null ? null : dateOf(parts);
}

/** Empty for a text that is too long. */
function plainText(text: string): string {
  const written = text.trim();
  if (written.length > MAX_LENGTH) return "";
  return written.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ");
}

type DateParts = Readonly<Record<string, string | undefined>>;

function partsOf(plain: string, form: DateForm): DateParts | null {
  for (const pattern of [FORMS[form], ...DAYS]) {
    const parts = pattern.exec(plain)?.groups;
    if (parts !== undefined) return parts;
  }
  return null;
}

/** A count of days since 1899-12-30, whose fraction is a time of day. */
function readDayNumber(digits: string, zone: string): WrittenDate | null {
  const days = Number(digits);
  const local = Date.UTC(1899, 11, 30) + Math.round(days * DAY_MS);
  if (!isTimestamp(local)) return null;
  const text = timeIn(zone, formatTimestamp(local).slice(0, -1));
  return text === null ? null : { text, isDay: Number.isInteger(days) };
}

function dateOf({ year, month, name, day }: DateParts): string {
  const number = name === undefined ? month : String(MONTHS.get(name) ?? 0);
  return [fullYear(year), two(number), two(day)].join("-");
}

function readParts(parts: DateParts, zone: string): WrittenDate | null {
  const { mark, minute, second, fraction = "", offset, zone: own } = parts;
  const hour = hourOf(parts.hour, parts.half);
  // Only the standard form states a zone in brackets.
  if (hour === null || (own !== undefined && mark !== "-")) return null;
  const date = dateOf(parts);
  const time = [hour, two(minute), two(second)].join(":");
  const local = `${date}T${time}.${fraction.padEnd(3, "0").slice(0, 3)}`;
  const text = offset === undefined
    ? timeIn(zone, local)
    : stated(local + standardOffset(offset) + (own ?? ""));
  return text === null ? null : { text, isDay: parts.hour === undefined };
}

/** The hour of a day of 24 hours; null if it contradicts its half of the day. */
function hourOf(hour: string | undefined, half: string | undefined): string | null {
  if (half === undefined) return two(hour);
  const count = Number(hour);
  if (count < 1 || count > 12) return null;
  return two(String(count % 12 + (half === "p" ? 12 : 0)));
}

/** Two digits are a year from 1969 to 2068. */
function fullYear(digits = ""): string {
  return digits.length === 4 ? digits : `${Number(digits) <= 68 ? 20 : 19}${digits}`;
}

function two(digits = "0"): string {
  return digits.padStart(2, "0");
}

/** `+0130`, `+01`, `gmt+1` and `utc` in the form `+01:30`. */
function standardOffset(offset: string): string {
  return offset.replace(
    /^(?:utc|gmt)?(?:([+-])(\d\d?)(?::?(\d\d))?)?$/,
    (_, sign = "+", hour = "0", minute = "00") => `${sign}${two(hour)}:${minute}`,
  );
}

function stated(text: string): string | null {
  const read = readStatedTime(text);
  return typeof read === "string" ? null : localTimeText(read.time, read.clock);
}

/** The first time at which the clocks of a zone show local digits; a skipped one is later. */
function timeIn(zone: string, local: string): string | null {
  const offset = offsetZone(zone);
  if (offset !== null) return stated(local + offset);
  const digits = parseTimestamp(`${local}Z`);
  const name = knownZone(zone);
  return digits === null || name === null ? null : localTimeIn(name, digits);
}

const NUMBERS_WITH_DOTS = /(?<!\d)\d{1,2}\.\d{1,2}\.\d/;

/**
 * The midnight of the day that a file is named after; null for any other name. `1.2.2023` may be a
 * version, so it is not read as a day.
 */
export function readDayName(name: string, form: DateForm, zone: string): string | null {
  const date = readDated(name, form, zone);
  return date?.isDay === true && !NUMBERS_WITH_DOTS.test(name) ? date.text : null;
}

/**
 * An instant as the clock of a zone shows it; null for an unknown zone, or a local time outside the
 * years 0001 to 9999.
 */
export function zonedTime(zone: string, time: number): string | null {
  const name = knownZone(zone);
  const clock = name === null ? offsetZone(zone) : clockOf(name, time);
  if (clock === null || !isTimestamp(time + offsetOf(clock))) return null;
  return localTimeText(time, clock);
}

/** The offset of a zone that is one, as `+02:00`; null for any other. */
export function offsetZone(zone: string): string | null {
  const [, hour, minute = "00"] = /^([+-]\d{2})(?::?(\d{2}))?$/.exec(zone) ?? [];
  const clock = `${hour}:${minute}`.replace("-00:00", "+00:00");
  return isClock(clock) ? clock : null;
}

/** The instant of a time that a clock shows, in UTC. */
export function inUtc(text: string): string {
  const time = instantOfText(text);
  if (time === null) throw new TypeError("Not a local time");
  return formatTimestamp(time);
}

export const TIME_ZONE: Schema<string> = stringMatching(
  "mapping.time_zone",
  (name) => knownZone(name) !== null || offsetZone(name) !== null,
  { type: "string", maxLength: 100 },
);
