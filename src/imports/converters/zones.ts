/** Local times in named time zones, and at offsets such as `+01:00`. */

import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP } from "../../validate/timestamp.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Parts of a date and a time of day, such as `{ year: 2020, month: 2, day: 3, hour: 4 }`. */
export type LocalTime = Temporal.PlainDateTimeLike;

/** Whether a name is a time zone's. */
export function isTimeZone(name: string): boolean {
  return zoned(name, 0) !== null;
}

function zoned(zone: string, moment: number): Temporal.ZonedDateTime | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
  } catch {
    return null;
  }
}

/** A moment as a timestamp with the offset that a zone has then; null outside the years 0001 to 9999. */
export function zonedTimestamp(zone: string, moment: number): string | null {
  const time = zoned(zone, moment);
  const isEarly = moment < EARLIEST_TIMESTAMP + DAY;
  if (time === null || isEarly || moment > LATEST_TIMESTAMP - DAY) return null;
  const offset = Math.round(offsetOf(time) / MINUTE);
  const local = new Date(moment + offset * MINUTE).toISOString().slice(0, -1);
  const two = (value: number) => String(value).padStart(2, "0");
  const ahead = Math.abs(offset);
  return `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
}

/** Milliseconds. Before there was a standard time, offsets had seconds, which a timestamp cannot have. */
function offsetOf({ offsetNanoseconds }: Temporal.ZonedDateTime): number {
  return offsetNanoseconds / 1_000_000;
}

/** A local time as a timestamp with the offset that its zone has then; null if there is no such time. */
export function localTimestamp(zone: string, local: LocalTime): string | null {
  try {
    const time = Temporal.PlainDateTime.from(local, { overflow: "reject" }).toZonedDateTime(zone);
    const clock = time.epochMilliseconds + offsetOf(time);
    return zonedTimestamp(zone, clock - Math.round(offsetOf(time) / MINUTE) * MINUTE);
  } catch {
    return null;
  }
}
