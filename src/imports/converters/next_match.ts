/**
 * Finds the next match of a pattern at or after a position. Look-ups at positions that do not
 * decrease read the text once together.
 */
export class NextMatch {
  readonly #text: string;
  readonly #pattern: RegExp;
  #from = 0;
  #match = -1;

  /** @param pattern With the flag `g`. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** The position of the match; the length of the text without one. */
  from(position: number): number {
    if (position >= this.#from && position <= this.#match) return this.#match;
    this.#from = position;
    this.#pattern.lastIndex = position;
    this.#match = this.#pattern.exec(this.#text)?.index ?? this.#text.length;
    return this.#match;
  }
}

/** The match of a pattern with the flag `y` at a position; null without one. */
export function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}
