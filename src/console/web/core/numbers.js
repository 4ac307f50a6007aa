/** Numbers, counts and days, as the person's language has them. */

import { locale, t } from "./text.js";

/** @typedef {import("./text.js").Sentence} Sentence */

/**
 * A day as people speak of it.
 *
 * @param {number} days From today; below zero for days gone.
 */
export function daysText(days) {
  return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(days, "day");
}

/**
 * The day of a point in time.
 *
 * @param {string | number} time
 */
export function dayText(time) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(time));
}

/** @param {number} value */
export function numberText(value) {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 20 }).format(value);
}

/**
 * A sentence about one thing, or about several.
 *
 * @param {number} count
 * @param {Sentence} one
 * @param {Sentence} other
 */
export function counted(count, one, other) {
  const isOne = new Intl.PluralRules(locale()).select(count) === "one";
  return t(isOne ? one : other, { count: numberText(count) });
}
