/** Groups due items by this device's days. */

import { daysBetween, startOfDay } from "./local_time.js";

/** @typedef {import("../wire.d.ts").Due} Due */

/**
 * @typedef {object} DueDay
 * @property {number | null} days From today, by the calendar of this device; null for what is overdue.
 * @property {readonly Due[]} items
 */

const AHEAD_DAYS = 7;

/**
 * The list of what is due until the end of a week.
 *
 * @param {Date} now
 */
export function dueList(now) {
  const until = startOfDay(now, AHEAD_DAYS + 1).toISOString();
  return `/api/v2/due?limit=100&until=${encodeURIComponent(until)}`;
}

/**
 * The items by day: what is overdue first, then each day that has any.
 *
 * @param {readonly Due[]} items Earliest first.
 * @param {Date} now
 * @returns {DueDay[]}
 */
export function byDay(items, now) {
  const days = Map.groupBy(items, (item) => item.overdue ? null : daysUntil(item, now));
  return [...days].map(([days, items]) => ({ days, items }))
    .sort((one, other) => (one.days ?? -Infinity) - (other.days ?? -Infinity));
}

/**
 * How many days an item is from today; below zero for days gone.
 *
 * @param {Due} item
 * @param {Date} now
 */
export function daysUntil({ at, date }, now) {
  return daysBetween(now, new Date(at ?? `${date}T00:00`));
}
