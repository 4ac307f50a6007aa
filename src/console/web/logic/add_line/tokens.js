/** A typed text as words with their places. */

import { titleOf } from "../../fields/shown/titles.js";
import { simplified } from "../entered/calendar_words.js";

const DASHES = ["-", "–", "—"];

/** @param {string} text @returns {LineToken[]} */
export function tokensOf(text) {
  return Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({
    word,
    plain: simplified(word),
    start: index,
    end: index + word.length,
  }));
}

/** The words as they were typed. @param {string} text @param {readonly LineToken[]} tokens */
export function typed(text, tokens) {
  return text.slice(tokens[0]?.start, tokens.at(-1)?.end ?? 0);
}

/** In lower case, with single spaces. @param {readonly LineToken[]} tokens */
export function plainText(tokens) {
  return tokens.map(({ plain }) => plain).join(" ");
}

/**
 * The first tokens, or the last ones, and the others.
 * @param {readonly LineToken[]} tokens @param {number} count @param {boolean} isStart
 * @returns {[near: LineToken[], others: LineToken[]]}
 */
export function cut(tokens, count, isStart) {
  const at = isStart ? count : tokens.length - count;
  const [before, after] = [tokens.slice(0, at), tokens.slice(at)];
  return isStart ? [before, after] : [after, before];
}

/** @param {LineToken | undefined} token */
export function isDash(token) {
  return token !== undefined && DASHES.includes(token.word);
}

/**
 * The text of the tokens without dashes and marks that only separated it from a part.
 * @param {string} text @param {readonly LineToken[]} tokens
 */
export function remainder(text, tokens) {
  const first = tokens.findIndex((token) => !isDash(token));
  const last = tokens.findLastIndex((token) => !isDash(token));
  return first < 0 ? "" : typed(text, tokens.slice(first, last + 1)).replace(/[,;:]$/, "");
}

/** True if a title holds the whole text. @param {string} text */
export function fitsTitle(text) {
  return titleOf(text) === text.trim();
}
