/** Reads cells by the kinds of their fields. */

import type { JsonValue } from "../../core/json.ts";
import type { CsvMapping } from "./csv_mapping.ts";
import { readNumber } from "./csv_number.ts";
import { inUtc, readDate } from "./dates.ts";

interface ReadCell {
  /** Null if the cell cannot be read. */
  readonly value: JsonValue;
  /** The unit of a number. */
  readonly unit?: string | undefined;
}

interface CellKind {
  /** Refuses a row whose cell cannot be read. */
  readonly rule: string;
  readonly read: (cell: string, mapping: CsvMapping, options: readonly string[]) => ReadCell;
}

const PLAIN: CellKind = { rule: "", read: (value) => ({ value }) };
const LIST: CellKind = { rule: "", read: (cell, { tagsBy }) => ({ value: listed(cell, tagsBy) }) };

const TRUE = words("true yes y t 1 on x checked wahr ja ✓ ✔ ☑");
const FALSE = words("false no n f 0 off unchecked falsch nein ☐");

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** By the kind of field. */
const CELLS: Readonly<Record<string, CellKind>> = {
  select: {
    rule: "csv.option",
    read(cell, _, options) {
      const compared = cell.trim().toUpperCase().replaceAll(/[ -]/g, "_");
      return { value: options.find((option) => option.toUpperCase() === compared) ?? null };
    },
  },
  number: {
    rule: "csv.number",
    read: (cell, { decimal }) => readNumber(cell, decimal) ?? { value: null },
  },
  boolean: {
    rule: "csv.boolean",
    read(cell) {
      const word = cell.trim().toLowerCase();
      return { value: TRUE.has(word) || (FALSE.has(word) ? false : null) };
    },
  },
  datetime: {
    rule: "csv.date",
    read: (cell, mapping) => ({ value: dateOf(cell, mapping) }),
  },
  instant: {
    rule: "csv.date",
    read(cell, mapping) {
      const time = cell.includes("[") ? null : dateOf(cell, mapping);
      return { value: time && inUtc(time) };
    },
  },
  tags: LIST,
  file: LIST,
};

/** How the cells of a kind of field are read. */
export function cellKind(kind: string): CellKind {
  return CELLS[kind] ?? PLAIN;
}

/** Excel's number of days has the decimal mark of the table. */
function dateOf(cell: string, { dates, timeZone, decimal }: CsvMapping): string | null {
  const isNumber = dates === "EXCEL" && decimal === "," && /^\s*\d+,\d+\s*$/.test(cell);
  return readDate(isNumber ? cell.replace(",", ".") : cell, dates, timeZone);
}

/** The parts of a list, by `,` `;` `|` and line ends, or by one text. */
function listed(cell: string, mark: string | null): string[] {
  const parts = mark === null ? cell.split(/[,;|\r\n]/) : cell.split(mark);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
