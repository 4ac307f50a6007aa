/** Days as the reader's language writes them. */

import { CALENDAR, simplified } from "./calendar_words.js";
import { readPeriod } from "./periods.js";

const ISO = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/;
const DOTTED = /^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\.(?: ?(?<year>\d{4}))?$/;
/** @type {Readonly<Record<LineLanguage, readonly RegExp[]>>} */
const DAY_FORMS = {
  en: [
    ISO,
    /^(?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>\D+?)(?: (?<year>\d{4}))?$/,
    /^(?<month>\D+) (?<day>\d{1,2})(?:st|nd|rd|th)?(?: (?<year>\d{4}))?$/,
  ],
  de: [ISO, DOTTED, /^(?<day>\d{1,2})(?:\. ?| )(?<month>\D+?)(?: (?<year>\d{4}))?$/],
};

/**
 * A day with or without a year, which may not exist; null for another text.
 * @param {string} text @param {LineLanguage} language @param {readonly RegExp[]} [more]
 * @returns {WrittenDay | null}
 */
export function writtenDay(text, language, more = []) {
  const plain = simplified(text);
  for (const form of [...DAY_FORMS[language], ...more]) {
    const { day, month = "", year } = form.exec(plain)?.groups ?? {};
    const number = Number(month) || CALENDAR[language].months.indexOf(month) + 1;
    const isDay = day !== undefined && number > 0;
    if (isDay) return { year: year ? Number(year) : null, month: number, day: Number(day) };
  }
  return null;
}

/** Without a year, also 29 February exists. @param {WrittenDay} day */
export function isRealDay({ year, month, day }) {
  const date = new Date(Date.UTC(year ?? 2_000, month - 1, day));
  return year !== 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * A person's date, such as a birthday, as the service stores it: a day with or without a year, or a
 * year. In English, points stand between numbers too.
 * @param {string} text @param {LineLanguage} language
 * @returns {{ date: string, problem: null } | { date: null, problem: DateProblem }}
 */
export function readPersonDate(text, language) {
  const typed = text.trim();
  const stored = /^--\d\d-\d\d$/.test(typed);
  const day = writtenDay(stored ? typed.replace("-", "2000") : typed, language, [DOTTED]);
  if (day !== null) {
    if (!isRealDay(day)) return { date: null, problem: "UNREAL" };
    const year = stored || day.year === null ? "-" : String(day.year).padStart(4, "0");
    const parts = [day.month, day.day].map((part) => String(part).padStart(2, "0"));
    return { date: [year, ...parts].join("-"), problem: null };
  }
  const period = readPeriod(typed, language);
  if (period?.timePrecision === "YEAR") return { date: String(period.year), problem: null };
  return { date: null, problem: period?.timePrecision === "MONTH" ? "MONTH" : "FORM" };
}
