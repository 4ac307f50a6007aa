/** Writes the flow of a document as Markdown: texts, links, headings, lists and tables. */

import { InlineText } from "./inline_text.ts";
import { MarkdownLines } from "./markdown_lines.ts";

const BLANKS = /[ \t\n\r\f]+/g;
const NO_BREAK_SPACE = "\u00a0";
/** Other addresses of links are left out. */
const SHOWN_ADDRESS = /^(?:https?|mailto|tel|evernote):/i;

/** Returns the Markdown of a link; null for the usual form. */
export type LinkWriter = (address: string, text: string) => string | null;

interface OpenLink {
  readonly address: string;
  /** The text on the current line; null before its first word. */
  inline: InlineText | null;
  /** The same without Markdown. */
  words: string;
  isShown: boolean;
}

interface TableRow {
  /** The number of cells. */
  width: number;
  line: string;
}

interface OpenTable {
  readonly rows: TableRow[];
  isInCell: boolean;
}

export class MarkdownFlow {
  readonly lines = new MarkdownLines();
  readonly #writeLink: LinkWriter;
  readonly #emphasisCounts = new Map<number, number>();
  #line = new InlineText();
  /** True if a blank would be the second one, or the first of the line. */
  #endsInBlank = true;
  #emphasis = 0;
  #link: OpenLink | null = null;
  /** The level of the open heading; 0 without one. */
  #heading = 0;
  #table: OpenTable | null = null;

  constructor(writeLink: LinkWriter) {
    this.#writeLink = writeLink;
  }

  get isInTable(): boolean {
    return this.#table !== null;
  }

  get isInCell(): boolean {
    return this.#table?.isInCell === true;
  }

  /** Adds text of a document: consecutive blanks and line ends are one blank. */
  text(text: string): void {
    const collapsed = text.replaceAll(BLANKS, " ");
    const words = this.#endsInBlank && collapsed.startsWith(" ") ? collapsed.slice(1) : collapsed;
    if (words === "") return;
    this.#endsInBlank = words.endsWith(" ");
    this.#addWords(words.replaceAll(NO_BREAK_SPACE, " "));
  }

  markdown(markdown: string): void {
    const { inline } = this.#openInline("");
    inline.addMarkdown(markdown);
    this.#endsInBlank = false;
  }

  /** Changes the number of open elements of an emphasis. */
  emphasize(bit: number, change: 1 | -1): void {
    const count = Math.max(0, (this.#emphasisCounts.get(bit) ?? 0) + change);
    this.#emphasisCounts.set(bit, count);
    this.#emphasis = count === 0 ? this.#emphasis & ~bit : this.#emphasis | bit;
  }

  openLink(address: string): void {
    this.closeLink();
    this.#link = { address, inline: null, words: "", isShown: false };
  }

  /** A link without text shows its address. */
  closeLink(): void {
    const link = this.#link;
    if (link === null) return;
    this.#endLinkText();
    this.#link = null;
    if (!link.isShown && SHOWN_ADDRESS.test(link.address)) this.text(link.address);
  }

  /** Ends the current line if it has text; in a heading or cell it continues after a blank. */
  boundary(): void {
    if (this.#isJoined) this.text(" ");
    else this.#flush();
  }

  /** Ends the current line. An empty one is a blank line. */
  lineEnd(): void {
    if (this.#isJoined) this.text(" ");
    else if (!this.#flush()) this.lines.separate();
  }

  /** Begins or ends a block, which has a blank line around it. */
  block(): void {
    if (this.isInCell) return this.text(" ");
    if (this.#heading > 0 && this.#isEmpty) return;
    this.#flush();
    this.#heading = 0;
    this.lines.separate();
  }

  openHeading(level: number): void {
    this.block();
    if (!this.isInCell) this.#heading = level;
  }

  closeHeading(): void {
    this.block();
    this.#heading = 0;
  }

  /** Begins a line with a box, or makes the item whose first line is next a task. */
  task(isDone: boolean): void {
    const mark = isDone ? "- [x] " : "- [ ] ";
    this.boundary();
    if (this.isInCell || !this.lines.markItem(mark)) this.markdown(mark);
    this.#endsInBlank = true;
  }

  /** Adds lines that are Markdown. */
  markdownLines(lines: readonly string[]): void {
    this.boundary();
    if (this.#isJoined) return this.text(lines.join(" "));
    for (const line of lines) this.lines.add(line);
  }

  fence(text: string, language: string): void {
    const lines = text.replaceAll(NO_BREAK_SPACE, " ").split("\n");
    const first = lines.findIndex(hasWords);
    this.block();
    if (first === -1) return;
    const code = lines.slice(first, lines.findLastIndex(hasWords) + 1);
    if (this.isInCell) return this.text(code.join(" "));
    const mark = "`".repeat(Math.max(3, longestBackticks(text) + 1));
    for (const line of [mark + language, ...code, mark]) this.lines.add(line);
    this.lines.separate();
  }

  rule(): void {
    this.block();
    if (this.isInCell) return;
    this.lines.add("---");
    this.lines.separate();
  }

  openQuote(): boolean {
    this.block();
    return this.isInCell || this.lines.openQuote();
  }

  closeQuote(): void {
    if (this.isInCell) return this.text(" ");
    this.#flush();
    this.lines.closeQuote();
    this.lines.separate();
  }

  /**
   * Opens a list, with blank lines around it unless it is inside another list.
   *
   * @param first The number of its first item; null for a list without numbers.
   * @returns False if it is too deep.
   */
  openList(name: string, first: number | null): boolean {
    if (this.isInCell) return true;
    this.block();
    if (this.lines.isInList) this.lines.join();
    return this.lines.openList(name, first);
  }

  closeList(name: string): void {
    if (this.isInCell) return this.text(" ");
    this.#flush();
    this.lines.closeList(name);
    this.lines.separate();
  }

  /** @returns False if it is too deep. */
  openItem(): boolean {
    if (!this.isInCell) {
      this.#flush();
      return this.lines.openItem();
    }
    this.text(" ");
    this.markdown("- ");
    this.#endsInBlank = true;
    return true;
  }

  closeItem(): void {
    if (this.isInCell) return this.text(" ");
    this.#flush();
    this.lines.closeItem();
  }

  openTable(): void {
    this.block();
    this.#table = { rows: [], isInCell: false };
  }

  openRow(): void {
    this.closeCell();
    this.#table?.rows.push({ width: 0, line: "|" });
  }

  openCell(): void {
    const table = this.#table;
    if (table === null) return;
    this.closeCell();
    this.boundary();
    if (table.rows.length === 0) this.openRow();
    table.isInCell = true;
  }

  closeCell(): void {
    const table = this.#table;
    if (table === null || !table.isInCell) return;
    table.isInCell = false;
    const row = table.rows.at(-1);
    if (row === undefined) return;
    const cell = ` ${this.#takeLine().trim().replaceAll("|", "\\|")} |`;
    row.width++;
    row.line += cell;
    this.lines.count(cell.length);
  }

  /** The first row is the head. It is as wide as the widest row. */
  closeTable(): void {
    const table = this.#table;
    if (table === null) return;
    this.closeCell();
    this.#table = null;
    this.block();
    for (const { line } of table.rows) this.lines.count(1 - line.length);
    const [head, ...rows] = table.rows.filter(({ width }) => width > 0);
    if (head === undefined) return;
    const width = rows.reduce((most, row) => Math.max(most, row.width), head.width);
    this.lines.add(head.line + "  |".repeat(width - head.width));
    this.lines.add(`|${" --- |".repeat(width)}`);
    for (const { line } of rows) this.lines.add(line);
    this.lines.separate();
  }

  end(): string {
    this.closeLink();
    this.closeTable();
    this.#flush();
    this.lines.closeItem();
    return this.lines.text;
  }

  get #isJoined(): boolean {
    return this.isInCell || this.#heading > 0;
  }

  /** True until the current line has text. */
  get #isEmpty(): boolean {
    return this.#line.isEmpty && (this.#link?.inline ?? null) === null;
  }

  #addWords(words: string): void {
    const start = words.length - words.trimStart().length;
    if (this.#link === null || start === words.length) {
      return (this.#link?.inline ?? this.#line).add(words, this.#emphasis);
    }
    const { inline, isNew } = this.#openInline(words.slice(0, start));
    const text = isNew ? words.slice(start) : words;
    inline.add(text, this.#emphasis);
    this.#link.words += text;
  }

  /** @param before Blanks that stand before the text of a link. */
  #openInline(before: string): { readonly inline: InlineText; readonly isNew: boolean } {
    const link = this.#link;
    if (link === null) return { inline: this.#line, isNew: false };
    if (link.inline !== null) return { inline: link.inline, isNew: false };
    this.#line.add(before, this.#emphasis);
    link.inline = new InlineText();
    return { inline: link.inline, isNew: true };
  }

  #endLinkText(): void {
    const link = this.#link;
    if (link === null || link.inline === null) return;
    const { markdown, blanks } = link.inline.end();
    this.#line.addMarkdown(this.#linkMarkdown(link, markdown));
    this.#line.add(blanks, this.#emphasis);
    link.inline = null;
    link.words = "";
    link.isShown = true;
  }

  #linkMarkdown({ address, words }: OpenLink, markdown: string): string {
    const text = words.trim();
    const written = this.#writeLink(address, text);
    if (written !== null) return written;
    const isShown = text !== address && SHOWN_ADDRESS.test(address);
    return isShown ? `[${markdown}](${linkDestination(address)})` : markdown;
  }

  /** Adds the current line; false for an empty one. */
  #flush(): boolean {
    const line = this.#takeLine();
    if (line === "") return false;
    this.lines.add(this.#heading > 0 ? `${"#".repeat(this.#heading)} ${line.trimStart()}` : line);
    return true;
  }

  #takeLine(): string {
    this.#endLinkText();
    const { markdown } = this.#line.end();
    this.#line = new InlineText();
    this.#endsInBlank = true;
    return markdown;
  }
}

function hasWords(line: string): boolean {
  return line.trim() !== "";
}

function longestBackticks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** The address, so that neither a blank nor a parenthesis ends it. */
function linkDestination(address: string): string {
  const written = address.replaceAll(/\s/g, "%20");
  if (hasPairs(written)) return written;
  return written.replaceAll("(", "%28").replaceAll(")", "%29");
}

/** True if all parentheses are in pairs. */
function hasPairs(address: string): boolean {
  let open = 0;
  for (const character of address) {
    if (character === "(") open++;
    else if (character === ")" && --open < 0) return false;
  }
  return open === 0;
}
