/** A line of Markdown with emphasis and code. */

/** Kinds of emphasis, as bits. */
export const STRONG = 1;
export const EMPHASIS = 2;
export const STRUCK = 4;
export const CODE = 8;
const ALL = 15;

/** The order in which marks open; nothing opens inside code. */
const MARKS: ReadonlyMap<number, string> = new Map([
  [STRONG, "**"],
  [EMPHASIS, "*"],
  [STRUCK, "~~"],
  [CODE, "`"],
]);

/** Writes pieces of text with their emphasis. Blanks stay outside of marks; no mark is empty. */
export class InlineText {
  #text = "";
  /** Bits of the open marks, the outermost first. */
  readonly #open: number[] = [];
  /** Blanks after the last word, and the emphasis that all of them have. */
  #blanks = "";
  #blanksEmphasis = ALL;

  /** True without words or Markdown; it may have blanks. */
  get isEmpty(): boolean {
    return this.#text === "";
  }

  get length(): number {
    return this.#text.length;
  }

  /** @param emphasis Bits. */
  add(text: string, emphasis: number): void {
    const start = text.length - text.trimStart().length;
    this.#blanks += text.slice(0, start);
    this.#blanksEmphasis &= emphasis;
    if (start === text.length) return;
    const end = text.trimEnd().length;
    this.#close(this.#blanksEmphasis);
    this.#text += this.#blanks;
    this.#openMarks(emphasis);
    this.#text += text.slice(start, end);
    this.#blanks = text.slice(end);
    this.#blanksEmphasis = ALL;
  }

  /** Adds Markdown without emphasis. */
  addMarkdown(markdown: string): void {
    this.#close(0);
    this.#text += this.#blanks + markdown;
    this.#blanks = "";
    this.#blanksEmphasis = ALL;
  }

  /** The Markdown, and the blanks after it. */
  end(): { readonly markdown: string; readonly blanks: string } {
    this.#close(0);
    return { markdown: this.#text, blanks: this.#blanks };
  }

  /** Closes all marks that are not to be kept. */
  #close(kept: number): void {
    while (this.#open.some((bit) => (bit & kept) === 0)) {
      this.#text += MARKS.get(this.#open.pop() ?? 0) ?? "";
    }
  }

  #openMarks(emphasis: number): void {
    for (const [bit, mark] of MARKS) {
      if ((emphasis & bit) === 0 || this.#open.includes(bit) || this.#open.includes(CODE)) continue;
      this.#open.push(bit);
      this.#text += mark;
    }
  }
}
