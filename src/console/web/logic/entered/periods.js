/** Months, seasons, years and decades as the reader's language writes them. */

import { CALENDAR, lookUp, simplified } from "./calendar_words.js";

const YEAR = /^[1-9]\d{3}$/;
const NAMED = /^(\S+) ([1-9]\d{3})(?:\/(?:\d\d)?(\d\d))?$/;
/** @type {Readonly<Record<LineLanguage, RegExp>>} */
const DECADE = {
  en: /^(?:the )?([1-9]\d\d0)s$/,
  de: /^(?:die )?([1-9]\d\d0)er(?: jahre)?$/,
};

/**
 * The first month counts from 1; a winter's is the January that names it. Null for another text.
 * @param {string} text @param {LineLanguage} language
 * @returns {WrittenPeriod | null}
 */
export function readPeriod(text, language) {
  const plain = simplified(text);
  if (YEAR.test(plain)) return { timePrecision: "YEAR", year: Number(plain), month: 1 };
  const decade = DECADE[language].exec(plain)?.[1];
  if (decade !== undefined) return { timePrecision: "DECADE", year: Number(decade), month: 1 };
  const [, name = "", year = "", end] = NAMED.exec(plain) ?? [];
  const { months, seasons } = CALENDAR[language];
  const month = lookUp(months, name);
  if (month !== undefined && end === undefined) {
    return { timePrecision: "MONTH", year: Number(year), month };
  }
  const season = lookUp(seasons, name);
  if (season === undefined) return null;
  // As 1998/99, or 1998/1999.
  const next = Number(year) + (end === undefined ? 0 : 1);
  const isWinter = season === 0 && lastTwo(next) === end;
  if (end !== undefined && !isWinter) return null;
  return { timePrecision: "SEASON", year: next, month: Math.max(1, season * 3) };
}

/** The last two digits. @param {number} year */
function lastTwo(year) {
  return String(year).slice(-2);
}
