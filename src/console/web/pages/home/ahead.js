/** Due items from today on, and the overdue ones before. */

import { daysBetween, startOfDay } from "../../fields/shown/times.js";
import { deviceDay } from "../../logic/local_time.js";
import { daysUntil, dueList } from "../parts/due.js";

/** All kinds but people to call, who are listed by themselves. */
const KINDS = "COMMITMENT,ACTION,ROUTINE,DECISION_REVIEW,DATE,PROPOSAL";

/**
 * The address of items due from today on, and of the count of overdue ones. A day without a time is
 * due at its midnight in UTC, which can be before that of the device.
 * @param {Date} now @param {number} days The days after today.
 */
export function aheadList(now, days) {
  const from = new Date(Math.min(startOfDay(now, 0).getTime(), deviceDay(now))).toISOString();
  const asked = new URLSearchParams({ from, kinds: KINDS, counts: "true" });
  return `${dueList(now, days)}&${asked}`;
}

/** Before today. @param {Date} now */
export function overdueList(now) {
  return `${dueList(now, -1)}&${new URLSearchParams({ kinds: KINDS })}`;
}

/**
 * How many items were due before today, and the days since the oldest.
 * @param {readonly Due[]} ahead Those of `aheadList`, of which some are overdue since today.
 * @param {{ overdue: number, oldest: string | null, more: boolean }} counts
 * @param {Date} now
 */
export function overdueBefore(ahead, { overdue, oldest, more }, now) {
  const ofToday = ahead.filter((item) => item.overdue && daysUntil(item, now) === 0).length;
  const days = oldest === null ? 0 : daysBetween(new Date(oldest), now);
  return { count: days > 0 ? Math.max(0, overdue - ofToday) : 0, hasMore: more, days };
}
