/** Words of the calendar by language, and how a typed text is compared with them. */

import { CALENDAR_DE } from "./words_de.js";
import { CALENDAR_EN } from "./words_en.js";

/** @type {Readonly<Record<LineLanguage, CalendarWords>>} */
export const CALENDAR = { en: CALENDAR_EN, de: CALENDAR_DE };

/** Longer texts are not a date, a time or a number. */
const MAX_LENGTH = 80;

/** In lower case, without commas or double spaces; empty for a long text. @param {string} text */
export function simplified(text) {
  if (text.length > MAX_LENGTH) return "";
  return text.normalize("NFC").toLowerCase().replace(/[\s,]+/g, " ").trim();
}

/**
 * Undefined for a word that the table does not have.
 * @template Value
 * @param {Readonly<Record<string, Value>>} table
 * @param {string} word
 */
export function lookUp(table, word) {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
