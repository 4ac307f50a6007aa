/** Bounded words of a file for reports: each shown name passes `reportWord`. */

import { Buffer } from "node:buffer";
import { firstCodePoints } from "../validate/text.ts";

const MAX_CODE_POINTS = 200;
/** Maximum length of a path in code points. */
export const MAX_PATH = 1024;
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;
/** Replaces words beyond the size of a list. */
const OTHER_WORD = "other";

/** The word, well-formed, with blanks for control characters, and cut to a maximum length. */
export function reportWord(word: string, maximum = MAX_CODE_POINTS): string {
  return withoutControls(firstCodePoints(word, maximum).toWellFormed());
}

/** The text with blanks for control characters. */
export function withoutControls(text: string): string {
  return text.replaceAll(CONTROLS, " ");
}

/** Distinct words that fit in a number of bytes of JSON. */
export class BoundedWords {
  readonly #words = new Set<string>();
  readonly #maximumBytes: number;
  #bytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** The word as a report shows it; `other` beyond the maximum bytes. */
  fit(sent: string): string {
    const word = reportWord(sent);
    if (this.#words.has(word)) return word;
    const bytes = Buffer.byteLength(JSON.stringify(word));
    if (this.#bytes + bytes > this.#maximumBytes) return OTHER_WORD;
    this.#bytes += bytes;
    this.#words.add(word);
    return word;
  }
}

export function boundedWords(words: readonly string[], maximumBytes: number): string[] {
  const bounded = new BoundedWords(maximumBytes);
  return [...new Set(words.map((word) => bounded.fit(word)))];
}
