/** The next of the days of a person that return each year. */

import { isHidden } from "../people_entries/details.js";
import { isYearly } from "./fields.js";

/** Lines of cards that state a death without a day. */
const DEATHS = ["DEATHDATE", "X-DEATHDATE", "X-PRS-DEATHDATE", "X-MONICA-DEAD"];

/**
 * Null if there is none. After a death, also a secret one, only its own day returns.
 * @param {readonly any[]} details
 * @param {string} today `YYYY-MM-DD`
 */
export function nextDay(details, today) {
  const isDead = details.some((detail) => (deathOf(detail) ?? today) < today);
  const returning = details.filter((detail) =>
    !isHidden(detail) && isYearly(detail) && (!isDead || detail.value.what === "DEATH")
  );
  return returning
    .map((detail) => ({ detail, day: occurrence(detail.value.date, today) }))
    .sort((one, other) => one.day.localeCompare(other.day))[0] ?? null;
}

/** Empty without a year: it was before any day. @param {any} detail */
function deathOf({ kind, value }) {
  if (kind === "OTHER" && DEATHS.includes(value?.property.toUpperCase())) return "";
  if (kind !== "DATE" || value?.what !== "DEATH") return null;
  return value.date.startsWith("--") ? "" : value.date;
}

/**
 * The first one from today on, and not before its own year.
 * @param {string} date `1984-02-29` or `--02-29`
 * @param {string} today
 */
function occurrence(date, today) {
  const from = date > today ? date : today;
  const year = Number(from.slice(0, 4));
  const monthDay = date.slice(-5);
  const thisYear = dayIn(year, monthDay);
  return thisYear >= from ? thisYear : dayIn(year + 1, monthDay);
}

/** 29 February is 28 February in other years. @param {number} year @param {string} monthDay */
function dayIn(year, monthDay) {
  const isLeap = new Date(year, 1, 29).getDate() === 29;
  return `${year}-${monthDay === "02-29" && !isLeap ? "02-28" : monthDay}`;
}
