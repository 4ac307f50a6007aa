/**
 * Rows of comma-separated values (RFC 4180). A quote inside a cell that does not begin with one is an ordinary
 * character; after a closing quote the cell must end.
 */

import { refuseFile } from "../refusal.ts";

/** A row, and the line on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

const DELIMITERS = [",", ";", "\t"] as const;
/** More than any record may have. */
const ROW_CHARACTERS = 4 * 1024 * 1024;

/** The delimiter that stands most often in the first row, outside of quotes. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "\n") break;
    else if (counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return DELIMITERS.reduce((most, each) =>
    (counts.get(each) ?? 0) > (counts.get(most) ?? 0) ? each : most
  );
}

/** True once the first row is whole. */
function hasFirstRow(text: string): boolean {
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\n" && !isQuoted) return true;
  }
  return false;
}

/**
 * All rows, the first among them.
 *
 * @throws FileRefusal `csv.quote` for a quote that is not closed, or text between a quote and the next delimiter.
 */
export async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let first = "";
  let reader: RowReader | null = null;
  for await (const chunk of chunks) {
    if (reader === null) {
      first += chunk;
      if (!hasFirstRow(first) && first.length < ROW_CHARACTERS) continue;
      reader = new RowReader(delimiterOf(first));
      yield* reader.read(first);
    } else {
      yield* reader.read(chunk);
    }
  }
  if (reader === null) {
    reader = new RowReader(delimiterOf(first));
    yield* reader.read(first);
  }
  yield* reader.end();
}

type State = "start" | "plain" | "quoted" | "closed" | "return";

class RowReader {
  readonly #delimiter: string;
  #state: State = "start";
  /** Whether a carriage return that waits came after a closing quote. */
  #wasClosed = false;
  #cells: string[] = [];
  #cell = "";
  #length = 0;
  #line = 1;
  #began = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  *read(text: string): Generator<CsvRow> {
    for (const character of text) {
      const row = this.#take(character);
      if (character === "\n") this.#line++;
      if (row === null) continue;
      this.#began = this.#line;
      yield row;
    }
  }

  *end(): Generator<CsvRow> {
    if (this.#state === "quoted") refuseFile("csv.quote", this.#began);
    if (this.#state === "return") this.#keepReturn();
    if (this.#state !== "start" || this.#cells.length > 0) yield this.#row();
  }

  #take(character: string): CsvRow | null {
    if (++this.#length > ROW_CHARACTERS) refuseFile("csv.quote", this.#began);
    if (this.#state === "quoted") {
      if (character === '"') this.#state = "closed";
      else this.#cell += character;
      return null;
    }
    if (character === "\n") return this.#row();
    if (this.#state === "return") this.#keepReturn();
    if (character === "\r") {
      this.#wasClosed = this.#state === "closed";
      this.#state = "return";
    } else if (character === this.#delimiter) {
      this.#cells.push(this.#cell);
      this.#cell = "";
      this.#state = "start";
    } else if (character === '"' && this.#state === "start") {
      this.#state = "quoted";
    } else if (this.#state === "closed") {
      // A doubled quote means one quote.
      if (character !== '"') refuseFile("csv.quote", this.#began);
      this.#cell += character;
      this.#state = "quoted";
    } else {
      this.#cell += character;
      this.#state = "plain";
    }
    return null;
  }

  /** A carriage return without a line feed belongs to its cell. */
  #keepReturn(): void {
    if (this.#wasClosed) refuseFile("csv.quote", this.#began);
    this.#cell += "\r";
    this.#state = "plain";
  }

  #row(): CsvRow {
    const cells = [...this.#cells, this.#cell];
    [this.#cells, this.#cell, this.#length, this.#state] = [[], "", 0, "start"];
    return { line: this.#began, cells };
  }
}
