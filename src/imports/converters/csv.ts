/** `csv`: converts rows by the owner's mapping. */

import { sha256Hex } from "../../core/digest.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { canonicalJson, utf8Length } from "../../validate/canonical.ts";
import { JSON_CEILINGS } from "../../validate/json_limits.ts";
import { jsonObject, oneOf, optional, readBody, string } from "../../validate/schema.ts";
import { refuseFile } from "../refusal.ts";
import type { TableFacts } from "../import.ts";
import type { Converted, Converter, MappingContext, SourceItem } from "./converter.ts";
import { entryBytes } from "../reading_budget.ts";
import { type CsvRow, csvRows, findDelimiter, HEADER_BYTES } from "./csv_rows.ts";
import { DEFAULT_ZONE, inUtc, readDate, TIME_ZONE } from "./dates.ts";
import { textLines } from "./lines.ts";
import { reportWord } from "../words.ts";

const MAPPING = {
  target: string({ maximum: 40 }),
  columns: jsonObject,
  constants: optional(jsonObject),
  rest: optional(oneOf("leave", "notes")),
  dates: optional(oneOf("ISO", "DMY", "MDY")),
  timeZone: optional(TIME_ZONE),
  decimal: optional(oneOf(".", ",")),
};

export const CSV: Converter = {
  format: "csv",
  title: { en: "Spreadsheet (CSV)", de: "Tabelle (CSV)" },
  extensions: [".csv"],
  isNamed: true,
  kinds: ["zip", "tar", "gzip", "text"],
  mapping: {
    kind: "COLUMNS",
    schema: MAPPING,
    example: {
      target: "commitment",
      columns: { Task: "@title" },
      constants: { commitmentType: "OUTGOING", content: "From a list", completionStatus: "OPEN" },
    },
    isRequired: true,
    check: (mapping, context) => void readCsvMapping(mapping, context),
  },
  async *convert({ file, mapping, fieldsOf, budget }): AsyncGenerator<Converted> {
    let read: CsvMapping | null = null;
    const repeated = new Map<string, number>();
    let columns: readonly string[] | null = null;
    const lines = () => textLines(file.stream());
    const delimiter = await findDelimiter(lines());
    for await (const row of csvRows(lines(), delimiter)) {
      const { line, cells } = row;
      if (columns === null) {
        columns = readHeader(row);
        yield { kind: "table", columns, facts: NO_FACTS };
        if (mapping !== null) read = readCsvMapping(mapping, { columns, fieldsOf });
      } else if (read !== null && row.isTooLong) {
        const members = { target: read.target };
        yield { kind: "item", item: { place: line, members, refused: ["import.item_size"] } };
      } else if (read !== null && !(cells.length === 1 && cells[0] === "")) {
        // Equal rows are numbered, so that each has its own key.
        const digest = sha256Hex(canonicalJson([...cells]));
        const count = (repeated.get(digest) ?? 0) + 1;
        if (count === 1) budget.hold(entryBytes(digest), line);
        repeated.set(digest, count);
        yield { kind: "item", item: convertRow(row, columns, read, `${digest}-${count}`) };
      }
    }
    if (columns === null) refuseFile("csv.header", 1);
  },
};

const NO_FACTS: TableFacts = { tables: [], encoding: "utf-8", suggestedKey: [] };

/** Names of columns as reports show them and mappings use them. */
function readHeader({ line, cells, isTooLong = false }: CsvRow): readonly string[] {
  const names = cells.map((name) => reportWord(name, JSON_CEILINGS.keyCodePoints));
  const isWrong = isTooLong || utf8Length(cells.join(",")) > HEADER_BYTES ||
    cells.some((name) => name.trim() === "" || name.includes("\0")) ||
    new Set(names).size !== names.length;
  return isWrong ? refuseFile("csv.header", line) : names;
}

/** @param key The item's key, unless the mapping states one. */
function convertRow(
  { line: place, cells }: CsvRow,
  columns: readonly string[],
  mapping: CsvMapping,
  key: string,
): SourceItem {
  const { target, fields, constants, rest, hasKey } = mapping;
  const payload: JsonObject = {};
  const members: JsonObject = { target, payload, ...(!hasKey && { key }) };
  const refused = new Set<string>();
  const writtenTimes: string[] = [];
  const put = (name: string, value: JsonValue) => {
    if (name.startsWith("@")) members[name.slice(1)] = value;
    else payload[name] = value;
  };
  const read = (name: string, cell: string) => {
    const { rule, value, isTime } = readCell(name, cell, mapping);
    if (value === null) refused.add(rule);
    else put(name, value);
    if (isTime) writtenTimes.push(name);
  };
  for (const [name, value] of constants) {
    if (typeof value === "string" && name.startsWith("@")) read(name, value);
    else put(name, value);
  }
  const others: [column: string, cell: string][] = [];
  cells.forEach((cell, index) => {
    const column = columns[index];
    if (cell === "" || column === undefined) return;
    const field = fields.get(column);
    if (field !== undefined) read(field, cell);
    else others.push([column, cell]);
  });
  if (rest === "notes" && others.length > 0) {
    const before = typeof payload.notes === "string" ? [payload.notes] : [];
    payload.notes = [...before, ...others.map((pair) => pair.join(": "))].join("\n");
  }
  if (cells.length !== columns.length) refused.add("csv.cells");
  const unmapped = rest === "leave" ? others.map(([column]) => column) : [];
  return { place, members, refused: [...refused], unmapped, writtenTimes };
}

/** Reads a cell as its field requires. Null breaks the rule. */
function readCell(name: string, cell: string, mapping: CsvMapping) {
  const field = mapping.targetFields.get(name);
  const kind = field?.edit ?? MEMBERS[name] ?? "";
  const { rule, read } = CELLS[kind] ?? PLAIN;
  return { rule, value: read(cell, mapping, field?.options ?? []), isTime: kind === "datetime" };
}

interface CellKind {
  /** Refuses a row whose cell cannot be read. */
  readonly rule: string;
  readonly read: (
    cell: string,
    mapping: CsvMapping,
    options: readonly string[],
  ) => JsonValue;
}

const PLAIN: CellKind = { rule: "", read: (cell) => cell };
const LIST: CellKind = {
  rule: "",
  read: (cell) => cell.split(",").map((part) => part.trim()).filter((part) => part !== ""),
};

/** By the kind of field. */
const CELLS: Readonly<Record<string, CellKind>> = {
  select: {
    rule: "csv.option",
    read(cell, _, options) {
      const compared = cell.trim().toUpperCase().replaceAll(/[ -]/g, "_");
      return options.find((option) => option.toUpperCase() === compared) ?? null;
    },
  },
  number: {
    rule: "csv.number",
    read(cell, { decimal }) {
      const [point, separator] = decimal === "," ? [",", "."] : [".", ","];
      if (cell.includes(separator)) return null;
      const text = cell.trim().replace(point, ".");
      const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
      return isNumber && Number.isFinite(Number(text)) ? Number(text) : null;
    },
  },
  boolean: {
    rule: "csv.boolean",
    read(cell) {
      const word = cell.trim().toLowerCase();
      return ["true", "yes", "1"].includes(word) ||
        (["false", "no", "0"].includes(word) ? false : null);
    },
  },
  datetime: {
    rule: "csv.date",
    read: (cell, { dates, timeZone }) => readDate(cell, dates, timeZone),
  },
  instant: {
    rule: "csv.date",
    read(cell, { dates, timeZone }) {
      const time = cell.includes("[") ? null : readDate(cell, dates, timeZone);
      return time && inUtc(time);
    },
  },
  tags: LIST,
  file: LIST,
};

/** Members of an item that a column or constant may set, with their kinds of field. */
const MEMBERS: Readonly<Record<string, string>> = {
  "@title": "text",
  "@summary": "text",
  "@key": "text",
  "@recordedAt": "instant",
  "@tags": "tags",
};

type CsvMapping = ReturnType<typeof readCsvMapping>;

/**
 * @throws ServiceError `PAYLOAD_INVALID` for an unknown target, column or field, a field of two
 * columns, and a mapping without `@title`.
 */
function readCsvMapping(
  mapping: JsonObject,
  { columns, fieldsOf }: MappingContext,
) {
  const body = readBody(MAPPING, mapping);
  const { target, rest = "leave", dates = "ISO", timeZone = DEFAULT_ZONE, decimal = "." } = body;
  const known = fieldsOf(target);
  if (known === null) throw payloadInvalid(["mapping.target"], ["target"]);
  const targetFields = new Map(known.map((field) => [field.name, field]));
  const isField = (name: JsonValue): name is string =>
    typeof name === "string" && (Object.hasOwn(MEMBERS, name) || targetFields.has(name));
  const fields = new Map<string, string>();
  const named = columns === null ? null : new Set(columns);
  for (const [column, field] of Object.entries(body.columns)) {
    if (named?.has(column) === false) throw payloadInvalid(["mapping.column"], ["columns"]);
    if (!isField(field)) throw payloadInvalid(["mapping.field"], ["columns"]);
    fields.set(column, field);
  }
  const constants = Object.entries(body.constants ?? {});
  if (!constants.every(([name]) => isField(name))) {
    throw payloadInvalid(["mapping.field"], ["constants"]);
  }
  const stated = [...fields.values(), ...constants.map(([name]) => name)];
  if (new Set(fields.values()).size !== fields.size) {
    throw payloadInvalid(["mapping.field_repeated"], ["columns"]);
  }
  if (!stated.includes("@title")) throw payloadInvalid(["mapping.title"], ["columns"]);
  if (rest === "notes" && !targetFields.has("notes")) {
    throw payloadInvalid(["mapping.notes"], ["rest"]);
  }
  const hasKey = stated.includes("@key");
  return { target, targetFields, fields, constants, rest, dates, timeZone, decimal, hasKey };
}
