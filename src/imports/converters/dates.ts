import { localTimestamp } from "./zones.ts";

/** The order of day, month and year. */
export type DateForm = "ISO" | "DMY" | "MDY";

const TIME = String.raw`(?:[T ](?<hour>\d{1,2}):(?<minute>\d{2})` +
  String.raw`(?::(?<second>\d{2})(?:\.(?<fraction>\d{1,9}))?)?(?<offset>Z|[+-]\d{2}:?\d{2})?)?`;
const FORMS: Readonly<Record<DateForm, RegExp>> = {
  ISO: new RegExp(String.raw`^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})${TIME}$`, "i"),
  DMY: new RegExp(
    String.raw`^(?<day>\d{1,2})([/.-])(?<month>\d{1,2})\2(?<year>\d{4})${TIME}$`,
    "i",
  ),
  MDY: new RegExp(
    String.raw`^(?<month>\d{1,2})([/.-])(?<day>\d{1,2})\2(?<year>\d{4})${TIME}$`,
    "i",
  ),
};

/**
 * A timestamp of RFC 3339 for a written date. A date without a time means midnight; the zone applies if it has
 * no offset.
 *
 * @returns null for anything else.
 */
export function readDate(text: string, form: DateForm, zone: string): string | null {
  const parts = FORMS[form].exec(text.trim())?.groups;
  if (parts === undefined) return null;
  const { year, month, day, hour = 0, minute = 0, second = 0, fraction = "", offset } = parts;
  const own = offset?.toUpperCase().replace("Z", "+00:00");
  return localTimestamp(own ?? zone, {
    ...{ year: Number(year), month: Number(month), day: Number(day) },
    ...{ hour: Number(hour), minute: Number(minute), second: Number(second) },
    millisecond: Number(fraction.padEnd(3, "0").slice(0, 3)),
  });
}

/** Midnight of a day `YYYY-MM-DD` in a zone, as a timestamp; null for anything else. */
export function readDay(text: string, zone: string): string | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? readDate(text, "ISO", zone) : null;
}
