/**
 * Rows of comma-separated values (RFC 4180). In a cell that does not begin with a quote, quotes
 * are ordinary characters. A row with an open quote, or with text after a closing one, is refused
 * alone, and reading continues on the line after its first.
 */

import { MAX_RETAINED, OpenQuotes, retainedBytes } from "./csv_quotes.ts";
import { RowReader } from "./csv_row_reader.ts";
import type { ReadLines, TextLine } from "./lines.ts";

export interface CsvRow {
  /** The first line of the row. */
  readonly line: number;
  /** Without the blanks around cells that are not quoted. Empty for a row with a fault. */
  readonly cells: readonly string[];
  /** The cells with these blanks. */
  readonly written: readonly string[];
  /** The rule that refuses a row whose cells are unknown. */
  readonly fault?: "csv.quote" | "import.item_size";
  /** True if a line of it is of an unknown encoding. */
  readonly isBroken?: boolean;
}

/** True if all cells are known and blank. */
export function isEmptyRow({ cells, fault }: CsvRow): boolean {
  return fault === undefined && cells.every((cell) => cell.trim() === "");
}

/**
 * Reads all rows but those of empty lines; rows of lines that come together come together too. A
 * row above 4 MiB is read to its end and refused alone.
 *
 * @param from The line with which the first row begins.
 */
export async function* csvRows(
  lines: ReadLines,
  delimiter: string,
  from = 1,
): AsyncGenerator<readonly CsvRow[]> {
  const rows = new RowAssembler(delimiter);
  const quotes = new OpenQuotes(lines, delimiter);
  for await (const some of lines()) {
    const read: CsvRow[] = [];
    for (const line of some) {
      if (line.place < from || (rows.isBetween && EMPTY_LINES.has(line.text))) continue;
      read.push(...rows.read(line));
      if (rows.isFull) read.push(...rows.settle(await quotes.endOfFault(line.place)));
    }
    yield read;
  }
  yield [...rows.end()];
}

const EMPTY_LINES: ReadonlySet<string> = new Set(["\n", "\r\n", "\r"]);

/**
 * Assembles rows from lines. The lines after the first of an open row are retained, because a fault
 * makes each of them the beginning of a row. After a fault in line `n`, any line up to `n` that
 * begins inside quotes leads to the same fault: so each line is read at most twice.
 */
class RowAssembler {
  readonly #reader: RowReader;
  /** The first line of the row; 0 between rows. */
  #began = 0;
  /** The further lines of the row; null if they are not needed. */
  #later: TextLine[] | null = [];
  #laterBytes = 0;
  /** A line up to this one that begins inside quotes leads to a fault. */
  #faultEnd = 0;
  /** True while the other parts of a refused line are skipped. */
  #skips = false;
  #isBroken = false;

  constructor(delimiter: string) {
    this.#reader = new RowReader(delimiter);
  }

  /** True if the next line begins a row. */
  get isBetween(): boolean {
    return this.#began === 0 && !this.#skips;
  }

  /** True if the lines of an open row need too much memory: `settle` must follow. */
  get isFull(): boolean {
    return this.#laterBytes > MAX_RETAINED;
  }

  /** The rows that end in a line. After a fault it reads the further lines of the row again. */
  read(line: TextLine): Iterable<CsvRow> {
    const row = this.#readLine(line);
    if (row === null) return [];
    return row.fault === "csv.quote" ? this.#readAgain(row) : [row];
  }

  *#readAgain(refused: CsvRow): Generator<CsvRow> {
    yield refused;
    for (let left = this.#takeLater(); left.length > 0;) {
      const again: TextLine[] = [];
      for (const each of left) {
        const row = this.#readLine(each);
        if (row === null) continue;
        yield row;
        // Only the row of the newest line has further lines.
        if (row.fault === "csv.quote") again.push(...this.#takeLater());
      }
      left = again;
    }
  }

  /** @param faultEnd The line of the fault to which the open row leads; null if it ends well. */
  *settle(faultEnd: number | null): Generator<CsvRow> {
    if (faultEnd === null) {
      [this.#later, this.#laterBytes] = [null, 0];
      return;
    }
    this.#faultEnd = faultEnd;
    yield this.#refused();
    for (const line of this.#takeLater()) yield* this.read(line);
  }

  /** Ends the last row, whose last line may lack a line end. */
  *end(): Generator<CsvRow> {
    if (this.#began !== 0) yield* this.settle(Infinity);
  }

  #readLine(line: TextLine): CsvRow | null {
    const { place, isOpen = false, isBroken = false } = line;
    if (this.#skips) {
      this.#skips = isOpen;
      return null;
    }
    if (this.#began === 0) this.#begin(place);
    else if (place > this.#began) this.#keep(line);
    this.#isBroken ||= isBroken;
    const row = this.#reader.read(line);
    if (row === "open" && (isOpen || place >= this.#faultEnd)) return null;
    if (row === "open" || row === "fault") {
      this.#faultEnd = Math.max(this.#faultEnd, place);
      this.#skips = isOpen && place === this.#began;
      return this.#refused();
    }
    const read = { line: this.#began, ...row, ...(this.#isBroken && { isBroken: true }) };
    this.#began = 0;
    return read;
  }

  #begin(place: number): void {
    [this.#began, this.#later, this.#laterBytes, this.#isBroken] = [place, [], 0, false];
  }

  #keep(line: TextLine): void {
    if (this.#later === null) return;
    this.#later.push(line);
    this.#laterBytes += retainedBytes(line);
  }

  #refused(): CsvRow {
    const line = this.#began;
    this.#reader.reset();
    this.#began = 0;
    return { line, cells: [], written: [], fault: "csv.quote" };
  }

  #takeLater(): readonly TextLine[] {
    const later = this.#later ?? [];
    [this.#later, this.#laterBytes] = [[], 0];
    return later;
  }
}
