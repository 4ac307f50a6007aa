/** Numbers, sizes and days in the person's language. */

import { daysBetween } from "../logic/local_time.js";
import { locale, numberText, t } from "./text.js";

/** @typedef {import("./text.js").Sentence} Sentence */

/** @type {Map<string, any>} */
const formats = new Map();

/**
 * Cached: creating a formatter costs a hundred uses.
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

/** @param {number} days From today; negative for the past. */
export function daysText(days) {
  return relativeFormat().format(days, "day");
}

/** By the calendar of this device, as "today" or "6 days ago". @param {string} time */
export function sinceDayText(time) {
  const days = daysBetween(new Date(), new Date(time));
  if (Math.abs(days) < 60) return daysText(days);
  const months = Math.round(days / 30.44);
  if (Math.abs(months) < 24) return relativeFormat().format(months, "month");
  return relativeFormat().format(Math.round(days / 365.25), "year");
}

/** How long ago or how far ahead, within a day by the clock. @param {string} time */
export function sinceText(time) {
  const minutes = Math.trunc((Date.parse(time) - Date.now()) / 60_000);
  if (minutes === 0) return t("justNow");
  if (Math.abs(minutes) < 60) return relativeFormat().format(minutes, "minute");
  const hours = Math.trunc(minutes / 60);
  return Math.abs(hours) < 12 ? relativeFormat().format(hours, "hour") : sinceDayText(time);
}

/**
 * The heading of a day: today and tomorrow, the weekday within a week, then the date.
 *
 * @param {Date} day
 * @param {number} days From today.
 */
export function dayHeading(day, days) {
  const date = /** @type {const} */ ({ month: "long", day: "numeric" });
  const text = days < 2 ? daysText(days) : new Intl.DateTimeFormat(locale(), {
    weekday: "long",
    ...(days >= 7 && date),
  }).format(day);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A day in words near today, otherwise its date. @param {string} time */
export function nearDayText(time) {
  const days = daysBetween(new Date(), new Date(time));
  return Math.abs(days) < 7 ? daysText(days) : dayText(time);
}

/** @param {string | number} time */
export function dayText(time) {
  return formatOf("day", (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }))
    .format(new Date(time));
}

/**
 * The time of day of a point in time.
 *
 * @param {string} time
 */
export function clockText(time) {
  return formatOf("clock", (locale) => new Intl.DateTimeFormat(locale, { timeStyle: "short" }))
    .format(new Date(time));
}

/** @param {number} share From 0 to 1. */
export function shareText(share) {
  return new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 1 })
    .format(share);
}

/**
 * Chooses singular or plural.
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
 * Formats a size in the largest unit that keeps it readable.
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
 * Returns hours or days.
 *
 * @param {number} seconds
 */
export function agoText(seconds) {
  const hours = Math.round(seconds / 3600);
  const format = relativeFormat();
  return hours < 48 ? format.format(-hours, "hour") : format.format(-Math.round(hours / 24), "day");
}
