/**
 * The time of a memory. The API stores a moment, its precision, and the range of both in the request's UTC
 * offset, which shows in the start of the range.
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
 * A range that begins up to this many minutes after midnight UTC was most likely stated west of Greenwich,
 * later ones east of it.
 */
const WEST_MINUTES = 600;

/** Whether a day can begin its unit. Months count from 0. */
const BEGINS = /** @type {Readonly<Record<string, (day: Date) => boolean>>} */ ({
  DAY: () => true,
  MONTH: (day) => day.getUTCDate() === 1,
  SEASON: (day) => day.getUTCDate() === 1 && day.getUTCMonth() % 3 === 2,
  YEAR: (day) => day.getUTCDate() === 1 && day.getUTCMonth() === 0,
  DECADE: (day) =>
    day.getUTCDate() === 1 && day.getUTCMonth() === 0 && day.getUTCFullYear() % 10 === 0,
});

/**
 * The offset in minutes at which the range begins at midnight. The device's own is preferred if two fit or
 * the range does not show it.
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
 * The stated day in its own offset, the first of a known range. Null without a moment.
 *
 * @param {Stated} stated
 * @returns {Date | null} in UTC.
 */
export function statedDay(stated) {
  const day = stated.timeRange?.from ?? stated.occurredAt;
  return day === null ? null : new Date(Date.parse(day) + statedOffset(stated) * 60_000);
}

/**
 * Stating this moment again means the same range; empty for none.
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
 * The start of a day on this device.
 *
 * @param {number} year
 * @param {number} month From 1.
 * @param {number} day
 * @returns {string} empty for an invalid day.
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
 * The day in the moment's own offset.
 *
 * @param {string} moment
 */
export function dayOf(moment) {
  const [year = 0, month = 0, day = 0] = moment.slice(0, 10).split("-").map(Number);
  return { year, month, day };
}

/**
 * Counted from winter, 0; December belongs to the next year's winter.
 *
 * @param {{ year: number, month: number }} month From 1.
 */
export function seasonOf({ year, month }) {
  return { season: Math.floor(month % 12 / 3), year: month === 12 ? year + 1 : year };
}
