/** Words that differ from an asked word by one edit. Pure. */

import { orderLetters } from "./order_form.ts";
import type { FormedWord } from "./word_forms.ts";
import { fold } from "./words.ts";

/** Letters of an asked word, and of the word of a title. */
const [MIN_ASKED, MIN_FOUND] = [4, 5];

/** A query asks for each neighbour. */
const MAX_NEIGHBOURS = 1_500;

/** The folded letters of each alphabet. */
const ALPHABETS: readonly (readonly string[])[] = ["az", "αω", "ая"].map((ends) => {
  const [first = 0, last = 0] = [...ends].map((letter) => letter.charCodeAt(0));
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index))
    .filter((letter) => fold(letter) === letter);
});

/**
 * The words that one edit makes of a word: a letter left out, two neighbours exchanged, a letter
 * replaced or added, in this order, at most 1,500. Empty if the word has less than four letters, or
 * others than those of one alphabet.
 *
 * @param word Folded.
 */
export function neighboursOf(word: string): ReadonlySet<string> {
  const alphabet = ALPHABETS.find((letters) => [...word].every((one) => letters.includes(one)));
  if (alphabet === undefined || word.length < MIN_ASKED) return new Set();
  const places = Array.from(word, (_letter, at) => [word.slice(0, at), word.slice(at)] as const);
  const neighbours = new Set([
    ...places.map(([before, after]) => before + after.slice(1)),
    ...places.map(([before, after]) => before + after.charAt(1) + after.charAt(0) + after.slice(2)),
    ...places.flatMap(([before, after]) =>
      alphabet.map((letter) => before + letter + after.slice(1))
    ),
    ...[...places, [word, ""]].flatMap(([before, after]) =>
      alphabet.map((letter) => `${before}${letter}${after}`)
    ),
  ]);
  neighbours.delete(word);
  return new Set([...neighbours].slice(0, MAX_NEIGHBOURS));
}

/** The forms, in letters of the order form, of a title's word to which another may be close. */
export function closeFormsOf({ text, forms }: FormedWord): ReadonlySet<string> {
  return [...text].length < MIN_FOUND ? new Set() : new Set(forms.map(orderLetters));
}

/** True if one edit makes the asked word equal to a form of the word, which a title has. */
export function isClose(neighbours: ReadonlySet<string>, word: FormedWord): boolean {
  return [...closeFormsOf(word)].some((form) => neighbours.has(form));
}
