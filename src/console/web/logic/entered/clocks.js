/** Times of day as the reader's language writes them. */

import { simplified } from "./calendar_words.js";

const PLAIN = /^(\d{1,2}):(\d\d)$/;
const HALF_DAY = /^(\d{1,2})(?:[:.](\d\d))? ?([ap])\.?m\.?$/;
/** As `15 Uhr` and `9.30 Uhr`. */
const UHR = /^(\d{1,2})(?:[:.](\d\d))? ?uhr$/;

/**
 * Minutes after midnight; null for another text, and for a time that no clock shows.
 * @param {string} text @param {LineLanguage} language
 */
export function readClock(text, language) {
  const time = simplified(text);
  const plain = PLAIN.exec(time);
  const german = language === "de" ? UHR.exec(time) : null;
  const [, at, past] = plain ?? german ?? [];
  if (at !== undefined) return minutesOf(at, past);
  if (language === "de") return null;
  const [, hours, minutes, half] = HALF_DAY.exec(time) ?? [];
  const hour = Number(hours ?? 0);
  if (hour < 1 || hour > 12) return null;
  return minutesOf(String(hour % 12 + (half === "p" ? 12 : 0)), minutes);
}

/** @param {string} hours @param {string} [minutes] */
function minutesOf(hours, minutes = "0") {
  const [hour, minute] = [Number(hours), Number(minutes)];
  return hour < 24 && minute < 60 ? hour * 60 + minute : null;
}
