/** Reads the cells of one row, line by line. */

import { PARSED_LIMITS } from "./json_walk.ts";
import type { TextLine } from "./lines.ts";

/** A row that has ended. */
interface ReadRow {
  /** Without the blanks around cells that are not quoted. Empty for a row that is too long. */
  readonly cells: readonly string[];
  /** The cells with these blanks. */
  readonly written: readonly string[];
  readonly fault?: "import.item_size";
}

/** Bytes in memory of a cell, in addition to its characters. */
const CELL_BYTES = 64;

export class RowReader {
  readonly #delimiter: string;
  #cells: string[] = [];
  #written: string[] = [];
  /** The current cell, without the quotes around it. */
  #cell = "";
  #isCellQuoted = false;
  #place: "start" | "plain" | "quoted" | "closed" | "after" | "fault" = "start";
  /** Bytes of the row in memory. */
  #bytes = 0;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  get #isTooLong(): boolean {
    return this.#bytes > PARSED_LIMITS.bytes;
  }

  /** Discards the row that was begun. */
  reset(): void {
    [this.#cells, this.#written, this.#bytes] = [[], [], 0];
    [this.#cell, this.#isCellQuoted, this.#place] = ["", false, "start"];
  }

  /** Begins with a row whose beginning is unknown, inside quotes. */
  resetToQuoted(): void {
    this.reset();
    this.#place = "quoted";
  }

  /**
   * @returns The row that the line completes; `open` if the row continues; `fault` for text after a
   * closing quote, after which the reader must be reset.
   */
  read({ text, isOpen = false }: TextLine): ReadRow | "open" | "fault" {
    const end = text.length - lineEndLength(text, isOpen);
    this.#bytes += text.length + CELL_BYTES;
    for (let at = 0; at < end || this.#place === "quoted" && at < text.length;) {
      at = this.#readPart(text, at, end);
      if (this.#place === "fault") return "fault";
    }
    if (isOpen || this.#place === "quoted") return "open";
    this.#endCell();
    const row: ReadRow = this.#isTooLong
      ? { cells: [], written: [], fault: "import.item_size" }
      : { cells: this.#cells, written: this.#written };
    this.reset();
    return row;
  }

  /** Reads a part of a cell, a quote or a delimiter. Returns the position after it. */
  #readPart(text: string, at: number, end: number): number {
    switch (this.#place) {
      case "start": {
        const first = this.#afterBlanks(text, at, end);
        this.#isCellQuoted = first < end && text[first] === '"';
        this.#place = this.#isCellQuoted ? "quoted" : "plain";
        return this.#isCellQuoted ? first + 1 : at;
      }
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
        this.#place = text[at] === '"' ? "quoted" : "after";
        return this.#place === "quoted" ? at + 1 : at;
      default: {
        const next = this.#afterBlanks(text, at, end);
        if (next < end && text[next] !== this.#delimiter) this.#place = "fault";
        else if (next < end) this.#endCell();
        return next + 1;
      }
    }
  }

  /** The position of the next delimiter or of the next character that is not blank. */
  #afterBlanks(text: string, from: number, end: number): number {
    let at = from;
    while (at < end && text[at] !== this.#delimiter && text[at]?.trim() === "") at++;
    return at;
  }

  #add(text: string): void {
    if (!this.#isTooLong) this.#cell += text;
  }

  #endCell(): void {
    this.#bytes += CELL_BYTES;
    if (this.#isTooLong) [this.#cells, this.#written] = [[], []];
    else {
      const written = this.#isCellQuoted ? withSingleQuotes(this.#cell) : this.#cell;
      this.#written.push(written);
      this.#cells.push(this.#isCellQuoted ? written : written.trim());
    }
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
  if (text.endsWith("\r\n")) return 2;
  return text.endsWith("\n") || text.endsWith("\r") ? 1 : 0;
}

/** The position of the next quote that is not doubled; the length of the text without one. */
function closingQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote === -1 ? text.length : quote;
}
