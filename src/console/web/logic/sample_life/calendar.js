/** Times counted from the day on which the sample life is brought in, and its items. */

import { deviceTime } from "../local_time.js";

/** In days from today, in their years: a child's birthday, a wedding, and a death. */
export const [BIRTHDAY, WEDDING, DEATH] = [26, 3, -64];

/**
 * Times on the device's clock, and days, by their distance from today.
 * @param {Date} now
 */
export function calendarOf(now) {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const timeOf = (/** @type {Date} */ date) => deviceTime(date.getTime());
  return {
    /** @param {number} days @param {number} [hour] @param {number} [minute] */
    at: (days, hour = 12, minute = 0) => timeOf(new Date(year, month, day + days, hour, minute)),
    /** The middle of a year, or of a month of it. @param {number} years @param {number} [of] */
    in: (years, of = 6) => timeOf(new Date(year + years, of, 15, 12)),
    /** A day as YYYY-MM-DD. @param {number} years @param {number} days */
    day: (years, days) =>
      new Date(Date.UTC(year + years, month, day + days)).toISOString().slice(0, 10),
    /** In another year. @param {number} years @param {number} hour @param {number} [days] */
    anniversary: (years, hour, days = 0) => timeOf(new Date(year + years, month, day + days, hour)),
  };
}

/**
 * @param {string} key
 * @param {string} target
 * @param {string} title
 * @param {object} payload
 * @param {readonly string[]} [tags]
 */
export function item(key, target, title, payload, tags = []) {
  return { key, target, title, payload, ...(tags.length > 0 && { tags }) };
}
