/**
 * Rows of comma-separated values (RFC 4180). In a cell that does not begin with a quote, quotes are
 * ordinary characters. After a closing quote the cell must end.
 */

import { refuseFile } from "../refusal.ts";
import { PARSED_LIMITS } from "./json_walk.ts";
import type { TextLine } from "./lines.ts";

export interface CsvRow {
  /** The first line of the row. */
  readonly line: number;
  /** Empty for a row that is too long. */
  readonly cells: readonly string[];
  readonly isTooLong?: boolean;
}

const DELIMITERS = [",", ";", "\t"];
/** Maximum bytes of the first row. */
export const HEADER_BYTES = 64 * 1024;
/** Bytes in memory of a cell, in addition to its characters. */
const CELL_BYTES = 64;

/** Returns the most frequent delimiter of the first row, outside quotes. */
export async function findDelimiter(lines: AsyncIterable<TextLine>): Promise<string> {
  let row = "";
  let isOpen = false;
  for await (const { text } of lines) {
    row += text.slice(0, HEADER_BYTES);
    if (text.split('"').length % 2 === 0) isOpen = !isOpen;
    if (!isOpen || row.length > HEADER_BYTES) break;
  }
  const [outside = ""] = row.replaceAll(/"[^"]*(?:"|$)/g, "").split("\n", 1);
  const countOf = (delimiter: string) => outside.split(delimiter).length;
  return DELIMITERS.reduce((most, each) => countOf(each) > countOf(most) ? each : most);
}

/**
 * Reads all rows, including the header. A row above 4 MiB is read to its end and discarded.
 *
 * @throws FileRefusal `csv.quote` for an open quote, or text between a closing quote and the next
 * delimiter.
 */
export async function* csvRows(
  lines: AsyncIterable<TextLine>,
  delimiter: string,
): AsyncGenerator<CsvRow> {
  const reader = new RowReader(delimiter);
  let began = 1;
  for await (const line of lines) {
    const row = reader.read(line, began);
    if (row === null) continue;
    yield { line: began, ...row };
    began = line.place + 1;
  }
  if (reader.isQuoted) refuseFile("csv.quote", began);
}

class RowReader {
  readonly #delimiter: string;
  #cells: string[] = [];
  /** The current cell, without the quotes around it. */
  #cell = "";
  #isCellQuoted = false;
  #place: "start" | "plain" | "quoted" | "closed" = "start";
  /** Bytes of the row in memory. */
  #bytes = 0;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** True if the lines so far end inside quotes. */
  get isQuoted(): boolean {
    return this.#place === "quoted";
  }

  get #isTooLong(): boolean {
    return this.#bytes > PARSED_LIMITS.bytes;
  }

  /** Returns the row that a line completes; null if the row continues. */
  read(line: TextLine, began: number): Omit<CsvRow, "line"> | null {
    const { text, isOpen = false } = line;
    const end = text.length - lineEndLength(text, isOpen);
    this.#bytes += text.length + CELL_BYTES;
    for (let at = 0; at < end || this.isQuoted && at < text.length;) {
      at = this.#readPart(text, at, end, began);
    }
    if (isOpen || this.isQuoted) return null;
    this.#endCell();
    const row = this.#isTooLong ? { cells: [], isTooLong: true } : { cells: this.#cells };
    [this.#cells, this.#bytes] = [[], 0];
    return row;
  }

  /** Reads a part of a cell, a quote or a delimiter. Returns the position after it. */
  #readPart(text: string, at: number, end: number, began: number): number {
    switch (this.#place) {
      case "start":
        this.#isCellQuoted = text[at] === '"';
        this.#place = this.#isCellQuoted ? "quoted" : "plain";
        return this.#isCellQuoted ? at + 1 : at;
      case "plain": {
        const next = text.indexOf(this.#delimiter, at);
        const stop = next === -1 ? end : next;
        this.#add(text.slice(at, stop));
        if (stop < end) this.#endCell();
        return stop + 1;
      }
      case "quoted": {
        const close = closingQuote(text, at);
        this.#add(text.slice(at, close));
        if (close < text.length) this.#place = "closed";
        return close + 1;
      }
      case "closed":
        // A doubled quote may be split between two parts of a long line.
        if (text[at] === '"') this.#place = "quoted";
        else if (text[at] === this.#delimiter) this.#endCell();
        else refuseFile("csv.quote", began);
        return at + 1;
    }
  }

  #add(text: string): void {
    if (!this.#isTooLong) this.#cell += text;
  }

  #endCell(): void {
    this.#bytes += CELL_BYTES;
    if (this.#isTooLong) this.#cells = [];
    else this.#cells.push(this.#isCellQuoted ? withSingleQuotes(this.#cell) : this.#cell);
    [this.#cell, this.#isCellQuoted, this.#place] = ["", false, "start"];
  }
}

/** With millions of doubled quotes, `replaceAll` would need many times the size of the cell. */
function withSingleQuotes(cell: string): string {
  return cell.split('""').join('"');
}

/** Counts the characters that end a line, or may end an open part of one. */
function lineEndLength(text: string, isOpen: boolean): number {
  if (isOpen) return text.endsWith("\r") ? 1 : 0;
  if (!text.endsWith("\n")) return 0;
  return text.endsWith("\r\n") ? 2 : 1;
}

/** The position of the next quote that is not doubled; the length of the text without one. */
function closingQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote === -1 ? text.length : quote;
}
