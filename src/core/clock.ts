/** Returns the current time. Injected, so that tests need not wait. */
export type Clock = () => Date;

export const systemClock: Clock = (): Date => new Date();

export const DAY_MS = 24 * 60 * 60 * 1000;

/** How far the clocks of two machines may differ. */
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000;

/** Returns the latest time that does not count as future. */
export function withClockTolerance(now: Date): Date {
  return new Date(now.getTime() + CLOCK_TOLERANCE_MS);
}

let written = { moment: new Date(NaN), text: "" };

/**
 * Formats a time as ISO 8601 in UTC, to the millisecond. Caches the last result, because one
 * request formats its time many times.
 *
 * @throws RangeError for an invalid date.
 */
export function isoText(moment: Date): string {
  if (moment !== written.moment) written = { moment, text: moment.toISOString() };
  return written.text;
}

/** Returns the later time: no change is older than the last one, even if the clock goes back. */
export function maxDate(one: Date, other: Date): Date {
  return one > other ? one : other;
}
