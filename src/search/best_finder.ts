/** Decides by its texts whether a record belongs to a class, and cuts its snippet. Pure. */

import { orderLetters } from "../records/search_index/order_form.ts";
import { foldSpelt, type FormedWord } from "../records/search_index/word_forms.ts";
import { ASCII, findWord, fold, hasOneCodePoint } from "../records/search_index/words.ts";
import { type AskedWords, closeWord, type Match, titleMatch } from "./best_words.ts";
import { cutAtWords, placeOf } from "./snippet.ts";

/** The foldings of a text that give its words in each of their forms. */
const FOLDINGS: readonly ((text: string) => string)[] = [
  fold,
  (text) => orderLetters(fold(text)),
  foldSpelt,
];

/**
 * Looks for the words of a search in one record's texts: title, summary, then the others in the
 * order of the catalog.
 */
export class BestFinder {
  readonly #asked: AskedWords;
  readonly #match: Match;
  readonly #missing: Set<FormedWord>;
  #title: string | null = null;
  /** The text and the place in it around which the snippet is cut. */
  #shown: readonly [text: string, at: number] | null = null;
  /** For TAG: the first text that is not blank, except the title. */
  #first: string | null = null;

  /** @param match The class of records to find. */
  constructor(asked: AskedWords, match: Match) {
    this.#asked = asked;
    this.#match = match;
    this.#missing = new Set(asked.counted.length > 0 ? asked.counted : asked.words);
  }

  /** True if further texts change neither the class nor the snippet. */
  get isComplete(): boolean {
    return this.#match === "TAG" ? this.#first !== null : this.#missing.size === 0;
  }

  /** Searches the next text, the title first; returns its number of folded characters. */
  look(text: string): number {
    if (this.#title === null) this.#title = text;
    else if (text.trim() !== "") this.#first ??= text;
    if (this.#match === "TAG") return text.length;
    const folded = foldingsOf(text);
    for (const word of this.#missing) {
      const at = placeIn(text, folded, word);
      if (at === null) continue;
      this.#missing.delete(word);
      this.#shown ??= [text, at];
    }
    return folded[0]?.length ?? 0;
  }

  /** The snippet, after all texts or once complete; null if the record is of another class. */
  get snippet(): string | null {
    const title = this.#title ?? "";
    const found = titleMatch(this.#asked, title);
    const isFound = this.#missing.size === 0;
    if (this.#match === "TAG") return found === null ? cutAtWords(this.#first ?? title, 0) : null;
    if (this.#match === "CLOSE") return isFound ? null : this.#closeSnippet(title);
    const match = found ?? (isFound ? "TEXT" : null);
    return match === this.#match && this.#shown ? cutAtWords(...this.#shown) : null;
  }

  #closeSnippet(title: string): string | null {
    const close = Array.from(this.#missing, (word) => closeWord(word, title));
    const [first] = close;
    if (first === undefined || first === null || close.includes(null)) return null;
    return cutAtWords(title, placeIn(title, foldingsOf(title), first) ?? 0);
  }
}

/** The folded text, then its other foldings, if they may differ. */
function foldingsOf(text: string): readonly string[] {
  return ASCII.test(text) ? [fold(text)] : FOLDINGS.map((foldText) => foldText(text));
}

/** The first place of a word in a text, in any form; null if the text does not have it. */
function placeIn(text: string, folded: readonly string[], word: FormedWord): number | null {
  const isWhole = hasOneCodePoint(word.text);
  const places = folded.flatMap((foldedText, index) => {
    // The folded words come first; other foldings often give the same text.
    if (index > 0 && folded.indexOf(foldedText) < index) return [];
    const found = word.forms
      .map((form) => findWord(foldedText, { ...word, text: form }, isWhole))
      .filter((at) => at !== -1);
    return found.length === 0 ? [] : [placeOf(text, Math.min(...found), FOLDINGS[index])];
  });
  return places.length === 0 ? null : Math.min(...places);
}
