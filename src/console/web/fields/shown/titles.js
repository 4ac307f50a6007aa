/** Titles of texts. */

const TITLE_LENGTH = 200;

/** The first line that is not empty, cut to a title's length. @param {string} text */
export function titleOf(text) {
  const line = text.split(/[\n\r\u2028\u2029]/).find((line) => line.trim() !== "") ?? "";
  // A title is one line of printable characters.
  const plain = line.replace(/\p{Cc}+/gu, " ").trim();
  return Array.from(plain).slice(0, TITLE_LENGTH).join("").trim();
}
