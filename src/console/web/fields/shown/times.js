/** Times and days as a person reads them. */

import { h } from "../../core/base/elements.js";
import { formatOf, t } from "../../core/base/language.js";
import {
  DAY_MS,
  deviceDay,
  deviceTime,
  instantOf,
  isElsewhere,
  isTime,
  placeText,
  readTime,
  withoutZone,
} from "../../logic/local_time.js";

/**
 * By the time's own clock, otherwise by the device's.
 * @param {string | number | Date} time @param {Intl.DateTimeFormatOptions} options
 */
export function formatTime(time, options) {
  const { instant, offset } = readTime(time);
  if (offset === null) return formatOf(Intl.DateTimeFormat, options).format(instant);
  const shown = instant + offset * 60_000;
  return formatOf(Intl.DateTimeFormat, { ...options, timeZone: "UTC" }).format(shown);
}

/**
 * By its own clock. If the device's shows another time, the place and the reader's time follow.
 * @param {string | number} time
 */
export function timeText(time) {
  const date = /** @type {const} */ ({ dateStyle: "medium" });
  const exact = /** @type {const} */ ({ ...date, timeStyle: "short" });
  const read = readTime(time);
  const text = formatTime(time, exact);
  if (!isElsewhere(read)) return text;
  const isSameDay = formatTime(time, date) === formatTime(read.instant, date);
  const own = formatTime(read.instant, isSameDay ? { timeStyle: "short" } : exact);
  return t("timeElsewhere", { time: text, place: placeText(String(time)), own });
}

/** A time as it is read; other texts as they are. @param {string} text */
export function readableText(text) {
  return isTime(text) ? timeText(text) : text;
}

/** @param {string} time */
export function timeTag(time) {
  return h("time", { datetime: withoutZone(time) }, timeText(time));
}

/** The number of midnights on this device between two times. @param {Date} from @param {Date} to */
export function daysBetween(from, to) {
  return (deviceDay(to) - deviceDay(from)) / DAY_MS;
}

/** By the calendar of this device. @param {string} time */
export function isToday(time) {
  return daysBetween(new Date(), new Date(instantOf(time))) === 0;
}

/** The first moment of a day on this device. @param {Date} now @param {number} days */
export function startOfDay(now, days) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
}

/** As "tomorrow". @param {number} count @param {Intl.RelativeTimeFormatUnit} unit */
export function relativeText(count, unit) {
  return formatOf(Intl.RelativeTimeFormat, { numeric: "auto" }).format(count, unit);
}

/** @param {number} days */
export function daysText(days) {
  return relativeText(days, "day");
}

/** By the calendar of this device. @param {string} time */
export function sinceDayText(time) {
  const days = daysBetween(new Date(), new Date(instantOf(time)));
  if (Math.abs(days) < 60) return daysText(days);
  const months = Math.round(days / 30.44);
  if (Math.abs(months) < 24) return relativeText(months, "month");
  return relativeText(Math.round(days / 365.25), "year");
}

/** How long ago or how far ahead, within a day by the clock. @param {string} time */
export function sinceText(time) {
  const minutes = Math.trunc((instantOf(time) - Date.now()) / 60_000);
  if (minutes === 0) return t("justNow");
  if (Math.abs(minutes) < 60) return relativeText(minutes, "minute");
  const hours = Math.trunc(minutes / 60);
  return Math.abs(hours) < 12 ? relativeText(hours, "hour") : sinceDayText(time);
}

/**
 * Yesterday, today or tomorrow; a weekday; otherwise the date, with the year if it is an earlier
 * one.
 * @param {Date} day
 * @param {number} days From today.
 */
export function dayHeading(day, days) {
  const isThisYear = day.getFullYear() === new Date().getFullYear();
  const text = Math.abs(days) < 2 ? daysText(days) : formatTime(day, {
    weekday: "long",
    ...(!(days > 0 && days < 7) && { month: "long", day: "numeric" }),
    ...(days < 0 && !isThisYear && { year: "numeric" }),
  });
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function contactNow() {
  return { contactedAt: thisMinute(), channel: "OTHER", direction: "MUTUAL", privacy: "NORMAL" };
}

/** On the device's clock. Seconds would be too precise. */
export function thisMinute() {
  return deviceTime(Math.floor(Date.now() / 60_000) * 60_000);
}

/** A day with its weekday. @param {Date} day */
export function dateText(day) {
  return formatTime(day, { dateStyle: "full" });
}

/** A day in words near today, otherwise its local date. @param {string} time */
export function nearDayText(time) {
  const days = daysBetween(new Date(), new Date(instantOf(time)));
  return Math.abs(days) < 7 ? daysText(days) : dayText(time);
}

/** The local date. @param {string | number} time */
export function dayText(time) {
  return formatTime(time, { dateStyle: "medium" });
}

/** The text of a time as it is stated: its day, unless it is exact. @param {Values} values */
export function statedText({ timePrecision }) {
  return (timePrecision ?? "EXACT") === "EXACT" ? timeText : dayText;
}

/** @param {string} time */
export function clockText(time) {
  return formatTime(time, { timeStyle: "short" });
}

/** @param {string | null} client Such as "Firefox on Windows", "curl" or "unknown". */
export function clientText(client) {
  const [name = "", system] = (client ?? "unknown").split(" on ");
  const known = name === "unknown" ? t("unknownClient") : name;
  return system === undefined ? known : t("clientOn", { client: known, system });
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** @param {string} ulid */
export function timeOfUlid(ulid) {
  return [...ulid.slice(0, 10)].reduce((time, digit) => time * 32 + DIGITS.indexOf(digit), 0);
}

/** @param {number} time */
export function newUlid(time) {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const begin = Array.from({ length: 10 }, (_, place) => Math.floor(time / 32 ** (9 - place)));
  return [...begin, ...random].map((number) => DIGITS[number % 32]).join("");
}
