/** Orders of lists of records. */

import { boundOfDay } from "../../fields/filters.js";
import { instantOf } from "../../logic/local_time.js";

/** Orders by the records' own time; all others are newest first. @type {Texts} */
export const OWN_ORDERS = {
  action: "time",
  commitment: "time",
  routine: "time",
  timeline: "-time",
  health: "-time",
  review: "-time",
  media: "-time",
};

/**
 * The order of lists that are read as one; `time` is a field.
 * @type {(sort: string, time: string) => Order}
 */
export function orderOf(sort, time) {
  const field = sort.replace("-", "");
  const sign = sort.startsWith("-") ? -1 : 1;
  if (field !== "time") {
    const key = (/** @type {any} */ item) => `${item[field]} ${item.recordId}`;
    return (one, other) => key(one) < key(other) ? -sign : sign;
  }
  // Those without a time are last, newest first.
  const at = (/** @type {any} */ { payload }) => {
    const instant = instantOf(payload?.[time] ?? "");
    return Number.isNaN(instant) ? Infinity : sign * instant;
  };
  return (one, other) => {
    const [first, second] = [at(one), at(other)];
    if (first !== second) return first < second ? -1 : 1;
    const isBefore = one.recordId < other.recordId;
    return isBefore === (sign === 1 && first !== Infinity) ? -1 : 1;
  };
}

/** The conditions for a day in a list of this order. @param {string} sort @param {string} day */
export function boundOf(sort, day) {
  const [first, last] = [boundOfDay(day, false), boundOfDay(day, true)];
  if (first === null || last === null) return {};
  if (sort === "time") return { "time[from]": first };
  return sort === "-time" ? { "time[to]": last } : { createdTo: last };
}
