/** How often a routine repeats, at the start or the end of a text. */

import { lookUp } from "../entered/calendar_words.js";
import { LINE_WORDS } from "./line_words.js";
import { cut, plainText, remainder, tokensOf, typed } from "./tokens.js";

const MAX_INTERVAL = { words: 3, days: 3_650 };

/** @param {string} text @param {LineLanguage} language @param {ReadonlySet<string>} kept */
export function findInterval(text, language, kept) {
  const tokens = tokensOf(text);
  for (const isStart of [false, true]) {
    for (let count = Math.min(MAX_INTERVAL.words, tokens.length - 1); count > 0; count--) {
      const [near, others] = cut(tokens, count, isStart);
      const days = daysOf(plainText(near).replace(/[:.!]$/, ""), language);
      if (days === null) continue;
      const rest = remainder(text, others);
      const words = typed(text, near);
      return rest === "" || kept.has(words) ? null : { days, words, rest };
    }
  }
  return null;
}

/** As "daily" or "every 4 days". @param {string} text @param {LineLanguage} language */
function daysOf(text, language) {
  const { units, every: { phrases, word, whole } } = LINE_WORDS[language];
  const [first = "", middle, last] = text.split(" ");
  const unit = lookUp(units, last ?? middle ?? "") ?? 0;
  if (middle === undefined) return lookUp(phrases, first) ?? null;
  if (last === undefined) return whole.includes(first) && unit > 0 ? unit : null;
  const days = /^\d{1,4}$/.test(middle) ? Number(middle) * unit : 0;
  return first === word && days > 0 && days <= MAX_INTERVAL.days ? days : null;
}
