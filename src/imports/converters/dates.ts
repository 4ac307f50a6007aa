/**
 * Written dates and times with the clocks of their zones. A zone of a source is an IANA name, or an
 * offset such as `+02:00`.
 */

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

type DateForm = "ISO" | "DMY" | "MDY";

/** The zone of a file whose mapping names none. */
export const DEFAULT_ZONE = "+00:00";

const OFFSET = String.raw`Z|[+-]\d{2}:?\d{2}| ?(?:UTC|GMT)`;
const TIME = String.raw`[T ](?<hour>\d{1,2}):(?<minute>\d{2})` +
  String.raw`(?::(?<second>\d{2})(?:\.(?<fraction>\d{1,9}))?)?`;
const FORMS: Readonly<Record<DateForm, RegExp>> = {
  ISO: formOf(
    String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})`,
    String.raw`(?:(?<offset>${OFFSET})(?<zone>\[[^\]]*\])?)?`,
  ),
  DMY: formOf(String.raw`(?<day>\d{1,2})([/.-])(?<month>\d{1,2})\2(?<year>\d{4})`),
  MDY: formOf(String.raw`(?<month>\d{1,2})([/.-])(?<day>\d{1,2})\2(?<year>\d{4})`),
};

function formOf(day: string, offset = `(?<offset>${OFFSET})?`): RegExp {
  return new RegExp(`^${day}(?:${TIME}${offset})?$`, "i");
}

/**
 * Converts a written date to the time that its clock shows. A date without a time means midnight.
 * The zone applies to a date without an offset; `Z` states an instant without a clock.
 *
 * @returns Null for anything else.
 */
export function readDate(text: string, form: DateForm, zone: string): string | null {
  const parts = FORMS[form].exec(text.trim())?.groups;
  if (parts === undefined) return null;
  const { year, month, day, hour, minute, second, fraction = "", offset, zone: own = "" } = parts;
  const date = [year, two(month), two(day)].join("-");
  const time = [two(hour), two(minute), two(second)].join(":");
  const local = `${date}T${time}.${fraction.padEnd(3, "0").slice(0, 3)}`;
  if (offset === undefined) return timeIn(zone, local);
  return stated(local + (/^ ?[ug]/i.test(offset) ? "+00:00" : withColon(offset)) + own);
}

function two(digits = "0"): string {
  return digits.padStart(2, "0");
}

function withColon(offset: string): string {
  return offset.replace(/^(...)(\d\d)$/, "$1:$2");
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

/** Midnight of a day `YYYY-MM-DD` in a zone, as its clock shows it; null for anything else. */
export function readDay(text: string, zone: string): string | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? readDate(text, "ISO", zone) : null;
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
function offsetZone(zone: string): string | null {
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
