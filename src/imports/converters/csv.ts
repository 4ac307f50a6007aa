/** `csv`: converts the rows of a table by the owner's mapping. */

import { payloadInvalid } from "../../errors/service_error.ts";
import type { JsonObject } from "../../core/json.ts";
import type { TableFacts } from "../import.ts";
import { FileRefusal, refuseFile } from "../refusal.ts";
import type { Converted, Converter, ConverterInput, OpenedTable } from "./converter.ts";
import { checkConstants } from "./csv_constants.ts";
import { DELIMITERS, findHeader, type Header, widthOf } from "./csv_header.ts";
import { convertRow } from "./csv_item.ts";
import { KeyFinder, RowKeyMaker } from "./csv_keys.ts";
import { CSV_MAPPING, isReadingAlone, readCsvMapping, readingOptions } from "./csv_mapping.ts";
import type { ReadingOptions } from "./csv_reading.ts";
import { type CsvRow, csvRows, isEmptyRow } from "./csv_rows.ts";
import {
  encodingOf,
  largestTables,
  openTable,
  refuseTable,
  type Table,
  tableNames,
} from "./csv_table.ts";
import { linesOf } from "./lines.ts";
import { convertByPreset, hasPreset, knownTables, presetNames } from "./presets/known_tables.ts";
import {
  checkPresetMapping,
  namesPreset,
  PRESET_FORM,
  PRESET_MAPPING,
} from "./presets/preset_mapping.ts";

export const CSV: Converter = {
  format: "csv",
  title: { en: "Spreadsheet (CSV)", de: "Tabelle (CSV)" },
  isNamed: true,
  hasSign: ({ csv }) => hasPreset(csv),
  // The first lines of a note may have the same number of commas.
  mayBe: async ({ text, filename }) =>
    text !== null && !/\.(?:md|markdown)$/i.test(filename ?? "") && await isTable(text),
  kinds: ["zip", "tar", "gzip", "text"],
  mapping: {
    kind: "COLUMNS",
    schema: { ...PRESET_MAPPING, ...CSV_MAPPING },
    form: PRESET_FORM,
    example: {
      target: "commitment",
      columns: { Task: "@title" },
      constants: { commitmentType: "OUTGOING", content: "From a list", completionStatus: "OPEN" },
    },
    isRequired: true,
    isPartial: isReadingAlone,
    readColumns,
    check(mapping, context) {
      if (isReadingAlone(mapping)) readingOptions(mapping);
      else if (namesPreset(mapping)) checkPresetMapping(mapping, context);
      else checkConstants(readCsvMapping(mapping, context));
    },
  },
  async *convert(input: ConverterInput): AsyncGenerator<Converted> {
    const { archive, mapping } = input;
    const options = readingOptions(mapping);
    const known = await knownTables(input, options);
    const table = await openTable(input, options) ?? refuseFile("csv.table", 0);
    const { entry } = table;
    const header = await findHeader(table.lines, options);
    if (header === null && known.length === 0) refuseFile("csv.header", 1, entry);
    const found = header === null ? null : await describeTable(table, header, input, options);
    if (found !== null) yield found;
    const names = presetNames(known);
    if (names.length > 0) yield { kind: "presets", names };
    if (mapping !== null && namesPreset(mapping)) {
      yield* convertByPreset(known, mapping, input);
      return;
    }
    if (entry !== null) archive?.used.add(entry);
    if (mapping === null || isReadingAlone(mapping) || header === null || found === null) return;
    yield* convertByColumns(table, header, found.columns, input);
  },
};

type FoundTable = Extract<Converted, { kind: "table" }>;

/** The names of the columns, and facts of the table. */
async function describeTable(
  table: Table,
  header: Header,
  input: ConverterInput,
  options: ReadingOptions,
): Promise<FoundTable> {
  const { columns, suggestedKey } = await surveyRows(table, header, input);
  const facts: TableFacts = {
    tables: tableNames(input.archive),
    encoding: await encodingOf(table, options),
    suggestedKey,
  };
  return { kind: "table", columns, facts };
}

async function* convertByColumns(
  table: Table,
  header: Header,
  columns: readonly string[],
  { fieldsOf, source, budget, mapping }: ConverterInput,
): AsyncGenerator<Converted> {
  const { entry } = table;
  // The names of columns were checked with the mapping; one without any cell may be gone.
  const read = readCsvMapping(mapping ?? {}, { columns: null, fieldsOf });
  const isReplaced = (column: string) => read.values.get(column)?.has("") === true;
  const minimumCells = columns.findLastIndex(isReplaced) + 1;
  const context = { source, entry, columns, mapping: read, minimumCells };
  const keys = new RowKeyMaker(read, columns, budget);
  for await (const row of rowsAfter(table, header)) {
    yield { kind: "item", item: convertRow(row, context, keys.keysOf(row)) };
  }
}

/** True if the first two rows of a text have the same number of cells, at least two. */
async function isTable(text: string): Promise<boolean> {
  const lines = await linesOf(text);
  for (const delimiter of Object.values(DELIMITERS)) {
    const rows = (await Array.fromAsync(csvRows(lines, delimiter))).flat();
    const [first, second] = rows.filter((row) => row.fault === undefined);
    const width = first?.cells.length ?? 0;
    if (width > 1 && width === second?.cells.length) return true;
  }
  return false;
}

/** The rows after the header, without empty ones. */
async function* rowsAfter({ lines }: Table, { delimiter, line }: Header): AsyncGenerator<CsvRow> {
  for await (const rows of csvRows(lines, delimiter, line)) {
    yield* rows.filter((row) => row.line > line && !isEmptyRow(row));
  }
}

/** Reads rows until the names of the columns in use and the suggested key are known. */
async function surveyRows(
  table: Table,
  header: Header,
  { budget }: Pick<ConverterInput, "budget">,
): Promise<{ readonly columns: readonly string[]; readonly suggestedKey: readonly string[] }> {
  const { names } = header;
  const keys = new KeyFinder(names.length, budget);
  let width = header.named;
  for await (const row of rowsAfter(table, header)) {
    await budget.turn(row.line);
    if (row.fault !== undefined) continue;
    width = Math.max(width, widthOf(row.cells.slice(0, names.length)));
    keys.add(row);
    if (width === names.length && keys.hasEnded) break;
  }
  const columns = names.slice(0, width);
  const key = columns[keys.end() ?? width];
  return { columns, suggestedKey: key === undefined ? [] : [key] };
}

/**
 * The names in the header by a mapping's reading options, also of columns without any cell. The
 * entries of the archive may be damaged: by default its largest table that can be read counts.
 *
 * @throws ServiceError `PAYLOAD_INVALID`, rule `mapping.table` or `csv.header`.
 */
async function readColumns(mapping: JsonObject, file: OpenedTable): Promise<readonly string[]> {
  // A preset has its own columns.
  if (namesPreset(mapping)) return [];
  const options = readingOptions(mapping);
  const choices = file.archive === null || options.table !== undefined
    ? [options]
    : largestTables(file.archive).map(({ name }) => ({ ...options, table: name }));
  for (const choice of choices) {
    const header = await headerOf(file, choice);
    if (header !== null) return header.names;
  }
  return refuseTable();
}

/** Null if the table cannot be read. That of an archive may be damaged far after its header. */
async function headerOf(file: OpenedTable, options: ReadingOptions): Promise<Header | null> {
  try {
    const table = await openTable(file, options) ?? refuseTable();
    const header = await findHeader(table.lines, options);
    if (header === null) throw payloadInvalid(["csv.header"], ["headerLine"]);
    if (file.archive !== null) await readToEnd(table.chunks());
    return header;
  } catch (error) {
    if (error instanceof FileRefusal) return null;
    throw error;
  }
}

async function readToEnd(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}
