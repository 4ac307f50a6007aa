/**
 * Local times: instants with the clock by which a person states them. A clock is an offset from
 * UTC, with or without an IANA zone: `+09:00[Asia/Tokyo]`. Requests state it by RFC 3339, or by RFC
 * 9557 with one zone in brackets; answers have `2025-11-01T08:00:00.000+09:00[Asia/Tokyo]`.
 */

import { DAY_MS } from "../core/clock.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { instantOf, knownZone, offsetAt, ZONE_PATTERN } from "../core/zones.ts";
import { type JsonSchema, objectOf } from "./json_schema.ts";
import { formatTimestamp, isTimestamp, parseTimestamp } from "./timestamp.ts";

/** Clocks by the names of the members in the API. */
export type Clocks = Readonly<Record<string, string>>;

/** Local times by the names of the members in the API. */
export type LocalTimes = Readonly<Record<string, string>>;

export const NO_CLOCKS: Clocks = {};

const STATED = new RegExp(
  String.raw`^([^[]*?(z|[+-]\d{2}:\d{2}))(?:\[!?(${ZONE_PATTERN})\])?$`,
  "i",
);
const CLOCK = new RegExp(
  String.raw`^(?!-00:00)[+-](?:[01]\d|2[0-3]):[0-5]\d(?:\[${ZONE_PATTERN}\])?$`,
);

const OFFSET_LENGTH = "+00:00".length;
const LOCAL_LENGTH = "2025-11-01T08:00:00.000".length;
const MINUTE_MS = 60_000;

/** A local time from a client. */
export const SENT_LOCAL_TIME: JsonSchema = {
  type: "string",
  pattern: "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})" +
    `(\\[!?${ZONE_PATTERN}\\])?$`,
};

/** A local time from the service. */
export const LOCAL_TIME: JsonSchema = {
  type: "string",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}[+-]\\d{2}:\\d{2}" +
    `(\\[${ZONE_PATTERN}\\])?$`,
};

/** The member `localTimes` of an object with these owner's times. */
export function localTimesSchema(names: readonly string[]): JsonSchema {
  return objectOf(Object.fromEntries(names.map((name) => [name, LOCAL_TIME])), names);
}

export interface SplitTimes {
  /** With times in UTC. */
  readonly fields: JsonObject;
  readonly clocks: Clocks;
}

interface StatedTime {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Null if the text states an instant only: `Z` or `-00:00` without a zone. */
  readonly clock: string | null;
}

type TimeRule = "field.datetime" | "field.time_zone" | "field.time_offset";

/**
 * Reads a time of a request.
 *
 * @returns The violated rule if the form is wrong, the zone is unknown, or its offset is another.
 */
export function readStatedTime(text: string): StatedTime | TimeRule {
  const [, instant = "", offset = "", name] = STATED.exec(text) ?? [];
  const time = parseTimestamp(instant);
  if (time === null) return "field.datetime";
  const isInstant = /^(?:z|-00:00)$/i.test(offset);
  if (name === undefined) return { time, clock: isInstant ? null : offset };
  const zone = knownZone(name);
  if (zone === null) return "field.time_zone";
  const ahead = offsetAt(zone, time);
  if (!isInstant) {
    return isOffset(offset, ahead) ? { time, clock: `${offset}[${zone}]` } : "field.time_offset";
  }
  const clock = clockOf(zone, time);
  return clock === null ? "field.datetime" : { time, clock };
}

/** Both of the nearest minutes, if an offset has seconds. */
function isOffset(text: string, ahead: number): boolean {
  const difference = Math.abs(offsetOf(text) - ahead);
  return ahead % MINUTE_MS === 0 ? difference === 0 : difference < MINUTE_MS;
}

/**
 * The clock of a known zone at an instant; seconds of its offset are cut off.
 *
 * @returns Null if the local time is outside the years 0001 to 9999.
 */
export function clockOf(zone: string, time: number): string | null {
  const minutes = Math.trunc(offsetAt(zone, time) / MINUTE_MS);
  if (!isTimestamp(time + minutes * MINUTE_MS)) return null;
  return `${offsetText(minutes)}[${zone}]`;
}

/** As `+09:00`, from minutes between -1439 and 1439. */
export function offsetText(minutes: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The offset of a clock, in milliseconds. */
export function offsetOf(clock: string): number {
  const minutes = Number(clock.slice(1, 3)) * 60 + Number(clock.slice(4, OFFSET_LENGTH));
  return (clock.startsWith("-") ? -1 : 1) * minutes * MINUTE_MS;
}

/** The zone of a clock; null without one, or if this runtime does not know it. */
export function knownZoneOf(clock: string | null): string | null {
  return clock === null ? null : knownZone(clock.slice(OFFSET_LENGTH + 1, -1));
}

/** True for a text in the form of a stored clock, whether or not its zone is known. */
export function isClock(text: string): boolean {
  return CLOCK.test(text);
}

/** The time as its clock shows it; without a clock in UTC. */
export function localTimeText(time: number, clock: string | null): string {
  if (clock === null) return formatTimestamp(time);
  return formatTimestamp(time + offsetOf(clock)).slice(0, LOCAL_LENGTH) + clock;
}

/** The instant of a text of {@linkcode localTimeText}, or of a time of a request; or null. */
export function instantOfText(text: string): number | null {
  return parseTimestamp(STATED.exec(text)?.[1] ?? "");
}

/**
 * A number of days later: at the same local time if the zone is known, else after 24 hours each.
 *
 * @param text From {@linkcode localTimeText}.
 * @returns Null outside the years 0001 to 9999.
 */
export function daysAfter(text: string, days: number): string | null {
  const time = instantOfText(text);
  if (time === null) return null;
  const clock = clockOfText(text);
  const zone = knownZoneOf(clock);
  return clock === null || zone === null
    ? writtenTime(time + days * DAY_MS, clock)
    : localTimeIn(zone, time + offsetOf(clock) + days * DAY_MS);
}

/**
 * The first time at which the clocks of a known zone show a local time; a skipped one moves forward
 * by the gap.
 *
 * @param local The milliseconds of the local time, as if it were UTC.
 * @returns As {@linkcode localTimeText}; null outside the years 0001 to 9999.
 */
export function localTimeIn(zone: string, local: number): string | null {
  const first = instantOf(zone, local);
  const clock = clockOf(zone, first);
  if (clock === null) return null;
  // Seconds of the offset are cut off, and the digits stay, unless the zone changes in between.
  const cut = first + offsetAt(zone, first) - offsetOf(clock);
  return writtenTime(clockOf(zone, cut) === clock ? cut : first, clock);
}

function writtenTime(time: number, clock: string | null): string | null {
  const local = clock === null ? time : time + offsetOf(clock);
  return isTimestamp(time) && isTimestamp(local) ? localTimeText(time, clock) : null;
}

/** The clock of a text of {@linkcode localTimeText}; null without one. */
function clockOfText(text: string): string | null {
  const clock = text.slice(LOCAL_LENGTH);
  return clock === "Z" ? null : clock;
}

/** A valid time of a request in the form of {@linkcode localTimeText}; anything else unchanged. */
export function normaliseLocalTime(text: string): string {
  const stated = readStatedTime(text);
  return typeof stated === "string" ? text : localTimeText(stated.time, stated.clock);
}

/**
 * Splits texts of {@linkcode localTimeText} into times in UTC and clocks. Other values stay as
 * they are.
 *
 * @param names The owner's times among the fields.
 */
export function splitLocalTimes(names: readonly string[], fields: JsonObject): SplitTimes {
  const times: JsonObject = {};
  const clocks: Record<string, string> = {};
  for (const name of names) {
    const text = fields[name];
    const time = typeof text === "string" ? instantOfText(text) : null;
    if (typeof text !== "string" || time === null) continue;
    times[name] = formatTimestamp(time);
    const clock = clockOfText(text);
    if (clock !== null) clocks[name] = clock;
  }
  return { fields: { ...fields, ...times }, clocks };
}

/** The opposite of {@linkcode splitLocalTimes}. */
export function joinLocalTimes(fields: JsonObject, clocks: Clocks): JsonObject {
  return { ...fields, ...localTimesOf(fields, clocks) };
}

/** The member `localTimes` of an object whose other members are `fields`, with times in UTC. */
export function localTimesOf(
  fields: Readonly<Record<string, unknown>>,
  clocks: Clocks,
): LocalTimes {
  return Object.fromEntries(
    Object.entries(clocks).flatMap(([name, clock]) => {
      const time = parseTimestamp(String(fields[name]));
      return time === null ? [] : [[name, localTimeText(time, clock)]];
    }),
  );
}

/**
 * The times of a change that keep their stored clock. A client often returns the time in UTC that
 * it has read: `Z` with the stored instant. Any other text states the clock.
 *
 * @param names The owner's times among the fields.
 * @param stored With texts of {@linkcode localTimeText}.
 */
export function keptTimes(
  names: readonly string[],
  sent: JsonObject,
  stored: JsonObject,
): readonly string[] {
  return names.filter((name) => isInstantOf(sent[name], stored[name]));
}

function isInstantOf(sent: JsonValue | undefined, stored: JsonValue | undefined): boolean {
  if (typeof sent !== "string" || typeof stored !== "string" || !/z$/i.test(sent)) return false;
  const time = parseTimestamp(sent);
  return time !== null && time === instantOfText(stored);
}

/** The text of a column `clocks`; null without any. Equal clocks have equal texts. */
export function serialiseClocks(clocks: Clocks): string | null {
  const names = Object.keys(clocks).toSorted();
  if (names.length === 0) return null;
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, clocks[name]])));
}

/** Reads a column `clocks`. */
export function parseClocks(text: string | null): Clocks {
  return text === null ? NO_CLOCKS : JSON.parse(text);
}
