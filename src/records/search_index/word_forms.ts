/**
 * Forms of a word, by which BEST and the search for people compare words. Pure.
 *
 * A word is folded, in the letters of the order form (`łodz` as `lodz`), and spelt out (`müller` as
 * `mueller`).
 */

import { orderLetters } from "./order_form.ts";
import {
  ASCII,
  foldWith,
  hasOneCodePoint,
  runsOf,
  runsOfFolded,
  type Word,
  wordsOf,
} from "./words.ts";

export interface FormedWord extends Word {
  /** The folded word first, then each other form that differs. */
  readonly forms: readonly string[];
}

/** Letters that are spelt out before folding. */
const SPELT: Readonly<Record<string, string>> = {
  ä: "ae",
  Ä: "AE",
  ö: "oe",
  Ö: "OE",
  ü: "ue",
  Ü: "UE",
  å: "aa",
  Å: "AA",
  ø: "oe",
  Ø: "OE",
};
const SPELT_LETTER = new RegExp(`[${Object.keys(SPELT).join("")}]`, "gu");

/** Each letter that is spelt out has one of these characters before NFKC. */
const MAY_BE_SPELT = /[äÄöÖüÜåÅøØ\u212b\u0308\u030a\u{107a2}]/u;

/** The words of a text in their order, each with its forms. */
export function formedWordsOf(text: string): FormedWord[] {
  const words = wordsOf(text);
  if (ASCII.test(text)) return words.map((word) => ({ ...word, forms: [word.text] }));
  const spelt = speltRunsOf(text);
  return words.map((word, index) => ({
    ...word,
    forms: [...new Set([word.text, orderLetters(word.text), spelt?.[index] ?? word.text])],
  }));
}

/** The forms, except the folded ones, of the words of a text. */
export function furtherFormsOf(text: string): ReadonlySet<string> {
  if (ASCII.test(text)) return new Set();
  const further = formedWordsOf(text).flatMap(({ forms }) => forms.slice(1));
  return new Set(further);
}

/** Null if no letter may be spelt out. */
function speltRunsOf(text: string): readonly string[] | null {
  return MAY_BE_SPELT.test(text) ? runsOfFolded(foldSpelt(text)) : null;
}

/** Folds a text whose letters are spelt out. */
export function foldSpelt(text: string): string {
  return foldWith(text, spellOut);
}

function spellOut(text: string): string {
  return text.replaceAll(SPELT_LETTER, (letter) => SPELT[letter] ?? letter);
}

/** True if a form of one word is a form of the other. */
export function isSameWord(asked: FormedWord, word: FormedWord): boolean {
  return asked.forms.some((form) => word.forms.includes(form));
}

/**
 * True if a form of the asked word is the beginning of a form of the word. An asked word of an
 * unspaced script may be anywhere in a run.
 */
export function isBeginning(asked: FormedWord, word: FormedWord): boolean {
  if (asked.isUnspaced) return word.isUnspaced && word.text.includes(asked.text);
  return asked.forms.some((form) => word.forms.some((whole) => whole.startsWith(form)));
}

/** Like `isBeginning`, but a word of one code point of a spaced script matches whole words only. */
export function matchesWord(asked: FormedWord, word: FormedWord): boolean {
  const isWhole = !asked.isUnspaced && hasOneCodePoint(asked.text);
  return isWhole ? isSameWord(asked, word) : isBeginning(asked, word);
}

const STOP_WORDS: ReadonlySet<string> = new Set(runsOf(`
  a an and are as at be but by for from had has have he her his in is it its my of on or our she so
  that the their they this to was we were with you your
  aber als am auch auf aus bei das dem den der des die ein eine einem einen einer es fur hat ich ihr
  im ist mein mit nach nicht oder sie sind und uns von vor wie wir zu zum zur`));

/**
 * The words of a query that decide whether a record matches: all but stop words. If the query has
 * nothing else, its stop words count.
 */
export function countedWords<W extends Word>(words: readonly W[], hasTag: boolean): readonly W[] {
  const counted = words.filter(({ text }) => !STOP_WORDS.has(text));
  return counted.length > 0 || hasTag ? counted : words;
}
