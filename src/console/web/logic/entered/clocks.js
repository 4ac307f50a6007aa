/** Times of day as the reader's language writes them. */

import { simplified } from "./calendar_words.js";

const PLAIN = /^(\d{1,2}):(\d\d)$/;
const HALF_DAY = /^(\d{1,2})(?:[:.](\d\d))? ?([ap])\.?m\.?$/;
/** As `15 Uhr`, `9.30 Uhr` and `15 Uhr 30`. */
const UHR = /^(\d{1,2})(?:[:.](\d\d))? ?uhr(?: (\d\d))?$/;

/**
 * Minutes after midnight; null for another text, and for a time that no clock shows.
 * @param {string} text @param {LineLanguage} language
 */
export function readClock(text, language) {
  const time = simplified(text);
  const plain = PLAIN.exec(time);
  if (plain !== null) return minutesOf(plain[1], plain[2]);
  if (language === "de") {
    const [whole, hours, minutes, after] = UHR.exec(time) ?? [];
    if (whole === undefined || (minutes !== undefined && after !== undefined)) return null;
    return minutesOf(hours, minutes ?? after);
  }
  const [, hours, minutes, half] = HALF_DAY.exec(time) ?? [];
  const hour = Number(hours ?? 0);
  if (hour < 1 || hour > 12) return null;
  return minutesOf(String(hour % 12 + (half === "p" ? 12 : 0)), minutes);
}

/** @param {string | undefined} hours @param {string} [minutes] */
function minutesOf(hours, minutes = "0") {
  const [hour, minute] = [Number(hours), Number(minutes)];
  return hour < 24 && minute < 60 ? hour * 60 + minute : null;
}
