/** Days and times of day in the words of the add line. */

import { CALENDAR, lookUp } from "../entered/calendar_words.js";
import { readClock } from "../entered/clocks.js";
import { writtenDay } from "../entered/days.js";
import { LINE_WORDS } from "./line_words.js";

/**
 * A day, a time, or both in either order, each with its preposition; null for other words.
 * @param {readonly string[]} words In lower case. @param {LineLanguage} language
 * @returns {LineMoment | null}
 */
export function readMoment(words, language) {
  for (let at = 0; at <= words.length; at++) {
    const [before, after] = [words.slice(0, at), words.slice(at)];
    const found = dayAndClock(before, after, language) ?? dayAndClock(after, before, language);
    if (found !== null) return found;
  }
  return null;
}

/** Null if one of the two cannot be read. @type {DayAndClock} */
function dayAndClock(dayWords, clockWords, language) {
  const day = readPart(dayWords, language, "named", namedDay) ??
    readPart(dayWords, language, "relative", relativeDay);
  const clock = readPart(clockWords, language, "clock", readClock);
  const isMissing = (dayWords.length > 0 && day === null) ||
    (clockWords.length > 0 && clock === null);
  return isMissing || (day === null && clock === null) ? null : { day, clock };
}

/**
 * Null also after a preposition of other times.
 * @template Part
 * @param {readonly string[]} words @param {LineLanguage} language @param {string} kind
 * @param {(text: string, language: LineLanguage) => Part | null} read
 */
function readPart(words, language, kind, read) {
  const { prepositions } = LINE_WORDS[language];
  const before = [2, 1].find((count) => lookUp(prepositions, words.slice(0, count).join(" "))) ?? 0;
  const kinds = lookUp(prepositions, words.slice(0, before).join(" ")) ?? [];
  const isFitting = kinds.length === 0 || kinds.includes(kind);
  return isFitting ? read(words.slice(before).join(" "), language) : null;
}

/** A weekday or a date. @type {ReadDayWords} */
function namedDay(text, language) {
  const weekday = CALENDAR[language].weekdays.indexOf(text);
  if (weekday >= 0) return { kind: "weekday", weekday };
  const date = writtenDay(text, language);
  return date && { kind: "date", date };
}

const MONTH_DAYS = 30;

/** As "tomorrow" or "in 3 days". @type {ReadDayWords} */
function relativeDay(text, language) {
  const { relative, nextWeek, one, units } = LINE_WORDS[language];
  const days = lookUp(relative, text);
  if (days !== undefined) return { kind: "relative", days };
  if (nextWeek.includes(text)) return { kind: "nextWeek" };
  const [, amount = "", name = ""] = /^in (\S+) (\S+)$/.exec(text) ?? [];
  const count = /^\d{1,4}$/.test(amount) ? Number(amount) : Number(one.includes(amount));
  const unit = lookUp(units, name) ?? 0;
  if (count * unit === 0) return null;
  const months = Math.floor(unit / MONTH_DAYS);
  return months === 0
    ? { kind: "relative", days: count * unit }
    : { kind: "months", months: count * months };
}
