/** Days as the reader's language writes them. */

import { CALENDAR, lookUp, simplified } from "./calendar_words.js";
import { readPeriod } from "./periods.js";

const ISO = /^(\d{4})-(\d\d)-(\d\d)$/;
const DOTTED = /^(\d{1,2})\. ?(\d{1,2})\.(?: ?(\d{4}))?$/;
/** @type {Readonly<Record<LineLanguage, readonly RegExp[]>>} */
const NAMED = {
  en: [
    /^(?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>[a-z]+)(?: (?<year>\d{4}))?$/,
    /^(?<month>[a-z]+) (?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?(?: (?<year>\d{4}))?$/,
  ],
  de: [/^(?<day>\d{1,2})(?:\. ?| )(?<month>[a-zäöü]+)(?: (?<year>\d{4}))?$/],
};

/**
 * A day with or without a year, which may not exist; null for another text. Only German has points
 * between the numbers, except in forms.
 * @param {string} text @param {LineLanguage} language
 * @returns {WrittenDay | null}
 */
export function writtenDay(text, language, isDotted = language === "de") {
  const plain = simplified(text);
  const iso = ISO.exec(plain);
  if (iso !== null) return dayOfTexts(iso[1], iso[2], iso[3]);
  const dotted = isDotted ? DOTTED.exec(plain) : null;
  if (dotted !== null) return dayOfTexts(dotted[3], dotted[2], dotted[1]);
  for (const form of NAMED[language]) {
    const { day, month = "", year } = form.exec(plain)?.groups ?? {};
    const number = lookUp(CALENDAR[language].months, month);
    if (number !== undefined) return dayOfTexts(year, String(number), day);
  }
  return null;
}

/** @type {(...texts: (string | undefined)[]) => WrittenDay} */
function dayOfTexts(year, month, day) {
  return { year: year === undefined ? null : Number(year), month: Number(month), day: Number(day) };
}

/** Without a year, also 29 February exists. @param {WrittenDay} day */
export function isRealDay({ year, month, day }) {
  const date = new Date(Date.UTC(year ?? 2_000, month - 1, day));
  return year !== 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * A date of a person, such as a birthday, as the service stores it: a day with or without a year,
 * or a year. `problem` is the name of a sentence.
 * @param {string} text @param {LineLanguage} language
 * @returns {{ date: string, problem: null } | { date: null, problem: DateProblem }}
 */
export function readPersonDate(text, language) {
  const typed = text.trim();
  const stored = /^-(-\d\d-\d\d)$/.exec(typed);
  const day = writtenDay(stored === null ? typed : `2000${stored[1]}`, language, true);
  if (day !== null) {
    if (!isRealDay(day)) return { date: null, problem: "noSuchDay" };
    const year = stored !== null || day.year === null ? "-" : String(day.year).padStart(4, "0");
    return { date: [year, padded(day.month), padded(day.day)].join("-"), problem: null };
  }
  const period = readPeriod(typed, language);
  if (period?.timePrecision === "YEAR") return { date: String(period.year), problem: null };
  return { date: null, problem: period?.timePrecision === "MONTH" ? "dayMissing" : "dateNotRead" };
}

/** With two digits. @param {number} number */
export function padded(number) {
  return String(number).padStart(2, "0");
}
