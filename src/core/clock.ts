/** The source of the current time. Injected everywhere, so that expiry is testable without waiting. */
export type Clock = () => Date;

/** The machine's own clock. */
export const systemClock: Clock = (): Date => new Date();

let written = { moment: new Date(NaN), text: "" };

/**
 * A moment as ISO 8601 in UTC, to the millisecond. One request writes the same moment many times over, and
 * each writing costs as much as a short statement's parameter.
 *
 * @throws RangeError for an invalid date.
 */
export function isoText(moment: Date): string {
  if (moment !== written.moment) written = { moment, text: moment.toISOString() };
  return written.text;
}

/**
 * The later of two times, so that a change is never older than the one before, even if the clock runs
 * backwards.
 */
export function maxDate(one: Date, other: Date): Date {
  return one > other ? one : other;
}
