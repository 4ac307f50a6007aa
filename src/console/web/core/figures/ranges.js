/** Ranges of a series, and its buckets. Days are `2026-01-31`. */

import { DAY_MS, utcDate } from "../../logic/local_time.js";

export const RANGES = /** @type {const} */ (["week", "month", "year", "all"]);

const MAX_BUCKETS = 400;

/** Buckets per unit of a range, from the finest: at most this many days. */
const BUCKETS =
  /** @type {const} */ ([["day", 92], ["week", 7 * 260], ["month", 30 * MAX_BUCKETS]]);

/**
 * @param {SeriesRange} range
 * @param {Date} now
 * @param {string} first The day of the first value.
 */
export function daysOf(range, now, first) {
  const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const starts = {
    week: Date.UTC(year, month, date - 6),
    month: Date.UTC(year, month - 1, date + 1),
    year: Date.UTC(year - 1, month, date + 1),
    // A day more, because a time without a clock counts on a day of this device.
    all: Date.parse(first) - DAY_MS,
  };
  const until = Date.UTC(year, month, date + 1);
  const from = Math.min(starts[range], until - DAY_MS);
  const count = (until - from) / DAY_MS;
  const [by] = BUCKETS.find(([, days]) => count <= days) ?? ["year"];
  return { from: utcDate(from), until: utcDate(until), by };
}

/** The shortest range that has a day. @param {string} day @param {Date} now */
export function rangeWith(day, now) {
  return RANGES.find((range) => range === "all" || daysOf(range, now, day).from <= day) ?? "all";
}

/**
 * The days that a range asks for: with those of the last year if it is shorter and in days, so that
 * the usual range comes with it.
 * @param {SeriesRange} range @param {Date} now @param {string} first
 */
export function askedDays(range, now, first) {
  const shown = daysOf(range, now, first);
  const isShort = range === "week" || range === "month";
  return isShort ? { ...shown, from: daysOf("year", now, first).from } : shown;
}

/** Fewer medians have no usual range. */
const MIN_MEDIANS = 10;

/**
 * The medians of the last year without the tenth at each end; null if there are too few.
 * @param {Series["points"]} points
 * @param {string} until
 * @returns {UsualRange | null}
 */
export function usualRange(points, until) {
  const since = `${Number(until.slice(0, 4)) - 1}${until.slice(4)}`;
  const medians = points.filter(({ start }) => start >= since)
    .map(({ median }) => Number(median)).sort((a, b) => a - b);
  const count = medians.length;
  const cut = Math.floor(count / 10);
  const [low, high] = [medians[cut], medians[count - 1 - cut]];
  if (low === undefined || high === undefined || count < MIN_MEDIANS) return null;
  return { low, high, count };
}

/** Consecutive buckets have consecutive numbers. @param {string} start @param {SeriesUnit} by */
function bucketNumber(start, by) {
  const [year = NaN, month = NaN] = start.split("-").map(Number);
  if (by === "year") return year;
  if (by === "month") return year * 12 + month;
  return Math.round(Date.parse(start) / DAY_MS / (by === "week" ? 7 : 1));
}

/**
 * Points of a series in runs without a gap.
 * @template {{ start: string }} Point
 * @param {readonly Point[]} points
 * @param {SeriesUnit} by
 * @returns {Point[][]}
 */
export function runsOf(points, by) {
  /** @type {Point[][]} */
  const runs = [];
  let last = NaN;
  for (const point of points) {
    const number = bucketNumber(point.start, by);
    if (number === last + 1) runs.at(-1)?.push(point);
    else runs.push([point]);
    last = number;
  }
  return runs;
}
