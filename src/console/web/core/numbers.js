/** Rounded numbers, counts, sizes and days, as the person's language has them. */

import { locale, numberText, t } from "./text.js";

/** @typedef {import("./text.js").Sentence} Sentence */

/** @type {Map<string, any>} */
const formats = new Map();

/**
 * Formatters of times and numbers in the language of the page, cached: creating one takes as long as a
 * hundred uses.
 *
 * @template Format
 * @param {string} name
 * @param {(locale: string) => Format} make
 * @returns {Format}
 */
function formatOf(name, make) {
  const key = `${name} ${locale()}`;
  const format = formats.get(key) ?? make(locale());
  formats.set(key, format);
  return format;
}

function relativeFormat() {
  const options = /** @type {const} */ ({ numeric: "auto" });
  return formatOf("relative", (locale) => new Intl.RelativeTimeFormat(locale, options));
}

/**
 * A day as people speak of it.
 *
 * @param {number} days From today; below zero for days gone.
 */
export function daysText(days) {
  return relativeFormat().format(days, "day");
}

/**
 * The day of a point in time.
 *
 * @param {string | number} time
 */
export function dayText(time) {
  return formatOf("day", (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }))
    .format(new Date(time));
}

/**
 * A number that was computed, or that a picture shows: to six digits.
 *
 * @param {number} value
 */
export function roundedText(value) {
  const options = /** @type {const} */ ({ maximumSignificantDigits: 6, useGrouping: "min2" });
  return formatOf("rounded", (locale) => new Intl.NumberFormat(locale, options)).format(value);
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
  const rules = formatOf("plural", (locale) => new Intl.PluralRules(locale));
  const isOne = rules.select(count) === "one";
  return t(isOne ? one : other, { count: numberText(count) });
}

/**
 * A readable size, in the unit that keeps it short.
 *
 * @param {number} bytes
 */
export function sizeText(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit: units[step],
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
}

/**
 * How long ago something was, in hours or days.
 *
 * @param {number} seconds
 */
export function agoText(seconds) {
  const hours = Math.round(seconds / 3600);
  const format = relativeFormat();
  return hours < 48 ? format.format(-hours, "hour") : format.format(-Math.round(hours / 24), "day");
}
