/** Moves a due time to a later day of this device, at the same time of its own clock. */

import { DAY_MS, deviceDay, instantOf, localOf, onClock, utcDate } from "../../logic/local_time.js";

/** @typedef {"tomorrow" | "weekend" | "nextWeek"} Snooze */

const [MONDAY, SATURDAY] = [1, 6];

/**
 * The days from today until tomorrow, the next Saturday, or the next Monday.
 * @param {Snooze} until
 * @param {Date} now
 */
export function snoozeDays(until, now) {
  if (until === "tomorrow") return 1;
  const weekday = until === "weekend" ? SATURDAY : MONDAY;
  return (weekday - now.getDay() + 6) % 7 + 1;
}

/**
 * Far from its own clock, a time can be on the day before or after its local date. A time without a
 * clock gets that of the device, as in a form.
 * @param {string} time
 * @param {Snooze} until
 * @param {Date} now
 * @returns {string}
 */
export function snoozed(time, until, now) {
  const wanted = deviceDay(now) + snoozeDays(until, now) * DAY_MS;
  const [same = "", ...others] = [wanted, wanted - DAY_MS, wanted + DAY_MS].map((date) =>
    onClock(utcDate(date) + localOf(time).slice(10), time)
  );
  return [same, ...others].find((moved) => deviceDay(instantOf(moved)) === wanted) ?? same;
}
