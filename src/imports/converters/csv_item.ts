/** One row of a table becomes an item by the owner's mapping. */

import type { JsonObject, JsonValue } from "../../core/json.ts";
import { fitTitle } from "../fit_members.ts";
import type { SourceItem } from "./converter.ts";
import { cellKind } from "./csv_cells.ts";
import { type CellValue, comparedCell, type CsvMapping, kindOf } from "./csv_mapping.ts";
import { isCurrency } from "./csv_number.ts";
import type { CsvRow } from "./csv_rows.ts";
import { importUrn } from "./import_urn.ts";
import { tagNames } from "./tag_names.ts";

/** Fields that name a record; the title fills them. */
const NAMING_FIELDS: Readonly<Record<string, string>> = {
  action: "actionTitle",
  knowledge: "sourceTitle",
  routine: "routineName",
  timeline: "eventTitle",
  community: "communityName",
  place: "placeName",
  legacy: "legacyTitle",
  publication: "publicationTitle",
};

export interface RowContext {
  /** As stored in origins. */
  readonly source: string;
  readonly entry: string | null;
  readonly columns: readonly string[];
  readonly mapping: CsvMapping;
  /** The number of cells to read of a row, even if it has fewer: empty ones may be replaced. */
  readonly minimumCells: number;
}

/** The keys of a row: its own one, unless a column states it, and that of release 2.0.0. */
export interface RowKeys {
  readonly key: string | null;
  readonly formerKey?: string;
}

export function convertRow(row: CsvRow, context: RowContext, keys: RowKeys): SourceItem {
  const { columns, mapping: { target }, entry } = context;
  const { fault, cells, line: place, isBroken } = row;
  const { key } = keys;
  if (fault !== undefined) return { place, entry, members: { target }, refused: [fault] };
  if (isBroken) {
    const members = { target, ...(key !== null && { key }) };
    return { place, entry, members, refused: ["text.utf8"] };
  }
  const reader = new RowValues(context);
  reader.readCells(cells);
  if (cells.slice(columns.length).some((cell) => cell.trim() !== "")) {
    reader.refused.add("csv.cells");
  }
  return {
    place,
    entry,
    members: reader.membersOf(key),
    refused: [...reader.refused],
    unmapped: reader.unmapped,
    writtenTimes: reader.writtenTimes,
    ...(keys.formerKey !== undefined && { formerKey: keys.formerKey }),
  };
}

class RowValues {
  readonly refused = new Set<string>();
  readonly unmapped: string[] = [];
  readonly writtenTimes: string[] = [];
  readonly #context: RowContext;
  readonly #mapping: CsvMapping;
  readonly #values = new Map<string, JsonValue>();
  /** Units of numbers by column. */
  readonly #units: (readonly [column: string, unit: string])[] = [];
  readonly #rest: string[] = [];

  constructor(context: RowContext) {
    this.#context = context;
    this.#mapping = context.mapping;
  }

  readCells(cells: readonly string[]): void {
    const { fields, values, rest } = this.#mapping;
    const written = new Map<string, (readonly [column: string, value: CellValue])[]>();
    const { columns, minimumCells } = this.#context;
    const width = Math.min(columns.length, Math.max(cells.length, minimumCells));
    for (let index = 0; index < width; index++) {
      const [column = "", cell = ""] = [columns[index], cells[index]];
      const value = values.get(column)?.get(comparedCell(cell)) ?? cell;
      const names = fields.get(column);
      if (typeof value === "string" && value.trim() === "") continue;
      for (const name of names ?? []) {
        const own = written.get(name);
        if (own === undefined) written.set(name, [[column, value]]);
        else own.push([column, value]);
      }
      if (names !== undefined) continue;
      if (rest === "leave") this.unmapped.push(column);
      else this.#rest.push(`${column}: ${[value].flat().join(", ")}`);
    }
    for (const [name, own] of written) this.#readField(name, own);
    this.#addConstants();
    this.#addRest();
    this.#addUnits();
  }

  /** @param key Null if a column or constant states it. */
  membersOf(key: string | null): JsonObject {
    const { target } = this.#mapping;
    const payload: JsonObject = {};
    const members: JsonObject = { target, payload, ...(key !== null && { key }) };
    for (const [name, value] of this.#values) {
      if (name.startsWith("@")) members[name.slice(1)] = value;
      else payload[name] = value;
    }
    const { title } = members;
    const naming = NAMING_FIELDS[target];
    if (typeof title === "string") {
      members.title = title.replaceAll(/\r\n|[\r\n]/g, " ");
      if (naming !== undefined) payload[naming] ??= fitTitle(members.title).title;
    }
    if (target === "knowledge" && typeof members.key === "string") {
      payload.url ??= importUrn(this.#context.source, members.key);
    }
    return members;
  }

  /** Reads the cells of a field; several are a date with its time, or tags. */
  #readField(name: string, cells: readonly (readonly [column: string, value: CellValue])[]): void {
    if (name === "@tags") return this.#readTags(cells.map(([, value]) => value));
    const [[column, value] = ["", ""], ...others] = cells;
    const isText = typeof value === "string" || others.length > 0;
    this.#read(name, isText ? cells.map(([, each]) => String(each)).join(" ") : value, column);
  }

  #read(name: string, value: CellValue, column: string): void {
    const { targetFields } = this.#mapping;
    const kind = kindOf(name, targetFields) ?? "";
    if (Array.isArray(value) || (typeof value === kind)) {
      this.#values.set(name, value as JsonValue);
      return;
    }
    const { rule, read } = cellKind(kind);
    const options = targetFields.get(name)?.options ?? [];
    const { value: found, unit } = read(String(value), this.#mapping, options);
    if (found === null) this.refused.add(rule);
    else this.#values.set(name, found);
    if (unit !== undefined) this.#units.push([column, unit]);
    if (kind === "datetime") this.writtenTimes.push(name);
  }

  #readTags(cells: readonly CellValue[]): void {
    const { read } = cellKind("tags");
    const names = cells.flatMap((cell) => {
      return Array.isArray(cell) ? cell : read(String(cell), this.#mapping, []).value as string[];
    });
    this.#values.set("@tags", names.flatMap(tagNames));
  }

  /** A constant is the value of an empty cell. */
  #addConstants(): void {
    for (const [name, value] of this.#mapping.constants) {
      if (name === "@title") this.#addToTime(value);
      if (this.#values.has(name)) continue;
      if (typeof value !== "string" || !name.startsWith("@")) this.#values.set(name, value);
      else this.#readField(name, [["", value]]);
    }
  }

  /** Adds a constant before a title that is a time: `Weight, 1.5.2024`. */
  #addToTime(constant: JsonValue): void {
    const { fields, targetFields } = this.#mapping;
    const isTime = [...fields.values()].some((names) =>
      names.includes("@title") && names.some((name) => kindOf(name, targetFields) === "datetime")
    );
    const title = this.#values.get("@title");
    if (isTime && title !== undefined) this.#values.set("@title", `${constant}, ${title}`);
  }

  /** Adds the lines of the columns left over after the field's own text. */
  #addRest(): void {
    const { rest } = this.#mapping;
    if (this.#rest.length === 0) return;
    const own = this.#values.get(rest);
    const before = typeof own === "string" ? [own] : [];
    this.#values.set(rest, [...before, ...this.#rest].join("\n"));
  }

  /** A unit fills the field `unit`, or equals it. Without that field only currencies may be cut. */
  #addUnits(): void {
    for (const [column, unit] of this.#units) {
      const stated = this.#values.get("unit");
      if (!this.#mapping.targetFields.has("unit")) {
        if (isCurrency(unit) || unit === "°") this.unmapped.push(`${column}.unit`);
        else this.refused.add("csv.unit");
      } else if (stated === undefined) this.#values.set("unit", unit);
      else if (comparedCell(String(stated)) !== comparedCell(unit)) this.refused.add("csv.unit");
    }
  }
}
