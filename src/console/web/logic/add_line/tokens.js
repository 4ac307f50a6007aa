/** A typed text as words with their places. */

import { simplified } from "../entered/calendar_words.js";

const TITLE_LENGTH = 200;
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

/** The first line that is not empty, cut to a title's length. @param {string} text */
export function titleOf(text) {
  const line = text.split(/[\n\r\u2028\u2029]/).find((line) => line.trim() !== "") ?? "";
  // A title is one line of printable characters.
  const plain = line.replace(/\p{Cc}+/gu, " ").trim();
  return Array.from(plain).slice(0, TITLE_LENGTH).join("").trim();
}

/** True if a title holds the whole text. @param {string} text */
export function fitsTitle(text) {
  return titleOf(text) === text.trim();
}
