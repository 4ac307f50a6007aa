/**
 * Rows of comma-separated values (RFC 4180). A quote inside a cell that does not begin with one is an ordinary
 * character; after a closing quote the cell must end.
 */

import { refuseFile } from "../refusal.ts";
import type { TextLine } from "./lines.ts";

/** A row, and the line on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

const DELIMITERS = [",", ";", "\t"];
/** More than any record may have. */
const ROW_CHARACTERS = 4 * 1024 * 1024;

/** The delimiter that stands most often in the first row, outside of quotes. */
export async function findDelimiter(lines: AsyncIterable<TextLine>): Promise<string> {
  let row = "";
  let isOpen = false;
  for await (const { text } of lines) {
    row += text;
    if (text.split('"').length % 2 === 0) isOpen = !isOpen;
    if (!isOpen || row.length > ROW_CHARACTERS) break;
  }
  const [outside = ""] = row.replaceAll(/"[^"]*(?:"|$)/g, "").split("\n", 1);
  const countOf = (delimiter: string) => outside.split(delimiter).length;
  return DELIMITERS.reduce((most, each) => countOf(each) > countOf(most) ? each : most);
}

/**
 * All rows, the first among them.
 *
 * @throws FileRefusal `csv.quote` for a quote that is not closed, or text between a quote and the next delimiter.
 */
export async function* csvRows(
  lines: AsyncIterable<TextLine>,
  delimiter: string,
): AsyncGenerator<CsvRow> {
  const reader = new RowReader(delimiter);
  let began = 1;
  for await (const { place, text } of lines) {
    const cells = reader.read(text, began);
    if (cells === null) continue;
    yield { line: began, cells };
    began = place + 1;
  }
  if (reader.isOpen) refuseFile("csv.quote", began);
}

class RowReader {
  /** Whether the lines end inside quotes. */
  isOpen = false;
  readonly #delimiter: string;
  #cells: string[] = [];
  #cell = "";
  #length = 0;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** The row that a line ends; null if the next line continues it. */
  read(line: string, began: number): readonly string[] | null {
    this.#length += line.length;
    if (this.#length > ROW_CHARACTERS) refuseFile("csv.quote", began);
    const end = line.length - (/\r?\n$/.exec(line)?.[0].length ?? 0);
    for (let at = 0;;) {
      if (this.isOpen || line[at] === '"') {
        const close = this.#readQuoted(line, this.isOpen ? at : at + 1);
        if (close === null) return null;
        at = close;
        if (at < end && line[at] !== this.#delimiter) refuseFile("csv.quote", began);
      } else {
        const next = line.indexOf(this.#delimiter, at);
        const stop = next === -1 ? end : next;
        this.#cell = line.slice(at, stop);
        at = stop;
      }
      this.#cells.push(this.#cell);
      this.#cell = "";
      if (at >= end) break;
      at++;
    }
    const cells = this.#cells;
    [this.#cells, this.#length] = [[], 0];
    return cells;
  }

  /** Reads to the closing quote, and returns the position after it; null if the next line has it. */
  #readQuoted(line: string, from: number): number | null {
    this.isOpen = true;
    let at = from;
    while (this.isOpen) {
      const quote = line.indexOf('"', at);
      this.#cell += line.slice(at, quote === -1 ? line.length : quote);
      if (quote === -1) return null;
      // A doubled quote means one quote.
      const isDoubled = line[quote + 1] === '"';
      if (isDoubled) this.#cell += '"';
      this.isOpen = isDoubled;
      at = quote + (isDoubled ? 2 : 1);
    }
    return at;
  }
}
