/** The date or time at the start or the end of a text. */

import { LINE_WORDS } from "./line_words.js";
import { readMoment } from "./moments.js";
import { isDash, plainText, remainder, tokensOf, typed } from "./tokens.js";

/** As "on the 12th of March 2027 at 3 pm". */
const MAX_WORDS = 9;
/** Longest date before or after another one. */
const MAX_NEIGHBOURS = 5;

/**
 * The moment that the text begins or ends with, and the text without it; null for none, and if it
 * can be read in two ways. A day at one end goes with a time at the other; otherwise the last one
 * counts.
 * @param {string} text @param {LineLanguage} language @param {ReadonlySet<string>} kept
 * @returns {FoundMoment | null}
 */
export function findMoment(text, language, kept) {
  const tokens = tokensOf(text);
  const first = atStart(tokens, language);
  const last = atEnd(tokens, language);
  const isPair = first !== null && last !== null && isOneMoment(first.moment, last.moment);
  const start = first !== null && (isPair || last === null) ? first.count : 0;
  const end = tokens.length - (last?.count ?? 0);
  const parts = [tokens.slice(0, start), tokens.slice(end)].filter(({ length }) => length > 0);
  const words = parts.map((part) => typed(text, part)).join(" … ");
  const rest = remainder(text, tokens.slice(start, end));
  if (parts.length === 0 || rest === "" || kept.has(words)) return null;
  const found = [last, start > 0 ? first : null].map((edge) => edge?.moment);
  const [day = null] = found.flatMap((moment) => moment?.day ?? []);
  const [clock = null] = found.flatMap((moment) => moment?.clock ?? []);
  return { moment: { day, clock }, words, rest };
}

/** True for a day and a time. @param {LineMoment} one @param {LineMoment} other */
function isOneMoment(one, other) {
  return (one.day === null) !== (other.day === null) &&
    (one.clock === null) !== (other.clock === null);
}

/** @type {FindEdge} */
function atEnd(tokens, language) {
  for (let count = Math.min(MAX_WORDS, tokens.length - 1); count > 0; count--) {
    const moment = momentOf(tokens, tokens.length - count, tokens.length, language);
    if (moment === null) continue;
    const before = tokens.slice(0, -count);
    const isBound = LINE_WORDS[language].binding.includes(before.at(-1)?.plain ?? "");
    return isBound || isTime(withoutDash(before, -1), language, true) ? null : { moment, count };
  }
  return null;
}

/** @type {FindEdge} */
function atStart(tokens, language) {
  const { joining, dayParts } = LINE_WORDS[language];
  for (let count = Math.min(MAX_WORDS, tokens.length - 1); count > 0; count--) {
    const moment = momentOf(tokens, 0, count, language);
    if (moment === null) continue;
    const after = withoutDash(tokens.slice(count, count + MAX_NEIGHBOURS + 2), 0);
    const next = after[0]?.plain ?? "";
    const others = joining.includes(next) ? after.slice(1) : after;
    const isBound = dayParts.includes(next) || isTime(others, language, false);
    return isBound ? null : { moment, count };
  }
  return null;
}

/** @type {(tokens: readonly LineToken[], at: 0 | -1) => readonly LineToken[]} */
function withoutDash(tokens, at) {
  if (!isDash(tokens.at(at))) return tokens;
  return at === 0 ? tokens.slice(1) : tokens.slice(0, -1);
}

/** True if they begin or end with a day or a time. */
function isTime(
  /** @type {readonly LineToken[]} */ tokens,
  /** @type {LineLanguage} */ language,
  /** @type {boolean} */ isLast,
) {
  for (let count = Math.min(MAX_NEIGHBOURS, tokens.length); count > 0; count--) {
    const near = isLast ? tokens.slice(-count) : tokens.slice(0, count);
    if (readMoment(plainText(near).split(" "), language) !== null) return true;
  }
  return false;
}

/** @type {MomentOfTokens} */
function momentOf(tokens, start, end, language) {
  const { nouns } = LINE_WORDS[language];
  const near = tokens.slice(start, end);
  const isNoun = near.some(({ word, plain }, index) =>
    start + index > 0 && nouns.includes(plain.replace(/\W$/, "")) &&
    !plain.startsWith(word[0] ?? "")
  );
  if (isNoun) return null;
  const words = near.map(({ plain }) => plain);
  // A colon after a day at the start, or the mark that ends the sentence.
  const last = words.pop() ?? "";
  const mark = start === 0 ? /:$/ : /[.!]$/;
  return readMoment([...words, last], language) ??
    readMoment([...words, last.replace(mark, "")], language);
}
