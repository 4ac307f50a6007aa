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

/**
 * A number as it was given, to its last digit.
 *
 * @param {number} value
 */
export function numberText(value) {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 20 }).format(value);
}

/**
 * A number that was computed, or that a picture shows: to six digits.
 *
 * @param {number} value
 */
export function roundedText(value) {
  return new Intl.NumberFormat(locale(), { maximumSignificantDigits: 6 }).format(value);
}

/** @param {number} share From 0 to 1. */
export function shareText(share) {
  return new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 1 })
    .format(share);
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

/**
 * A size as people read it, in the unit that keeps it short.
 *
 * @param {number} bytes
 */
export function sizeText(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return new Intl.NumberFormat(locale(), {
    ...{ style: "unit", unit: units[step], unitDisplay: "short", maximumFractionDigits: 1 },
  }).format(bytes / 1000 ** step);
}

/**
 * How long ago something was, in hours or days.
 *
 * @param {number} seconds
 */
export function agoText(seconds) {
  const hours = Math.round(seconds / 3600);
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  return hours < 48 ? format.format(-hours, "hour") : format.format(-Math.round(hours / 24), "day");
}
