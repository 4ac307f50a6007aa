/** Lines of Markdown in their quotes and lists, and whether they are code between fences. */

import { matchAt } from "./next_match.ts";

export type LineKind = "text" | "fence" | "code";

export interface FencedLine {
  readonly start: number;
  /** The start of the next line. */
  readonly end: number;
  /** Without blanks at its end. */
  readonly text: string;
  readonly kind: LineKind;
}

export function* fencedLines(text: string): Generator<FencedLine> {
  const fences = new Fences(text);
  for (let start = 0; start < text.length;) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    yield { start, end, text: text.slice(start, end).trimEnd(), kind: fences.read(start) };
    start = end;
  }
}

/** Columns of blanks before a line that make it code, or a part of the paragraph before it. */
const CODE_INDENT = 4;
/** Quotes and items of lists around a line; more of them are text. */
const MAX_CONTAINERS = 100;
const QUOTE = 0;

const LIST_MARK = /(?:[-*+]|\d{1,9}[.)])(?=[ \t\r\n]|$)/y;
const RULE = /([-*_])(?:[ \t]{0,100}\1){2,80}[ \t]{0,100}(?=[\r\n]|$)/y;
const HEADING = /#{1,6}(?=[ \t\r\n]|$)/y;
const FENCE = /`{3,}|~{3,}/y;
const FENCE_END = /(`+|~+)[ \t]*(?=[\r\n]|$)/y;
const LINE_END = /[\r\n]|$/g;

/** The fences of a text, whose lines are read in their order by the rules of CommonMark. */
export class Fences {
  readonly #text: string;
  /** Around the last line: `QUOTE`, or the columns before the text of an item of a list. */
  #containers: readonly number[] = [];
  /** The mark with which the code around the position begins. */
  #fence: string | null = null;
  #isParagraph = false;
  #contentStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** True if the next line may continue the paragraph of the last one. */
  get isParagraph(): boolean {
    return this.#isParagraph;
  }

  /** The position after quotes, marks of lists and blanks of the last line of text. */
  get contentStart(): number {
    return this.#contentStart;
  }

  /** Reads the line at a position. */
  read(start: number): LineKind {
    const line = new Line(this.#text, start);
    const kept = this.#enter(line);
    const isInside = kept === this.#containers.length;
    if (this.#fence !== null && isInside) {
      const [, end = ""] = line.match(FENCE_END) ?? [];
      if (!end.startsWith(this.#fence)) return "code";
      this.#fence = null;
      return "fence";
    }
    this.#fence = null;
    const opened = openContainers(line, MAX_CONTAINERS - kept);
    this.#contentStart = line.at;
    const mark = fenceAt(line);
    const isBlock = mark !== null || line.isBlank || line.match(HEADING) !== null ||
      line.match(RULE) !== null;
    const isLazy = this.#isParagraph && !isInside && opened.length === 0 && !isBlock;
    if (!isLazy) this.#containers = [...this.#containers.slice(0, kept), ...opened];
    const isContinued = this.#isParagraph && opened.length === 0 && (isInside || isLazy);
    this.#isParagraph = !isBlock && (line.indent < CODE_INDENT || isContinued);
    this.#fence = mark;
    return mark === null ? "text" : "fence";
  }

  /** Whether a line after the last one begins code. */
  isFence(start: number): boolean {
    const line = new Line(this.#text, start);
    openContainers(line, MAX_CONTAINERS - this.#enter(line));
    return fenceAt(line) !== null;
  }

  /** Skips the marks and blanks of the open containers; returns the number that the line is in. */
  #enter(line: Line): number {
    const end = this.#containers.findIndex((container) =>
      container === QUOTE ? !line.skipQuote() : !line.skipColumns(container)
    );
    return end === -1 ? this.#containers.length : end;
  }
}

function openContainers(line: Line, maximum: number): readonly number[] {
  const opened: number[] = [];
  while (opened.length < maximum) {
    const columns = line.skipQuote() ? QUOTE : line.skipListMark();
    if (columns === null) break;
    opened.push(columns);
  }
  return opened;
}

/** The mark of a fence; null without one. No backtick follows a fence of backticks. */
function fenceAt(line: Line): string | null {
  const mark = line.match(FENCE)?.[0];
  if (mark === undefined) return null;
  return mark.startsWith("`") && line.hasBacktickAfter(mark.length) ? null : mark;
}

/** A position in a line. A tab ends at the next multiple of four columns. */
class Line {
  /** The first character that is not blank. */
  at: number;
  readonly #text: string;
  /** The column up to which the line is read, and that of the character. */
  #column = 0;
  #end = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.at = start;
    this.#skipBlanks();
  }

  /** Columns of blanks before the character. */
  get indent(): number {
    return this.#end - this.#column;
  }

  get isBlank(): boolean {
    const character = this.#text[this.at] ?? "\n";
    return character === "\n" || character === "\r";
  }

  /** A mark at the character; null if the indent makes it code. */
  match(pattern: RegExp): RegExpExecArray | null {
    return this.indent < CODE_INDENT ? matchAt(pattern, this.#text, this.at) : null;
  }

  hasBacktickAfter(length: number): boolean {
    LINE_END.lastIndex = this.at + length;
    const end = LINE_END.exec(this.#text)?.index;
    return this.#text.slice(this.at + length, end).includes("`");
  }

  /** A blank line belongs to any item. */
  skipColumns(columns: number): boolean {
    if (this.isBlank) return true;
    if (this.indent < columns) return false;
    this.#column += columns;
    return true;
  }

  skipQuote(): boolean {
    if (this.indent >= CODE_INDENT || this.#text[this.at] !== ">") return false;
    this.#skip(1);
    this.#column += Math.min(1, this.indent);
    return true;
  }

  /** Returns the columns before the text of the item; null without one. */
  skipListMark(): number | null {
    const mark = this.match(RULE) === null ? this.match(LIST_MARK)?.[0] : undefined;
    if (mark === undefined) return null;
    const before = this.indent + mark.length;
    this.#skip(mark.length);
    const blanks = this.isBlank || this.indent > CODE_INDENT ? 1 : this.indent;
    this.#column += Math.min(blanks, this.indent);
    return before + blanks;
  }

  #skip(length: number): void {
    this.at += length;
    this.#end += length;
    this.#column = this.#end;
    this.#skipBlanks();
  }

  #skipBlanks(): void {
    for (;; this.at++) {
      const character = this.#text[this.at];
      if (character === " ") this.#end++;
      else if (character === "\t") this.#end += CODE_INDENT - this.#end % CODE_INDENT;
      else return;
    }
  }
}
