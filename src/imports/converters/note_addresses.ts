/** The addresses in a Markdown text, found in one pass: outside of code and HTML comments. */

import { Fences } from "./fenced_lines.ts";
import { type Destination, Destinations } from "./link_destination.ts";
import { matchAt, NextMatch } from "./next_match.ts";
import { readTag } from "./html_tags.ts";

export interface NoteAddress {
  /** The part of the text that a new address replaces; of a wiki link all of it. */
  readonly start: number;
  readonly end: number;
  /** As written, without brackets around it. */
  readonly address: string;
  readonly form: "markdown" | "html" | "wiki";
  /** True if the text shows the content of the address. */
  readonly isEmbed: boolean;
  /** The rest of a wiki link from `|` on; empty in other forms. */
  readonly rest: string;
  /** The whole link of an address in parentheses; absent in other forms. */
  readonly link?: WholeLink;
}

interface WholeLink {
  readonly start: number;
  readonly end: number;
  /** The text between the brackets. */
  readonly words: string;
}

/** Code units after which a scan lets its caller work. */
const TURN_UNITS = 8 * 1024;
/** Code units of a paragraph that are scanned at once. */
const SCAN_UNITS = 64 * 1024;

/** Yields the addresses in their order, and null at least every 8 KiB, which take about 5 ms. */
export function* noteAddresses(text: string): Generator<NoteAddress | null> {
  const scanner = new Scanner(text);
  let told = 0;
  while (scanner.at < text.length) {
    yield* scanner.step();
    if (scanner.at - told < TURN_UNITS) continue;
    told = scanner.at;
    yield null;
  }
}

const MARKS = /[\r\n\\`<[\]]|!\[/g;
const LINE_END = /\r\n?|\n/g;
const CODE = /`+/g;
const QUOTE = /[ \t]{0,100}>/y;
/** A line with which a paragraph ends. */
const BLOCK =
  /[ \t>]{0,100}(?:[\r\n]|$|(?:[-*+]|\d{1,9}[.)])[ \t]|#{1,6}[ \t]|[-*_=]{3,}[ \t]*(?:[\r\n]|$))/y;
const DEFINITION =
  /\[(?!\^)(?:[^[\]\\\r\n]|\\[^\r\n]){1,999}\]:[ \t]*(?:\r?\n[ \t]*)?(<[^<>\r\n]+>|[^\s<]\S*)/y;
const DEFINITION_END =
  /[ \t]*(?:[ \t](?:"[^"\r\n]*"|'[^'\r\n]*'|\([^()\r\n]*\))[ \t]*)?(?=[\r\n]|$)/y;
const WEB_ADDRESS = /<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>/iy;

/** Open brackets that are remembered; a label has far fewer. */
const MAX_OPEN = 10_000;
const NONE: readonly NoteAddress[] = [];

interface OpenBracket {
  readonly isEmbed: boolean;
  readonly position: number;
}

class Scanner {
  at = 0;
  readonly #text: string;
  readonly #destinations: Destinations;
  readonly #codes: CodeSpans;
  readonly #fences: Fences;
  readonly #commentEnds: NextMatch;
  readonly #wikiEnds: NextMatch;
  readonly #wikiStarts: NextMatch;
  readonly #linkMiddles: NextMatch;
  /** Open brackets of the paragraph. */
  #open: OpenBracket[] = [];
  /** Number of the first open brackets around a link, which begin no link. */
  #closed = 0;
  #isLineStart = true;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
    this.#destinations = new Destinations(text);
    this.#fences = new Fences(text);
    this.#codes = new CodeSpans(text, this.#fences);
    this.#commentEnds = new NextMatch(text, /-->/g);
    this.#wikiEnds = new NextMatch(text, /\]\]|[\r\n]/g);
    this.#wikiStarts = new NextMatch(text, /\[\[/g);
    this.#linkMiddles = new NextMatch(text, /\]\(/g);
  }

  /** Reads to the next mark, and returns the addresses there. */
  step(): readonly NoteAddress[] {
    if (this.#isLineStart) return this.#readLineStart();
    MARKS.lastIndex = this.at;
    const position = MARKS.exec(this.#text)?.index ?? this.#text.length;
    this.at = position + 1;
    switch (this.#text[position]) {
      case "\r":
      case "\n":
        return this.#endLine(position);
      case "\\":
        if (!/[\r\n]/.test(this.#text[position + 1] ?? "\n")) this.at++;
        return NONE;
      case "`":
        this.at = this.#codes.after(position, this.#lineStart);
        return NONE;
      case "<":
        return this.#readAngle(position);
      case "!":
        return this.#openBracket(position, true);
      case "[":
        return this.#openBracket(position, false);
      case "]":
        return this.#closeBracket(position);
      default:
        return NONE;
    }
  }

  #endLine(from: number): readonly NoteAddress[] {
    this.at = afterLine(this.#text, from);
    this.#isLineStart = true;
    return NONE;
  }

  #readLineStart(): readonly NoteAddress[] {
    this.#isLineStart = false;
    const { at } = this;
    this.#lineStart = at;
    const kind = this.#fences.read(at);
    if (kind === "fence") this.#endParagraph();
    if (kind !== "text") return this.#endLine(at);
    if (matchAt(BLOCK, this.#text, at) !== null) this.#endParagraph();
    return this.#readDefinition(this.#fences.contentStart);
  }

  #endParagraph(): void {
    this.#open = [];
    this.#closed = 0;
    this.#codes.endParagraph();
  }

  #readDefinition(at: number): readonly NoteAddress[] {
    const definition = matchAt(DEFINITION, this.#text, at);
    if (definition === null) return NONE;
    const [{ length }, written = ""] = definition;
    const end = at + length;
    const after = matchAt(DEFINITION_END, this.#text, end);
    if (after === null) return NONE;
    this.at = end + after[0].length;
    const address = written.startsWith("<") ? written.slice(1, -1) : written;
    const start = end - written.length;
    return [{ start, end, address, form: "markdown", isEmbed: false, rest: "" }];
  }

  #readAngle(position: number): readonly NoteAddress[] {
    const text = this.#text;
    if (text.startsWith("<!--", position)) {
      const end = this.#commentEnds.from(position + 2);
      if (end < text.length) this.at = end + 3;
      return NONE;
    }
    const web = matchAt(WEB_ADDRESS, text, position);
    const tag = web === null ? readTag(text, position) : null;
    this.at = tag?.end ?? position + (web?.[0].length ?? 1);
    return (tag?.addresses ?? []).map(({ start, end, isEmbed }) => {
      return { start, end, address: text.slice(start, end), form: "html", isEmbed, rest: "" };
    });
  }

  #openBracket(position: number, isEmbed: boolean): readonly NoteAddress[] {
    const start = position + (isEmbed ? 2 : 1);
    const wiki = this.#text[start] === "[" ? this.#readWiki(position, start + 1, isEmbed) : null;
    this.at = wiki?.end ?? start;
    if (wiki !== null) return [wiki];
    if (this.#open.length === MAX_OPEN) {
      this.#open = this.#open.slice(MAX_OPEN / 2);
      this.#closed = Math.max(0, this.#closed - MAX_OPEN / 2);
    }
    this.#open.push({ isEmbed, position });
    return NONE;
  }

  #readWiki(start: number, from: number, isEmbed: boolean): NoteAddress | null {
    const text = this.#text;
    const close = this.#wikiEnds.from(from);
    const isWiki = text.startsWith("]]", close) && close > from && text[from] !== "[" &&
      this.#wikiStarts.from(from) > close && this.#linkMiddles.from(from) >= close;
    if (!isWiki || this.#isLabel(close)) return null;
    const content = text.slice(from, close);
    const bar = content.indexOf("|");
    const length = bar === -1 ? content.length : bar;
    // In a table the bar has a backslash.
    const nameLength = bar > 0 && content[bar - 1] === "\\" ? bar - 1 : length;
    const [address, rest] = [content.slice(0, nameLength).trim(), content.slice(nameLength)];
    return { start, end: close + 2, address, form: "wiki", isEmbed, rest };
  }

  /** Whether the brackets are those of a label, as in `[[1]](a.pdf)`. */
  #isLabel(close: number): boolean {
    if (this.#text[close + 2] !== "(") return false;
    const link = this.#destinations.read(close + 2);
    return link !== null && (this.#text[link.start] === "<" || !/\s/.test(link.address));
  }

  #closeBracket(position: number): readonly NoteAddress[] {
    const open = this.#open.pop();
    const isLink = open?.isEmbed || this.#open.length >= this.#closed;
    this.#closed = Math.min(this.#closed, this.#open.length);
    if (open === undefined || !isLink || this.#text[position + 1] !== "(") return NONE;
    const destination: Destination | null = this.#destinations.read(position + 1);
    if (destination === null) return NONE;
    const { isEmbed } = open;
    if (!isEmbed) this.#closed = this.#open.length;
    const { start, end, address, after } = destination;
    this.at = after;
    const words = this.#text.slice(open.position + (isEmbed ? 2 : 1), position);
    const link = { start: open.position, end: after, words };
    return [{ start, end, address, form: "markdown", isEmbed, rest: "", link }];
  }
}

/** Code spans, which end within their paragraph. */
class CodeSpans {
  readonly #text: string;
  readonly #fences: Fences;
  /** The end of the paragraph; -1 if it is not known. */
  #end = -1;
  /** Last positions of backticks by their number, once the whole paragraph has been read. */
  readonly #last = new Map<number, number>();
  #isRead = false;

  constructor(text: string, fences: Fences) {
    this.#text = text;
    this.#fences = fences;
  }

  endParagraph(): void {
    this.#end = -1;
    this.#last.clear();
    this.#isRead = false;
  }

  /** The position after the code span at a position; after the backticks if there is none. */
  after(position: number, lineStart: number): number {
    const from = position + this.#lengthAt(position);
    const length = from - position;
    if (this.#end < from) {
      this.endParagraph();
      this.#end = this.#paragraphEnd(lineStart, from);
    }
    if (this.#isRead && (this.#last.get(length) ?? -1) < from) return from;
    for (let at = from; (at = this.#next(at)) < this.#end;) {
      const found = this.#lengthAt(at);
      this.#last.set(found, at);
      at += found;
      if (found === length) return at;
    }
    this.#isRead = true;
    return from;
  }

  /** The end of the paragraph around a position, or of so much as is scanned at once. */
  #paragraphEnd(lineStart: number, from: number): number {
    const [text, fences] = [this.#text, this.#fences];
    if (!fences.isParagraph) return afterLine(text, from);
    const isQuoted = matchAt(QUOTE, text, lineStart) !== null;
    const isEnd = (line: number) =>
      matchAt(BLOCK, text, line) !== null || fences.isFence(line) ||
      (!isQuoted && matchAt(QUOTE, text, line) !== null);
    let at = from;
    do at = afterLine(text, at); while (
      at < text.length && at - from < SCAN_UNITS && !isEnd(at)
    );
    return at;
  }

  #next(from: number): number {
    const at = this.#text.indexOf("`", from);
    return at === -1 ? this.#text.length : at;
  }

  #lengthAt(position: number): number {
    CODE.lastIndex = position;
    return CODE.exec(this.#text)?.[0].length ?? 0;
  }
}

/** The beginning of the next line. */
function afterLine(text: string, from: number): number {
  LINE_END.lastIndex = from;
  const end = LINE_END.exec(text);
  return end === null ? text.length : end.index + end[0].length;
}
