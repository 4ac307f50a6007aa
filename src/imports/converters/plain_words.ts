/** The visible words of a line of Markdown. Reading takes linear time for any line. */

const PUNCTUATION = /[\p{P}\p{S}]/u;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const TAG = /^\/?[a-z][a-z0-9-]*(?:[\s/]|$)/i;
const AUTOLINK = /^(?:[a-z][a-z0-9+.-]{1,31}:\S*|[^\s@]+@[^\s@]+)$/i;

/**
 * Removes embeds, tags of HTML, paired marks (`*`, `_`, `~~`, `==`, backticks) and backslashes
 * before punctuation. Links become their words.
 */
export function plainWords(line: string): string {
  return new LineReader(line).read();
}

/** Marks of one kind in a row, which may open or close emphasis. */
interface MarkRun {
  readonly length: number;
  /** True if it may open an emphasis and close another one. */
  readonly isBoth: boolean;
}

/** A run of marks that may open an emphasis. */
interface Opener extends MarkRun {
  /** Its index in the pieces. */
  readonly piece: number;
  /** Marks that nothing has closed yet. */
  left: number;
}

/** Openers that a closing run is compared with. */
const MAX_OPENERS = 10;

interface Bracket {
  readonly piece: number;
  readonly isEmbed: boolean;
}

class LineReader {
  readonly #line: string;
  readonly #pieces: string[] = [];
  readonly #brackets: Bracket[] = [];
  readonly #openers = new Map<string, Opener[]>();
  /** The next position of a text, which saves searching again from each character. */
  readonly #next = new Map<string, number>();
  readonly #parentheses: ReadonlyMap<number, number>;
  readonly #codeEnds: ReadonlyMap<number, number>;
  #at = 0;

  constructor(line: string) {
    this.#line = line;
    this.#parentheses = pairsOf(line);
    this.#codeEnds = codeEndsOf(line);
  }

  read(): string {
    while (this.#at < this.#line.length) this.#readNext();
    return this.#pieces.join("");
  }

  #readNext(): void {
    const character = this.#line[this.#at] ?? "";
    const next = this.#line[this.#at + 1] ?? "";
    if (character === "\\" && ESCAPABLE.test(next)) return this.#push(next, 2);
    switch (character) {
      case "`":
        return this.#readCode();
      case "<":
        return this.#readTag();
      case "!":
        if (next === "[") return this.#openBracket(true);
        break;
      case "[":
        return this.#openBracket(false);
      case "]":
        return this.#closeBracket();
      case "*":
      case "_":
      case "~":
      case "=":
        return this.#readMarks(character);
    }
    this.#push(character, 1);
  }

  #push(text: string, length: number): void {
    this.#pieces.push(text);
    this.#at += length;
  }

  /** Leaves something out, and one of the blanks around it. */
  #skipTo(end: number): void {
    const before = this.#pieces.at(-1)?.at(-1) ?? " ";
    this.#at = end;
    if (/\s/.test(before) && /\s/.test(this.#line[end] ?? "")) this.#at++;
  }

  #indexOf(text: string, from: number): number {
    const known = this.#next.get(text) ?? -1;
    if (known >= from) return known;
    const found = this.#line.indexOf(text, from);
    const next = found === -1 ? Infinity : found;
    this.#next.set(text, next);
    return next;
  }

  #readCode(): void {
    const length = runLength(this.#line, this.#at);
    const start = this.#at + length;
    const end = this.#codeEnds.get(this.#at);
    if (end === undefined) return this.#push(this.#line.slice(this.#at, start), length);
    const code = this.#line.slice(start, end);
    // One blank at both ends parts the code from backticks in it.
    const isPadded = code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "";
    this.#push(isPadded ? code.slice(1, -1) : code, end + length - this.#at);
  }

  #readTag(): void {
    const start = this.#at + 1;
    if (this.#line.startsWith("!--", start)) {
      const end = this.#indexOf("-->", start);
      if (end !== Infinity) return this.#skipTo(end + "-->".length);
    }
    const end = this.#indexOf(">", start);
    if (end < this.#indexOf("<", start)) {
      const inner = this.#line.slice(start, end);
      if (TAG.test(inner)) return this.#skipTo(end + 1);
      if (AUTOLINK.test(inner)) return this.#push(inner, end + 1 - this.#at);
    }
    this.#push("<", 1);
  }

  #openBracket(isEmbed: boolean): void {
    const start = this.#at + (isEmbed ? 1 : 0);
    const inner = start + "[[".length;
    const end = this.#line.startsWith("[[", start) ? this.#indexOf("]]", inner) : Infinity;
    if (end < this.#indexOf("[[", inner)) {
      if (isEmbed) return this.#skipTo(end + "]]".length);
      const words = this.#line.slice(inner, end);
      return this.#push(words.slice(words.indexOf("|") + 1), end + "]]".length - this.#at);
    }
    this.#brackets.push({ piece: this.#pieces.length, isEmbed });
    this.#push(isEmbed ? "![" : "[", start + 1 - this.#at);
  }

  /** Ends the words of a link, or an embed, if an address follows. */
  #closeBracket(): void {
    const bracket = this.#brackets.pop();
    const end = this.#parentheses.get(this.#at + 1);
    if (bracket === undefined || end === undefined) return this.#push("]", 1);
    if (!bracket.isEmbed) {
      this.#pieces[bracket.piece] = "";
      this.#at = end + 1;
      return;
    }
    this.#pieces.length = bracket.piece;
    for (const openers of this.#openers.values()) {
      while ((openers.at(-1)?.piece ?? -1) >= bracket.piece) openers.pop();
    }
    this.#skipTo(end + 1);
  }

  #readMarks(mark: string): void {
    const length = runLength(this.#line, this.#at);
    const { canOpen, canClose } = this.#sidesOf(mark, length);
    const run = { length, isBoth: canOpen && canClose };
    let left = length;
    const openers = this.#openers.get(mark) ?? [];
    this.#openers.set(mark, openers);
    while (canClose && left > 0) {
      const opener = openers.slice(-MAX_OPENERS).findLast((each) => mayPair(each, run));
      if (opener === undefined) break;
      openers.length = openers.lastIndexOf(opener) + 1;
      const paired = Math.min(left, opener.left);
      left -= paired;
      opener.left -= paired;
      this.#pieces[opener.piece] = mark.repeat(opener.left);
      if (opener.left === 0) openers.pop();
    }
    if (canOpen && left > 0) openers.push({ ...run, piece: this.#pieces.length, left });
    this.#push(mark.repeat(left), length);
  }

  /** Whether a run of marks may open or close an emphasis, by the rules of CommonMark. */
  #sidesOf(mark: string, length: number) {
    const isDouble = mark === "~" || mark === "=";
    if (isDouble && length !== 2) return { canOpen: false, canClose: false };
    const before = this.#line[this.#at - 1] ?? " ";
    const after = this.#line[this.#at + length] ?? " ";
    const [isAfterBlank, isBeforeBlank] = [/\s/.test(before), /\s/.test(after)];
    const [isAfterMark, isBeforeMark] = [PUNCTUATION.test(before), PUNCTUATION.test(after)];
    const canOpen = !isBeforeBlank && (!isBeforeMark || isAfterBlank || isAfterMark);
    const canClose = !isAfterBlank && (!isAfterMark || isBeforeBlank || isBeforeMark);
    if (mark !== "_") return { canOpen, canClose };
    return {
      canOpen: canOpen && (!canClose || isAfterMark),
      canClose: canClose && (!canOpen || isBeforeMark),
    };
  }
}

/** By the rules of CommonMark, so that the marks of a path such as `a/**\/*.md` stay. */
function mayPair(opener: MarkRun, closer: MarkRun): boolean {
  const isBoth = opener.isBoth || closer.isBoth;
  const isThird = opener.length % 3 === 0 && closer.length % 3 === 0;
  return !isBoth || isThird || (opener.length + closer.length) % 3 !== 0;
}

/** The length of the run of one character. */
function runLength(line: string, start: number): number {
  let end = start + 1;
  while (line[end] === line[start]) end++;
  return end - start;
}

/** The closing parentheses by the positions of the opening ones. */
function pairsOf(line: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line[at] === "(") open.push(at);
    else if (line[at] === ")") {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, at);
    }
  }
  return pairs;
}

/** The next run of as many backticks, by the position of each run of a line or paragraph. */
export function codeEndsOf(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const later = new Map<number, number>();
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].toReversed()) {
    const end = later.get(run.length);
    if (end !== undefined) ends.set(index, end);
    later.set(run.length, index);
  }
  return ends;
}
