/** Days and times of day in the words of the add line. */

import { CALENDAR, lookUp } from "../entered/calendar_words.js";
import { readClock } from "../entered/clocks.js";
import { writtenDay } from "../entered/days.js";
import { LINE_WORDS } from "./line_words.js";

const AMOUNT = /^\d{1,4}$/;

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

/** @type {DayAndClock} */
function dayAndClock(dayWords, clockWords, language) {
  const day = dayWords.length === 0 ? null : dayOf(dayWords, language);
  const clock = clockWords.length === 0 ? null : clockOf(clockWords, language);
  const isMissing = (dayWords.length > 0 && day === null) ||
    (clockWords.length > 0 && clock === null);
  return isMissing || (day === null && clock === null) ? null : { day, clock };
}

/** @param {readonly string[]} words @param {LineLanguage} language */
function clockOf(words, language) {
  const { kinds, rest } = withoutPreposition(words, language);
  return kinds.includes("clock") ? readClock(rest, language) : null;
}

/** @param {readonly string[]} words @param {LineLanguage} language */
function dayOf(words, language) {
  const { kinds, rest } = withoutPreposition(words, language);
  const day = namedDay(rest, language);
  if (day !== null) return kinds.includes("named") ? day : null;
  return kinds.includes("relative") ? relativeDay(rest, language) : null;
}

/** `kinds` are those that the preposition goes with. @type {WithoutPreposition} */
function withoutPreposition(words, language) {
  const { prepositions } = LINE_WORDS[language];
  for (const count of [2, 1]) {
    const kinds = lookUp(prepositions, words.slice(0, count).join(" "));
    if (kinds !== undefined && words.length > count) {
      return { kinds, rest: words.slice(count).join(" ") };
    }
  }
  return { kinds: ["named", "relative", "clock"], rest: words.join(" ") };
}

/** A weekday or a date. @type {ReadDayWords} */
function namedDay(text, language) {
  const weekday = lookUp(CALENDAR[language].weekdays, text);
  if (weekday !== undefined) return { kind: "weekday", weekday };
  const date = writtenDay(text, language);
  return date === null ? null : { kind: "date", date };
}

/** As "tomorrow" or "in 3 days". @type {ReadDayWords} */
function relativeDay(text, language) {
  const { relative, nextWeek, amounts, units } = LINE_WORDS[language];
  const days = lookUp(relative, text);
  if (days !== undefined) return { kind: "relative", days };
  if (nextWeek.includes(text)) return { kind: "nextWeek" };
  const [first, amount = "", name = "", ...more] = text.split(" ");
  const unit = lookUp(units, name);
  const count = AMOUNT.test(amount) ? Number(amount) : lookUp(amounts, amount) ?? 0;
  if (first !== "in" || unit === undefined || more.length > 0 || count < 1) return null;
  return unit.months === undefined
    ? { kind: "relative", days: count * (unit.days ?? 1) }
    : { kind: "months", months: count * unit.months };
}
