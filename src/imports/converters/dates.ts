/** Dates as people and programs write them. */

import { parseTimestamp } from "../../validate/timestamp.ts";
import { localTimestamp } from "./zones.ts";

/** The order of day, month and year. */
export type DateForm = "ISO" | "DMY" | "MDY";

const TIME = String
  .raw`(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?`;
const FORMS: Readonly<Record<DateForm, RegExp>> = {
  ISO: new RegExp(String.raw`^(\d{4})-(\d{1,2})-(\d{1,2})${TIME}$`, "i"),
  DMY: new RegExp(String.raw`^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})${TIME}$`, "i"),
  MDY: new RegExp(String.raw`^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})${TIME}$`, "i"),
};

/**
 * A timestamp of RFC 3339 for a written date. A date without a time means midnight; the zone applies if it has
 * no offset.
 *
 * @returns null for anything else.
 */
export function readDate(text: string, form: DateForm, zone: string): string | null {
  const match = FORMS[form].exec(text.trim());
  if (match === null) return null;
  const numbers = form === "ISO" ? match.slice(1, 4) : [match[1], match[3], match[4]];
  const [first = 0, second = 0, third = 0] = numbers.map(Number);
  const [year, month, day] = {
    ISO: [first, second, third],
    DMY: [third, second, first],
    MDY: [third, first, second],
  }[form] as [number, number, number];
  const [hour = "0", minute = "0", seconds = "0", fraction = "", offset] = match.slice(-5);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(seconds) > 59) return null;
  if (offset === undefined) {
    const time = ((Number(hour) * 60 + Number(minute)) * 60 + Number(seconds)) * 1000 +
      Number(fraction.padEnd(3, "0").slice(0, 3));
    return localTimestamp(zone, { year, month, day, time });
  }
  const pad = (value: number | string, length: number) => String(value).padStart(length, "0");
  const written = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${pad(hour, 2)}:${minute}:` +
    `${pad(seconds, 2)}${fraction === "" ? "" : `.${fraction}`}` +
    offset.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
  return parseTimestamp(written) === null ? null : written;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Midnight of a day `YYYY-MM-DD` in a zone, as a timestamp; null for anything else. */
export function readDay(text: string, zone: string): string | null {
  const match = DAY.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  return localTimestamp(zone, { year, month, day, time: 0 });
}
