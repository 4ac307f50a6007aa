/**
 * The time of a memory. The API stores a moment, its precision, and the range that follows from both in the
 * offset of the request; the offset itself shows in the start of that range.
 */

import { localTime, offsetOf } from "./local_time.js";

/**
 * @typedef {object} Stated
 * @property {string | null} occurredAt
 * @property {string | null} timePrecision
 * @property {{ from: string, to: string } | null} timeRange
 */

const DAY_MINUTES = 1_440;
/**
 * A range that begins up to this many minutes after midnight in UTC was most likely stated west of
 * Greenwich; one that begins later, east of it.
 */
const WEST_MINUTES = 600;

/** Whether a day can be the first of its unit. The numbers of months begin with 0. */
const BEGINS = /** @type {Readonly<Record<string, (day: Date) => boolean>>} */ ({
  DAY: () => true,
  MONTH: (day) => day.getUTCDate() === 1,
  SEASON: (day) => day.getUTCDate() === 1 && day.getUTCMonth() % 3 === 2,
  YEAR: (day) => day.getUTCDate() === 1 && day.getUTCMonth() === 0,
  DECADE: (day) =>
    day.getUTCDate() === 1 && day.getUTCMonth() === 0 && day.getUTCFullYear() % 10 === 0,
});

/**
 * The UTC offset in minutes in which a time was stated: there its range begins at midnight. If two are
 * possible, or the range does not show it, this device's own is preferred.
 *
 * @param {Stated} stated
 */
function statedOffset({ timePrecision, timeRange, occurredAt }) {
  const from = new Date(timeRange?.from ?? occurredAt ?? 0);
  const own = -from.getTimezoneOffset();
  const begins = BEGINS[timePrecision ?? ""];
  if (timeRange === null || begins === undefined) return own;
  const past = from.getTime() / 60_000 % DAY_MINUTES;
  const minutes = (past + DAY_MINUTES) % DAY_MINUTES;
  const [west, east] = [-minutes, DAY_MINUTES - minutes];
  const likely = minutes <= WEST_MINUTES ? [west, east] : [east, west];
  const found = [...(likely.includes(own) ? [own] : []), ...likely].find((offset) =>
    Number.isInteger(offset) && begins(new Date(from.getTime() + offset * 60_000))
  );
  return found ?? own;
}

/**
 * The stated day in the calendar of its own offset: the first of its range if the range is known. Null if
 * no moment was stated.
 *
 * @param {Stated} stated
 * @returns {Date | null} in UTC.
 */
export function statedDay(stated) {
  const day = stated.timeRange?.from ?? stated.occurredAt;
  return day === null ? null : new Date(Date.parse(day) + statedOffset(stated) * 60_000);
}

/**
 * The moment as it was stated, so that stating it again means the same range; empty for none.
 *
 * @param {Stated} stated
 */
export function statedMoment(stated) {
  if (stated.occurredAt === null) return "";
  const minutes = statedOffset(stated);
  const local = new Date(Date.parse(stated.occurredAt) + minutes * 60_000).toISOString();
  const size = Math.abs(minutes);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const sign = minutes < 0 ? "-" : "+";
  return `${local.slice(0, -1)}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/**
 * The first moment of a day of this device's calendar.
 *
 * @param {number} year
 * @param {number} month From 1.
 * @param {number} day
 * @returns {string} empty for a day that does not exist.
 */
export function momentOf(year, month, day) {
  const date = new Date(0);
  date.setFullYear(year, month - 1, day);
  date.setHours(0, 0, 0, 0);
  const isDay = date.getMonth() === month - 1 && date.getDate() === day;
  if (!isDay || year < 1 || year > 9_999) return "";
  return `${localTime(date).slice(0, 10)}T00:00:00${offsetOf(date)}`;
}

/**
 * The day of a moment in its own offset.
 *
 * @param {string} moment
 */
export function dayOf(moment) {
  const [year = 0, month = 0, day = 0] = moment.slice(0, 10).split("-").map(Number);
  return { year, month, day };
}

/**
 * The season of a month, counted from winter, which is 0, and the year that it belongs to: December is of
 * the next year's winter.
 *
 * @param {{ year: number, month: number }} month The month from 1.
 */
export function seasonOf({ year, month }) {
  return { season: Math.floor(month % 12 / 3), year: month === 12 ? year + 1 : year };
}
