/** The header of a table: its row, the delimiter, and the names of the columns. */

import { JSON_CEILINGS } from "../../validate/json_limits.ts";
import { utf8Length } from "../../validate/canonical.ts";
import { firstCodePoints } from "../../validate/text.ts";
import { reportWord } from "../words.ts";
import type { DelimiterWord, ReadingOptions } from "./csv_reading.ts";
import { type CsvRow, csvRows } from "./csv_rows.ts";
import type { ReadLines, TextLine } from "./lines.ts";

export interface Header {
  readonly delimiter: string;
  /** The first line of its row. */
  readonly line: number;
  /** The names of all cells, also of empty ones at the end. */
  readonly names: readonly string[];
  /** How many names there are up to the last one that is not empty. */
  readonly named: number;
}

export const DELIMITERS: Readonly<Record<DelimiterWord, string>> = {
  ",": ",",
  ";": ";",
  tab: "\t",
  "|": "|",
};

/** A cell that has nothing but delimiters and blanks, because its row has another delimiter. */
const NAMELESS = /^[\s,;|]*$/;
/** Maximum bytes of the names of a header. */
const HEADER_BYTES = 64 * 1024;
/** The header must begin in these first lines, or characters, of a table. */
const SAMPLE_LINES = 1_000;
const SAMPLE_LENGTH = 1024 * 1024;
/** Code points of a name, so that a mapping can repeat it. */
const MAX_NAME = JSON_CEILINGS.keyCodePoints;
/** Excel's line that states the delimiter. */
const STATED = /^"?sep=([,;\t|])"?\r?\n?$/i;

/** Finds the header; null if no row has a name. */
export async function findHeader(
  lines: ReadLines,
  { delimiter, headerLine }: ReadingOptions,
): Promise<Header | null> {
  const sample = await sampleLines(lines, headerLine ?? 1);
  const [first] = sample;
  const stated = STATED.exec(first?.text ?? "")?.[1];
  const rest = stated === undefined || headerLine !== undefined ? sample : sample.slice(1);
  const delimiters = delimiter !== undefined
    ? [DELIMITERS[delimiter]]
    : stated !== undefined
    ? [stated]
    : Object.values(DELIMITERS);
  const places = await Promise.all(delimiters.map((each) => headerWith(rest, each, headerLine)));
  const best = places.reduce((most, each) => compareHeaders(each, most) > 0 ? each : most, null);
  return best === null ? null : nameColumns(best);
}

/** The lines from one on, without blank ones before the first. */
async function sampleLines(lines: ReadLines, from: number): Promise<readonly TextLine[]> {
  const sample: TextLine[] = [];
  let length = 0;
  for await (const some of lines()) {
    for (const line of some) {
      const isBefore = sample.length === 0 && line.text.trim() === "";
      if (line.place < from || isBefore) continue;
      sample.push(line);
      length += line.text.length;
      if (length > SAMPLE_LENGTH || line.place - from >= SAMPLE_LINES) return sample;
    }
  }
  return sample;
}

interface HeaderRow {
  readonly delimiter: string;
  readonly row: CsvRow;
  /** The number of rows that have several cells, and no more than the header. */
  readonly matches: number;
}

/** Finds the header for a delimiter. */
async function headerWith(
  sample: readonly TextLine[],
  delimiter: string,
  headerLine: number | undefined,
): Promise<HeaderRow | null> {
  async function* lines() {
    yield sample;
  }
  let first: CsvRow | null = null;
  let wide: CsvRow | null = null;
  const widths = new Map<number, number>();
  for (const row of (await Array.fromAsync(csvRows(lines, delimiter))).flat()) {
    if (row.fault !== undefined || row.cells.every((cell) => NAMELESS.test(cell))) continue;
    first ??= row;
    if (row.cells.length > 1) wide ??= row;
    const width = widthOf(row.cells);
    if (width > 1) widths.set(width, (widths.get(width) ?? 0) + 1);
  }
  const row = headerLine === undefined && widths.size > 0 ? wide : first;
  if (row === null || (headerLine ?? row.line) !== row.line) return null;
  const matches = [...widths].reduce(
    (sum, [width, count]) => width <= row.cells.length ? sum + count : sum,
    0,
  );
  return { delimiter, row, matches };
}

/** The number of cells up to the last one that is not blank. */
export function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== "") + 1;
}

/** Positive if the first one is more likely the header: more rows match, or it stands earlier. */
function compareHeaders(one: HeaderRow | null, other: HeaderRow | null): number {
  if (one === null || other === null) return (one === null ? 0 : 1) - (other === null ? 0 : 1);
  return one.matches - other.matches || other.row.line - one.row.line ||
    one.row.cells.length - other.row.cells.length;
}

/** Names empty and repeated columns. Null for names that are too long together. */
function nameColumns({ delimiter, row: { line, cells } }: HeaderRow): Header | null {
  if (utf8Length(cells.join(",")) > HEADER_BYTES) return null;
  const known = new Set<string>();
  const counts = new Map<string, number>();
  const names = cells.map((cell, index) => {
    const written = reportWord(cell, MAX_NAME).trim();
    const name = written === "" ? `column ${index + 1}` : written;
    let count = counts.get(name) ?? 1;
    let own = name;
    while (known.has(own)) own = numbered(name, ++count);
    counts.set(name, count);
    known.add(own);
    return own;
  });
  const named = widthOf(cells);
  const isTooLong = utf8Length(names.slice(0, named).join(",")) > HEADER_BYTES;
  return isTooLong ? null : { delimiter, line, names, named };
}

function numbered(name: string, count: number): string {
  const end = ` (${count})`;
  return firstCodePoints(name, MAX_NAME - end.length) + end;
}
