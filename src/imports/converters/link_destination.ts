/** The part of a Markdown link in parentheses: its address, and a title. */

import { matchAt, NextMatch } from "./next_match.ts";

export interface Destination {
  /** The place of the address, with angle brackets around it. */
  readonly start: number;
  readonly end: number;
  /** The address as written, without angle brackets. */
  readonly address: string;
  /** The position after the closing parenthesis. */
  readonly after: number;
}

const DATA = /data:[^\s()<>[\]]*/iy;
const TITLE_IN_PARENTHESES = /\([^()\r\n]{0,1000}\)/y;

/** Reads destinations at positions that do not decrease, in linear time. */
export class Destinations {
  readonly #text: string;
  readonly #parentheses: Parentheses;
  readonly #blanks: NextMatch;
  readonly #lineEnds: NextMatch;
  readonly #angles: NextMatch;
  readonly #titles: NextMatch;
  readonly #links: NextMatch;
  readonly #emptyLines: NextMatch;
  readonly #quotes: Readonly<Record<string, NextMatch>>;

  constructor(text: string) {
    this.#text = text;
    this.#parentheses = new Parentheses(text);
    this.#blanks = new NextMatch(text, /[ \t\r\n]/g);
    this.#lineEnds = new NextMatch(text, /[\r\n]/g);
    this.#angles = new NextMatch(text, /[<>\r\n]/g);
    this.#titles = new NextMatch(text, /[ \t\r\n]["']/g);
    this.#links = new NextMatch(text, /\]\(/g);
    this.#emptyLines = new NextMatch(text, /\n[ \t]*\r?\n/g);
    this.#quotes = {
      '"': new NextMatch(text, /(?<!\\)"/g),
      "'": new NextMatch(text, /(?<!\\)'/g),
    };
  }

  /** Reads the destination after an opening parenthesis. Null if there is none. */
  read(open: number): Destination | null {
    const text = this.#text;
    const start = this.#skipBlanks(open + 1);
    if (text[start] === "<") {
      const close = this.#angles.from(start + 1);
      const after = text[close] === ">" ? this.#afterTitle(close + 1) : -1;
      if (after === -1) return null;
      return { start, end: close + 1, address: text.slice(start + 1, close), after };
    }
    const data = matchAt(DATA, text, start);
    if (data !== null) {
      const end = start + data[0].length;
      return this.#upTo(start, end, this.#afterTitle(end));
    }
    return this.#readPath(open, start);
  }

  /** A path, which may have blanks and pairs of parentheses in it. */
  #readPath(open: number, start: number): Destination | null {
    const text = this.#text;
    const close = this.#parentheses.closeOf(open);
    const blank = this.#blanks.from(start);
    if (close !== -1 && close <= blank) return this.#upTo(start, close, close + 1);
    const title = this.#titles.from(start);
    const inLine = Math.min(this.#links.from(start), this.#lineEnds.from(start) + 1);
    if (title < inLine && (close === -1 || title < close)) {
      const after = this.#afterTitle(title);
      if (after !== -1) return this.#upTo(start, title, after);
    }
    if (close === -1) return null;
    const inner = text[blank + 1] === "(" ? this.#parentheses.innerCloseOf(blank + 1) : -1;
    const hasTitle = inner !== -1 && this.#skipBlanks(inner + 1) === close;
    if (hasTitle || this.#skipBlanks(blank) === close) return this.#upTo(start, blank, close + 1);
    return inLine < close ? null : this.#upTo(start, close, close + 1);
  }

  #upTo(start: number, limit: number, after: number): Destination | null {
    let end = limit;
    while (end > start && isBlank(this.#text[end - 1])) end--;
    if (after === -1 || end === start) return null;
    return { start, end, address: this.#text.slice(start, end), after };
  }

  /** The position after the closing parenthesis, which a title may precede; -1 without it. */
  #afterTitle(from: number): number {
    const text = this.#text;
    let at = this.#skipBlanks(from);
    const quote = at > from ? this.#quotes[text[at] ?? ""] : undefined;
    if (quote !== undefined) {
      const close = quote.from(at + 1);
      if (close === text.length || this.#emptyLines.from(at) < close) return -1;
      at = this.#skipBlanks(close + 1);
    } else if (at > from) {
      const title = matchAt(TITLE_IN_PARENTHESES, text, at);
      if (title !== null) at = this.#skipBlanks(at + title[0].length);
    }
    return text[at] === ")" ? at + 1 : -1;
  }

  /** Skips blanks and one line end. */
  #skipBlanks(from: number): number {
    let at = from;
    let hasLineEnd = false;
    while (isBlank(this.#text[at])) {
      if (this.#text[at] === "\n") {
        if (hasLineEnd) break;
        hasLineEnd = true;
      }
      at++;
    }
    return at;
  }
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\n" || character === "\r";
}

/** Code units in which parentheses are paired at once; an address has half of them at most. */
const WINDOW = 8192;

/** Pairs parentheses, of which none is behind a backslash. */
class Parentheses {
  readonly #text: string;
  #start = -WINDOW;
  #closes = new Map<number, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The position of the parenthesis that closes the one at a position; -1 without one. */
  closeOf(open: number): number {
    if (open < this.#start || open >= this.#start + WINDOW / 2) this.#pair(open);
    return this.innerCloseOf(open);
  }

  /** Like `closeOf`, for a position between an earlier one and its pair. */
  innerCloseOf(open: number): number {
    return this.#closes.get(open) ?? -1;
  }

  #pair(start: number): void {
    this.#start = start;
    this.#closes = new Map();
    const opened: number[] = [];
    const end = Math.min(this.#text.length, start + WINDOW);
    for (let at = start; at < end; at++) {
      const character = this.#text[at];
      if (character === "\\") at++;
      else if (character === "(") opened.push(at);
      else if (character === ")") {
        const open = opened.pop();
        if (open !== undefined) this.#closes.set(open, at);
      }
    }
  }
}
