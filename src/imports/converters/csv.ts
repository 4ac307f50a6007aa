/** `csv`: each row becomes what the owner's mapping says. */

import { sha256Hex } from "../../core/digest.ts";
import type { Field } from "../../catalog/module.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import { refuseFile } from "../refusal.ts";
import type { Converted, Converter, SourceItem } from "./converter.ts";
import { csvRows } from "./csv_rows.ts";
import { type CsvMapping, readCsvMapping } from "./csv_mapping.ts";
import { readDate } from "./dates.ts";
import { refuseNul, textChunks } from "./lines.ts";

export const CSV: Converter = {
  format: "csv",
  isNamed: true,
  archives: [],
  acceptsText: true,
  readMapping: (mapping, context) => void readCsvMapping(mapping, context),
  needsMapping: true,
  async sourceOf({ name, file }) {
    await refuseNul(file);
    return `csv:${name}`;
  },
  async *convert({ file, mapping, fieldsOf }): AsyncGenerator<Converted> {
    let rows: RowConverter | null = null;
    let columns: readonly string[] | null = null;
    for await (const { line, cells } of csvRows(textChunks(file.stream(0, file.size)))) {
      if (columns === null) {
        columns = readHeader(cells, line);
        yield { kind: "columns", columns };
        if (mapping !== null) {
          rows = new RowConverter(columns, readCsvMapping(mapping, { columns, fieldsOf }));
        }
      } else if (rows !== null && !(cells.length === 1 && cells[0] === "")) {
        yield { kind: "item", item: rows.convert(line, cells) };
      }
    }
    if (columns === null) refuseFile("csv.header", 1);
  },
};

function readHeader(cells: readonly string[], line: number): readonly string[] {
  const isWrong = cells.some((name) => name.trim() === "" || name.includes("\0")) ||
    new Set(cells).size !== cells.length;
  return isWrong ? refuseFile("csv.header", line) : cells;
}

class RowConverter {
  readonly #columns: readonly string[];
  readonly #mapping: CsvMapping;
  readonly #repeated = new Map<string, number>();

  constructor(columns: readonly string[], mapping: CsvMapping) {
    this.#columns = columns;
    this.#mapping = mapping;
  }

  convert(place: number, cells: readonly string[]): SourceItem {
    const { target, fields, constants, rest } = this.#mapping;
    const row = new Row(this.#mapping);
    for (const [name, value] of constants) row.setConstant(name, value);
    const others: string[] = [];
    const unmapped: string[] = [];
    this.#columns.forEach((column, index) => {
      const cell = cells[index] ?? "";
      if (cell === "") return;
      const field = fields.get(column);
      if (field !== undefined) row.set(field, cell);
      else if (rest === "notes") others.push(`${column}: ${cell}`);
      else unmapped.push(column);
    });
    if (others.length > 0) row.addNotes(others.join("\n"));
    if (cells.length !== this.#columns.length) row.refused.add("csv.cells");
    const own = this.#mapping.hasKey ? null : this.#keyOf(cells);
    const members: JsonObject = { target, payload: row.payload, ...row.members };
    if (own !== null) members.key = own;
    return { place, members, refused: [...row.refused], unmapped };
  }

  /** The digest of the cells, and which of the equal rows it is. */
  #keyOf(cells: readonly string[]): string {
    const digest = sha256Hex(canonicalJson([...cells]));
    const count = (this.#repeated.get(digest) ?? 0) + 1;
    this.#repeated.set(digest, count);
    return `${digest}-${count}`;
  }
}

class Row {
  readonly members: JsonObject = {};
  readonly payload: JsonObject = {};
  readonly refused = new Set<string>();
  readonly #mapping: CsvMapping;

  constructor(mapping: CsvMapping) {
    this.#mapping = mapping;
  }

  setConstant(name: string, value: JsonValue): void {
    if (typeof value === "string" && name.startsWith("@")) this.#setMember(name, value);
    else if (name.startsWith("@")) this.members[name.slice(1)] = value;
    else this.payload[name] = value;
  }

  set(name: string, cell: string): void {
    if (name.startsWith("@")) return this.#setMember(name, cell);
    const field = this.#mapping.targetFields.get(name);
    if (field === undefined) return;
    const value = this.#valueOf(field, cell);
    if (value !== undefined) this.payload[name] = value;
  }

  addNotes(text: string): void {
    const before = this.payload.notes;
    this.payload.notes = typeof before === "string" ? `${before}\n${text}` : text;
  }

  #setMember(name: string, cell: string): void {
    switch (name) {
      case "@recordedAt": {
        const moment = this.#dateOf(cell);
        if (moment !== undefined) this.members.recordedAt = moment;
        break;
      }
      case "@tags":
        this.members.tags = partsOf(cell);
        break;
      default:
        this.members[name.slice(1)] = cell;
    }
  }

  #valueOf(field: Field, cell: string): JsonValue | undefined {
    switch (field.edit) {
      case "select":
        return this.#optionOf(field, cell);
      case "number":
        return this.#numberOf(cell);
      case "boolean":
        return this.#booleanOf(cell);
      case "datetime":
        return this.#dateOf(cell);
      case "tags":
      case "file":
        return partsOf(cell);
      default:
        return cell;
    }
  }

  #refuse(rule: string): undefined {
    this.refused.add(rule);
  }

  #optionOf({ options = [] }: Field, cell: string): string | undefined {
    const compared = cell.trim().toUpperCase().replaceAll(/[ -]/g, "_");
    return options.find((option) => option.toUpperCase() === compared) ??
      this.#refuse("csv.option");
  }

  #numberOf(cell: string): number | undefined {
    const text = this.#mapping.decimal === "," ? decimalComma(cell.trim()) : cell.trim();
    const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
    return isNumber && Number.isFinite(Number(text)) ? Number(text) : this.#refuse("csv.number");
  }

  #booleanOf(cell: string): boolean | undefined {
    const word = cell.trim().toLowerCase();
    if (["true", "yes", "1"].includes(word)) return true;
    return ["false", "no", "0"].includes(word) ? false : this.#refuse("csv.boolean");
  }

  #dateOf(cell: string): string | undefined {
    const { dates, timeZone } = this.#mapping;
    return readDate(cell, dates, timeZone) ?? this.#refuse("csv.date");
  }
}

/** The form with a point of a number with a decimal comma; empty for a number with a point. */
function decimalComma(text: string): string {
  return text.includes(".") ? "" : text.replace(",", ".");
}

function partsOf(cell: string): string[] {
  return cell.split(",").map((part) => part.trim()).filter((part) => part !== "");
}
