/** The part of a text that a search shows. Pure. */

import { findWord, fold, SPACED, type Word } from "../records/search_index/words.ts";

/** Maximum code points of a snippet, and of those before the word. */
const [SNIPPET_LENGTH, LEAD_LENGTH] = [200, 60];

/**
 * Looks for words in one record's texts. The snippet is cut around the first word of the first text
 * that contains one.
 */
export class SnippetFinder {
  readonly #missing: Set<Word>;
  #snippet: string | null = null;

  constructor(words: readonly Word[]) {
    this.#missing = new Set(words);
  }

  /** True if every word was found; further texts then do not change the snippet. */
  get isComplete(): boolean {
    return this.#missing.size === 0;
  }

  /** Null until every word was found. */
  get snippet(): string | null {
    return this.isComplete ? this.#snippet : null;
  }

  /** Searches the next text; returns its number of folded characters. */
  look(text: string): number {
    const folded = fold(text);
    for (const word of this.#missing) {
      const at = findWord(folded, word);
      if (at === -1) continue;
      this.#missing.delete(word);
      this.#snippet ??= cutAround(text, placeOf(text, at));
    }
    return folded.length;
  }
}

/** Cuts a snippet around a position, at which a code point begins. */
function cutAround(text: string, at: number): string {
  const [start, end] = bounds(text, at);
  return text.slice(start, end);
}

/** The same, without parts of words at its ends, unless a word is longer than the lead. */
export function cutAtWords(text: string, at: number): string {
  const [start, end] = bounds(text, at);
  const [, afterStart] = partsOfWord(text, start);
  const [beforeEnd] = partsOfWord(text, end);
  return text.slice(start + afterStart, end - beforeEnd);
}

function bounds(text: string, at: number): readonly [start: number, end: number] {
  // A code point has at most two UTF-16 units.
  const reach = 2 * SNIPPET_LENGTH;
  const before = [...text.slice(Math.max(0, at - reach), at)];
  const after = [...text.slice(at, at + reach)].slice(0, SNIPPET_LENGTH);
  const lead = Math.max(LEAD_LENGTH, SNIPPET_LENGTH - after.length);
  const start = at - before.slice(-lead).join("").length;
  const shown = [...before.slice(-lead), ...after].slice(0, SNIPPET_LENGTH);
  return [start, start + shown.join("").length];
}

const WORD_AT_END = new RegExp(`${SPACED}+$`, "v");
const WORD_AT_START = new RegExp(`^${SPACED}+`, "v");

/**
 * The UTF-16 units before and after a position that belong to one word; none between two words, in
 * a script without spaces, and in a word longer than the lead.
 */
function partsOfWord(text: string, at: number): readonly [before: number, after: number] {
  const reach = 2 * (LEAD_LENGTH + 1);
  const before = text.slice(Math.max(0, at - reach), at).match(WORD_AT_END)?.[0] ?? "";
  const after = text.slice(at, at + reach).match(WORD_AT_START)?.[0] ?? "";
  const isCut = before !== "" && after !== "";
  return isCut && [...before + after].length <= LEAD_LENGTH
    ? [before.length, after.length]
    : [0, 0];
}

/**
 * Characters that never begin a part: marks, and those that a normalisation turns into a mark or
 * joins to the character before. These are vowels and finals of Hangul, sound marks of Kana, and
 * the vowel am of Thai and Lao.
 */
const JOINING = String.raw`\p{M}\u0e33\u0eb3\u1160-\u11ff\u3131-\u318e\uff9e-\uff9f\uffa0-\uffdc` +
  String.raw`\u{16d63}-\u{16d6a}`;

/** Parts of a text that fold alike, whether alone or within it: long ones, and the shortest. */
const LONG_PARTS = new RegExp(`[^]{1,1000}[${JOINING}]*`, "gv");
const SHORT_PARTS = new RegExp(`[^][${JOINING}]*`, "gv");

/** Maps a position in the folded text to the text. */
export function placeOf(
  text: string,
  foldedPlace: number,
  foldPart: (part: string) => string = fold,
): number {
  const long = partAt(text, LONG_PARTS, foldedPlace, foldPart);
  const within = foldedPlace - long.foldedStart;
  return long.start + partAt(long.text, SHORT_PARTS, within, foldPart).start;
}

interface Part {
  readonly text: string;
  readonly start: number;
  readonly foldedStart: number;
}

function partAt(
  text: string,
  parts: RegExp,
  foldedPlace: number,
  foldPart: (part: string) => string,
): Part {
  let foldedStart = 0;
  let found: Part = { text, start: 0, foldedStart };
  for (const { 0: part, index } of text.matchAll(parts)) {
    if (foldedStart > foldedPlace) break;
    const folded = foldPart(part);
    if (folded.length > 0) found = { text: part, start: index, foldedStart };
    foldedStart += folded.length;
  }
  return found;
}
