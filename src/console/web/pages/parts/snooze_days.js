/** Moves a due time to a later day of this device, at the same time of its own clock. */

import { instantOf, localOf, onClock } from "../../logic/local_time.js";

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
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const [wanted = 0, before = 0, after = 0] = [0, -1, 1].map((days) =>
    Date.UTC(year, month, day + snoozeDays(until, now) + days)
  );
  const [same = "", ...others] = [wanted, before, after].map((date) =>
    onClock(dateOf(date) + localOf(time).slice(10), time)
  );
  return [same, ...others].find((moved) => deviceDay(instantOf(moved)) === wanted) ?? same;
}

/** @param {number} date Midnight in UTC. */
function dateOf(date) {
  return new Date(date).toISOString().slice(0, 10);
}

/** As midnight in UTC. @param {number} instant */
function deviceDay(instant) {
  const time = new Date(instant);
  return Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
}
