/** Times and points in the forms of all kinds of timelines. */

import { isJsonObject, type JsonValue } from "../../../core/json.ts";
import {
  localTimeText,
  offsetOf,
  offsetText,
  readStatedTime,
} from "../../../validate/local_time.ts";
import { isTimestamp } from "../../../validate/timestamp.ts";

const MINUTE_MS = 60_000;
const MAX_OFFSET_MINUTES = 1439;

export interface Moment {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The difference from UTC in minutes; null if the source states an instant only. */
  readonly offset: number | null;
}

/** As Ruby and `strftime` write it: `2025-03-24 20:07:24 +0100`. */
const SPACED =
  /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?) ?(?:(UTC)|([+-]\d{2}):?(\d{2}))$/;
/** More digits are milliseconds. */
const MAX_SECONDS_DIGITS = 11;

/**
 * Reads RFC 3339, its form with blanks, or digits of seconds or milliseconds since 1970.
 *
 * @param minutes The offset of the place. The offset in the text of a phone's export is that of
 * the phone at the time of the export.
 */
export function readMoment(
  value: JsonValue | undefined,
  minutes?: JsonValue,
): Moment | null {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return null;
  const stated = /^\d{1,16}$/.test(text) ? readDigits(text) : readText(text);
  if (stated === null || !isOffset(minutes)) return stated;
  return isTimestamp(stated.time + minutes * MINUTE_MS) ? { ...stated, offset: minutes } : stated;
}

function isOffset(minutes: JsonValue | undefined): minutes is number {
  return Number.isInteger(minutes) && Math.abs(Number(minutes)) <= MAX_OFFSET_MINUTES;
}

function readDigits(digits: string): Moment | null {
  const time = Number(digits) * (digits.length <= MAX_SECONDS_DIGITS ? 1000 : 1);
  return isTimestamp(time) ? { time, offset: null } : null;
}

function readText(text: string): Moment | null {
  const [, date, clock, utc, hours, rest] = SPACED.exec(text) ?? [];
  const offset = utc === undefined ? `${hours}:${rest}` : "Z";
  const stated = readStatedTime(date === undefined ? text : `${date}T${clock}${offset}`);
  if (typeof stated === "string") return null;
  return {
    time: stated.time,
    offset: stated.clock === null ? null : offsetOf(stated.clock) / MINUTE_MS,
  };
}

export function momentText({ time, offset }: Moment): string {
  return localTimeText(time, offset === null ? null : offsetText(offset));
}

/** In degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,20})?(?:e-?\d{1,2})?$/i;
const MAX_POINT_LENGTH = 100;
const E7 = 10_000_000;
/** Larger values of E7 were negative and were written without their sign, in 32 bits. */
const MAX_E7 = 1_800_000_000;
const WRAPPED = 2 ** 32;

/** Reads `geo:27.72,-97.34`, `48.8566°, 2.3522°`, or an object with either or with E7 members. */
export function readPoint(value: JsonValue | undefined): Point | null {
  if (typeof value === "string") return readPointText(value);
  if (!isJsonObject(value)) return null;
  const { latLng, latitudeE7, longitudeE7 } = value;
  if (typeof latLng === "string") return readPointText(latLng);
  return pointOf(degreesOfE7(latitudeE7), degreesOfE7(longitudeE7));
}

function readPointText(text: string): Point | null {
  if (text.length > MAX_POINT_LENGTH) return null;
  const [written = ""] = text.trim().replace(/^geo:/i, "").split(";");
  const parts = written.split(",").map((part) => part.replace("°", "").trim());
  const [latitude = "", longitude = ""] = parts;
  if (parts.length !== 2 || !parts.every((part) => DEGREES.test(part))) return null;
  return pointOf(Number(latitude), Number(longitude));
}

function degreesOfE7(value: JsonValue | undefined): number {
  const isDigits = typeof value === "string" && /^-?\d{1,10}$/.test(value);
  const number = isDigits ? Number(value) : value;
  if (typeof number !== "number") return NaN;
  return (number > MAX_E7 ? number - WRAPPED : number) / E7;
}

/** Null outside the ranges of latitudes and longitudes. */
function pointOf(latitude: number, longitude: number): Point | null {
  const isPoint = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPoint ? { latitude, longitude } : null;
}

/** Both coordinates with four decimals, which is about eleven metres. */
export function pointText({ latitude, longitude }: Point, mark = ", "): string {
  const [one, other] = [latitude, longitude].map((degrees) =>
    degrees.toFixed(4).replace(/^-(?=0\.0000$)/, "")
  );
  return `${one}${mark}${other}`;
}
