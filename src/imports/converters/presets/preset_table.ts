/** The tables of a file as presets see them. */

import type { OpenedTable } from "../converter.ts";
import { findHeader } from "../csv_header.ts";
import type { ReadingOptions } from "../csv_reading.ts";
import { type CsvRow, csvRows, isEmptyRow } from "../csv_rows.ts";
import { openText, type ReadBytes, type ReadLines, type TextLine } from "../lines.ts";
import { PresetRow } from "./preset_row.ts";
import { TableHead } from "./table_head.ts";

/** Characters of a table in which its header and first rows are looked for. */
const HEAD_LENGTH = 64 * 1024;
const TABLE_ENTRY = /\.csv$/i;

/** Null for a text without a header. */
export async function headOf(
  lines: ReadLines,
  options: ReadingOptions = {},
): Promise<TableHead | null> {
  const first = await firstLines(lines);
  async function* read() {
    yield first;
  }
  const header = await findHeader(read, options);
  if (header === null) return null;
  return new TableHead(header, (await Array.fromAsync(csvRows(read, header.delimiter))).flat());
}

/** The first 64 KiB of a text in whole lines, and at least one line. */
async function firstLines(lines: ReadLines): Promise<readonly TextLine[]> {
  const first: TextLine[] = [];
  let length = 0;
  for await (const some of lines()) {
    for (const line of some) {
      length += line.text.length;
      if (length > HEAD_LENGTH && first.length > 0) return first;
      first.push(line);
    }
  }
  return first;
}

/** A table with its header. */
export class PresetTable {
  readonly head: TableHead;
  /** The path in the archive; null for a bare file. */
  readonly entry: string | null;
  readonly #lines: ReadLines;

  constructor(entry: string | null, lines: ReadLines, head: TableHead) {
    this.entry = entry;
    this.#lines = lines;
    this.head = head;
  }

  /** The rows after the header, without empty ones. */
  async *rows(): AsyncGenerator<PresetRow> {
    for await (const row of this.plainRows(this.head.line)) {
      if (row.line > this.head.line) yield new PresetRow(row, this.head, this.entry);
    }
  }

  /** The rows from a line on, without empty ones. */
  async *plainRows(from = 1): AsyncGenerator<CsvRow> {
    for await (const rows of csvRows(this.#lines, this.head.delimiter, from)) {
      yield* rows.filter((row) => !isEmptyRow(row));
    }
  }
}

/** A table, and its head with the first rows. */
interface FoundTable {
  readonly head: TableHead;
  readonly table: PresetTable;
}

/** The tables of a file that have a header: the file itself, or entries `.csv` of its archive. */
export async function* presetTables(
  { file, archive }: OpenedTable,
  options: ReadingOptions,
): AsyncGenerator<FoundTable> {
  if (archive === null) {
    yield* tableOf(null, () => file.stream(), options);
    return;
  }
  const path = options.table === undefined ? null : archive.find(options.table)?.name;
  // `archive.read` would count a table that no preset knows as read.
  for (const { name, bytes } of archive.matching(TABLE_ENTRY)) {
    if (path === null || path === name) yield* tableOf(name, bytes, options);
  }
}

async function* tableOf(
  entry: string | null,
  chunks: ReadBytes,
  options: ReadingOptions,
): AsyncGenerator<FoundTable> {
  const { lines } = await openText(chunks, options.encoding);
  const head = await headOf(lines, options);
  if (head !== null) yield { head, table: new PresetTable(entry, lines, head.withoutRows()) };
}
