/** The date or time at the start or the end of a text. */

import { LINE_WORDS } from "./line_words.js";
import { readMoment } from "./moments.js";
import { cut, isDash, remainder, tokensOf, typed } from "./tokens.js";

/** As "on the 12th of March 2027 at 3 pm". */
const MAX_MOMENT_WORDS = 9;
/** Longest date before or after another one. */
const MAX_NEIGHBOUR_WORDS = 5;

/**
 * The moment that the text begins or ends with, and the text without it; null for none, and if it
 * can be read in two ways. A day at one end goes with a time at the other; otherwise the last one
 * counts.
 * @param {string} text @param {LineLanguage} language @param {ReadonlySet<string>} kept
 * @returns {FoundMoment | null}
 */
export function findMoment(text, language, kept) {
  const tokens = tokensOf(text);
  const first = edgeOf(tokens, language, true);
  const last = edgeOf(tokens, language, false);
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
function edgeOf(tokens, language, isStart) {
  const { binding, joining, dayParts } = LINE_WORDS[language];
  for (let count = Math.min(MAX_MOMENT_WORDS, tokens.length - 1); count > 0; count--) {
    const [near, all] = cut(tokens, count, isStart);
    const moment = momentOf(near, language, isStart);
    if (moment === null) continue;
    const others = withoutDash(all, isStart);
    const next = others.at(isStart ? 0 : -1)?.plain ?? "";
    const isRange = isStart && joining.includes(next);
    const isBound = (isStart ? dayParts : binding).includes(next) ||
      isTime(isRange ? others.slice(1) : others, language, isStart);
    return isBound ? null : { moment, count };
  }
  return null;
}

/** @param {readonly LineToken[]} tokens @param {boolean} isStart */
function withoutDash(tokens, isStart) {
  return isDash(tokens.at(isStart ? 0 : -1)) ? cut(tokens, 1, isStart)[1] : tokens;
}

/** True if a day or a time follows or precedes. @type {IsTime} */
function isTime(tokens, language, isStart) {
  for (let count = Math.min(MAX_NEIGHBOUR_WORDS, tokens.length); count > 0; count--) {
    const [near] = cut(tokens, count, isStart);
    if (readMoment(near.map(({ plain }) => plain), language) !== null) return true;
  }
  return false;
}

/** @type {MomentOfTokens} */
function momentOf(tokens, language, isStart) {
  const { nouns } = LINE_WORDS[language];
  const isNoun = tokens.some(({ word, plain }, index) =>
    (index > 0 || !isStart) && nouns.includes(plain.replace(/\W$/, "")) &&
    !plain.startsWith(word[0] ?? "")
  );
  if (isNoun) return null;
  const words = tokens.map(({ plain }) => plain);
  // A colon after a day at the start, or the mark that ends the sentence.
  const last = (words.pop() ?? "").replace(isStart ? /:$/ : /!$|(?<=\D)\.$/, "");
  return readMoment([...words, last], language);
}
