/** Months, seasons, years and decades as the reader's language writes them. */

import { CALENDAR, lookUp, simplified } from "./calendar_words.js";

/** @type {Readonly<Record<LineLanguage, RegExp>>} */
const PERIOD = {
  en: /^(?:(?:the )?([1-9]\d\d0)s|(?:(\S+) )?([1-9]\d{3}))$/,
  de: /^(?:(?:die )?([1-9]\d\d0)er(?: jahre)?|(?:(\S+) )?([1-9]\d{3}))$/,
};

/**
 * Its first month, from 1; a winter's is the January that names it. Null for another text.
 * @param {string} text @param {LineLanguage} language
 * @returns {WrittenPeriod | null}
 */
export function readPeriod(text, language) {
  const [whole, decade, name, year = decade] = PERIOD[language].exec(simplified(text)) ?? [];
  if (whole === undefined) return null;
  const { months, seasons } = CALENDAR[language];
  const period = { year: Number(year), month: 1 };
  if (name === undefined) return { ...period, timePrecision: decade ? "DECADE" : "YEAR" };
  const month = months.indexOf(name) + 1;
  if (month > 0) return { ...period, month, timePrecision: "MONTH" };
  const season = lookUp(seasons, name);
  if (season === undefined) return null;
  return { ...period, month: Math.max(1, season * 3), timePrecision: "SEASON" };
}
