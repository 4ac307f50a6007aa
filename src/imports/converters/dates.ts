/** Written dates, and local times in named time zones and at offsets such as `+01:00`. */

import { DAY_MS } from "../../core/clock.ts";
import { knownZone } from "../../core/zones.ts";
import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP } from "../../validate/timestamp.ts";
import { type Schema, stringMatching } from "../../validate/schema.ts";

type DateForm = "ISO" | "DMY" | "MDY";

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
 * Converts a written date to a timestamp of RFC 3339. A date without a time means midnight.
 * The zone applies to a date without an offset.
 *
 * @returns Null for anything else.
 */
export function readDate(text: string, form: DateForm, zone: string): string | null {
  const parts = FORMS[form].exec(text.trim())?.groups;
  if (parts === undefined) return null;
  const { year, month, day, hour = 0, minute = 0, second = 0, fraction = "", offset } = parts;
  const own = offset?.toUpperCase().replace("Z", "+00:00");
  const local = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, "0").slice(0, 3)),
  };
  try {
    const time = Temporal.PlainDateTime.from(local, { overflow: "reject" });
    return timestampOf(time.toZonedDateTime(own ?? zone));
  } catch {
    return null;
  }
}

/** Midnight of a day `YYYY-MM-DD` in a zone, as a timestamp; null for anything else. */
export function readDay(text: string, zone: string): string | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? readDate(text, "ISO", zone) : null;
}

function zoned(zone: string, moment: number): Temporal.ZonedDateTime | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
  } catch {
    return null;
  }
}

/** A timestamp with the zone's offset at that moment; null outside the years 0001 to 9999. */
export function zonedTimestamp(zone: string, moment: number): string | null {
  const time = zoned(offsetOf(zoned(zone, moment)), moment);
  return time && timestampOf(time);
}

/** A timestamp of the local time; null outside the years 0001 to 9999. */
function timestampOf(time: Temporal.ZonedDateTime): string | null {
  const shown = time.toPlainDateTime().toZonedDateTime(offsetOf(time));
  const { epochMilliseconds: moment } = shown;
  if (moment < EARLIEST_TIMESTAMP + DAY_MS || moment > LATEST_TIMESTAMP - DAY_MS) return null;
  return shown.toString({ timeZoneName: "never", fractionalSecondDigits: 3 });
}

/** The offset without seconds: zones before standard time have them, timestamps cannot. */
function offsetOf(time: Temporal.ZonedDateTime | null): string {
  return time?.offset.slice(0, "+00:00".length) ?? "";
}

export const TIME_ZONE: Schema<string> = stringMatching(
  "mapping.time_zone",
  (name) => knownZone(name) !== null,
  { type: "string", maxLength: 100 },
);
