/** How often a routine repeats, at the start or the end of a text. */

import { lookUp } from "../entered/calendar_words.js";
import { LINE_WORDS } from "./line_words.js";
import { plainText, remainder, tokensOf, typed } from "./tokens.js";

const MAX_WORDS = 3;
const MAX_DAYS = 3_650;
const AMOUNT = /^\d{1,4}$/;

/**
 * Null without an interval.
 * @param {string} text @param {LineLanguage} language @param {ReadonlySet<string>} kept
 */
export function findInterval(text, language, kept) {
  const tokens = tokensOf(text);
  for (const isStart of [false, true]) {
    for (let count = Math.min(MAX_WORDS, tokens.length - 1); count > 0; count--) {
      const near = isStart ? tokens.slice(0, count) : tokens.slice(-count);
      const days = daysOf(plainText(near).replace(/[:.!]$/, ""), language);
      if (days === null) continue;
      const rest = remainder(text, isStart ? tokens.slice(count) : tokens.slice(0, -count));
      const words = typed(text, near);
      return rest === "" || kept.has(words) ? null : { days, words, rest };
    }
  }
  return null;
}

/** @param {string} text @param {LineLanguage} language */
function daysOf(text, language) {
  const { phrases, word, units } = LINE_WORDS[language].every;
  const known = lookUp(phrases, text);
  if (known !== undefined) return known;
  const [first, amount = "", unit = "", ...more] = text.split(" ");
  const days = Number(amount) * (lookUp(units, unit) ?? 0);
  const isInterval = first === word && AMOUNT.test(amount) && more.length === 0;
  return isInterval && days > 0 && days <= MAX_DAYS ? days : null;
}
