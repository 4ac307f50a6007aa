/** Ways to reach a person, and dates. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { counted } from "../../fields/shown/figures.js";
import { ago, parts } from "../../fields/shown/files.js";
import { formatTime, sinceDayText, thisMinute } from "../../fields/shown/times.js";
import { DAY_MS, instantOf } from "../../logic/local_time.js";

const PAGE = /^(?:https?:\/\/|www\.)\S+$/i;

const EMAIL = /^[^\s@]+@[^\s@]+$/;

const NUMBER = /^[+()\d][\d\s().\/-]*$/;

/** Detects the kind by the form of the text. @param {string} text */
export function guessDetail(text) {
  const value = text.trim();
  if (EMAIL.test(value)) return { kind: "EMAIL", value: { value } };
  if (PAGE.test(value)) return { kind: "URL", value: { value } };
  return { kind: NUMBER.test(value) ? "PHONE" : "HANDLE", value: { value } };
}

/** True for a detail that names no control, and is not on the card. @param {any} detail */
export function isHidden({ redacted, effectivePrivacy }) {
  return redacted || effectivePrivacy === "SECRET";
}

const NAME = ["prefix", "given", "additional", "family", "suffix"];

const ADDRESS = ["extra", "street", "box", "postalCode", "locality", "region", "country"];

/** @param {{ kind: string, value: any }} detail */
export function detailText({ kind, value }) {
  switch (kind) {
    case "NAME":
      return [...NAME, "nickname", "phonetic"].flatMap((name) => value[name] ?? []).join(" ");
    case "ADDRESS":
      return ADDRESS.flatMap((name) => value[name] ?? []).join(", ");
    case "ORGANIZATION":
      return [value.title, value.department, value.name].filter(Boolean).join(", ");
    case "DATE":
      return value.date;
    case "LINK":
      return value.name ?? "";
    case "HANDLE":
      return value.service === undefined ? value.value : `${value.value} (${value.service})`;
    default:
      return value.value;
  }
}

/**
 * Full years since a date; null without a year, or before it.
 * @param {string} date `1984-02-29`, `--02-29` or `1984`.
 * @param {string} day `YYYY-MM-DD`
 */
export function yearsBetween(date, day) {
  const [, year, rest = ""] = /^(\d{4})(?:-(\d\d-\d\d))?$/.exec(date) ?? [];
  if (year === undefined) return null;
  const years = Number(day.slice(0, 4)) - Number(year) - (day.slice(5) < rest ? 1 : 0);
  return years < 0 ? null : years;
}

/** With the years since then. @param {string} date */
export function dateText(date) {
  const years = yearsBetween(date, thisMinute().slice(0, 10));
  return years === null ? detailDay(date) : `${detailDay(date)} (${counted(years, "manyYears")})`;
}

/** @param {string} date */
export function detailDay(date) {
  if (/^\d{4}$/.test(date)) return date;
  const isYearly = date.startsWith("--");
  const day = new Date(`${isYearly ? `2000${date.slice(1)}` : date}T00:00:00Z`);
  const year = isYearly ? undefined : "numeric";
  return formatTime(day, { day: "numeric", month: "long", year, timeZone: "UTC" });
}

/** @param {any} person */
export function contactParts({ lastContactAt, createdAt, status, ...person }) {
  const days = person.desiredContactIntervalDays;
  const isWanted = days !== null && status === "ACTIVE";
  const isLate = Date.now() - instantOf(lastContactAt ?? createdAt) > days * DAY_MS;
  return [
    ...lastContactAt === null
      ? [t("noContactYet")]
      : parts("lastContact", { time: ago(lastContactAt, sinceDayText) }),
    isWanted && ", ",
    isWanted &&
    h(isLate ? "span.late" : "span", days === 1 ? t("wantedDaily") : t("wantedEvery", { days })),
  ];
}
