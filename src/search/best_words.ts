/** The words of a search that lists best matches first, and the classes of a title. Pure. */

import { isClose, neighboursOf } from "../records/search_index/close_words.ts";
import {
  countedWords,
  type FormedWord,
  formedWordsOf,
  isSameWord,
  matchesWord,
} from "../records/search_index/word_forms.ts";

/** The classes of matches, best first. */
export const MATCHES = ["EXACT", "START", "TITLE", "TEXT", "CLOSE", "TAG"] as const;
export type Match = (typeof MATCHES)[number];

/** CLOSE is computed for at most this many counted words. */
const MAX_CLOSE_WORDS = 4;

export interface AskedWords {
  /** All words, in their order. */
  readonly words: readonly FormedWord[];
  /** The words that decide whether a record matches: stop words only if `q` has nothing else. */
  readonly counted: readonly FormedWord[];
}

/** @param q Without its tags. */
export function askedWords(q: string, hasTag: boolean): AskedWords {
  const words = formedWordsOf(q);
  const counted = countedWords(words, hasTag);
  return {
    words,
    counted: [...new Map(counted.map((word) => [word.forms.join(" "), word])).values()],
  };
}

/** The classes that a record can have, best first. */
export function possibleMatches({ words, counted }: AskedWords): readonly Match[] {
  const ofOrder: Match[] = words.length === 0 ? [] : ["EXACT", "START"];
  if (counted.length === 0) return [...ofOrder, "TAG"];
  const mayBeClose = counted.length <= MAX_CLOSE_WORDS &&
    counted.some(({ text }) => neighboursOf(text).size > 0);
  return [...ofOrder, "TITLE", "TEXT", ...(mayBeClose ? ["CLOSE"] as const : [])];
}

/** The class of a record by its title alone; null if its title does not match. */
export function titleMatch({ words, counted }: AskedWords, title: string): Match | null {
  const held = formedWordsOf(title);
  if (beginsWith(held, words)) {
    const [last, other] = [words.at(-1), held[words.length - 1]];
    const isExact = held.length === words.length && last && other && isSameWord(last, other);
    return isExact ? "EXACT" : "START";
  }
  const isInTitle = (word: FormedWord) => held.some((other) => matchesWord(word, other));
  return counted.length > 0 && counted.every(isInTitle) ? "TITLE" : null;
}

/** True if a title has the words at its beginning; the last one may be the beginning of a word. */
function beginsWith(held: readonly FormedWord[], words: readonly FormedWord[]): boolean {
  const last = words.length - 1;
  if (last === -1 || held.length <= last) return false;
  return words.every((word, index) => {
    const other = held[index];
    if (other === undefined) return false;
    return isSameWord(word, other) || (index === last && begins(word, other));
  });
}

function begins(word: FormedWord, other: FormedWord): boolean {
  return word.isUnspaced ? other.text.startsWith(word.text) : matchesWord(word, other);
}

/** The word of a title to which a word is close; null if there is none. */
export function closeWord(word: FormedWord, title: string): FormedWord | null {
  const neighbours = neighboursOf(word.text);
  if (neighbours.size === 0) return null;
  return formedWordsOf(title).find((other) => isClose(neighbours, other)) ?? null;
}
