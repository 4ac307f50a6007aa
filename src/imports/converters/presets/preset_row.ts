/** A row of a table whose columns a preset reads by their names. */

import { cleanText } from "../apps/clean_text.ts";
import type { CsvRow } from "../csv_rows.ts";
import type { TableHead } from "./table_head.ts";

export class PresetRow {
  readonly head: TableHead;
  /** The path in the archive; null for a bare file. */
  readonly entry: string | null;
  /** The rule that refuses the row; null for a row that can be read. */
  readonly fault: string | null;
  readonly #cells: readonly string[];
  /** The columns that were read or ignored. */
  readonly #read = new Set<number>();
  readonly #counted: string[] = [];

  constructor({ cells, fault, isBroken = false }: CsvRow, head: TableHead, entry: string | null) {
    this.head = head;
    this.entry = entry;
    this.#cells = cells.map((cell) => cell.trim());
    const isTooWide = this.#cells.slice(head.labels.length).some((cell) => cell !== "");
    this.fault = fault ?? (isBroken ? "text.utf8" : isTooWide ? "csv.cells" : null);
  }

  /** The cell of a column without blanks at its ends; empty without the column. */
  text(name: string): string {
    const index = this.head.indexOf(name);
    this.#read.add(index);
    return cleanText(this.#cells[index] ?? "");
  }

  /** The cell of the first of several columns that has one. */
  firstText(...names: readonly string[]): string {
    return names.map((name) => this.text(name)).find((text) => text !== "") ?? "";
  }

  /** The parts of a cell without blanks at their ends and without empty ones. */
  list(name: string, mark: string): readonly string[] {
    return this.text(name).split(mark).map((part) => part.trim()).filter((part) => part !== "");
  }

  /** Does not count columns that repeat others. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#read.add(this.head.indexOf(name));
  }

  /** Does not count columns with one of these values. */
  ignoreValues(values: readonly string[]): void {
    for (const [index, cell] of this.#cells.entries()) {
      if (values.includes(cell)) this.#read.add(index);
    }
  }

  /** Counts content that is left out, in addition to columns. */
  count(name: string): void {
    this.#counted.push(name);
  }

  /** The columns that have a value and were neither read nor ignored, and other counted names. */
  get unmapped(): readonly string[] {
    const indexes = this.#filled.filter((index) => !this.#read.has(index));
    return [...this.#counted, ...indexes.flatMap((index) => this.head.labels[index] ?? [])];
  }

  /** The names of the columns that have a value. A row may be much shorter than the header. */
  get filledLabels(): readonly string[] {
    return this.#filled.flatMap((index) => this.head.labels[index] ?? []);
  }

  /** True if the row reaches a column. */
  reaches(name: string): boolean {
    const index = this.head.indexOf(name);
    return index !== -1 && index < this.#cells.length;
  }

  /** True if nothing but the first cell has a value. */
  get isFirstAlone(): boolean {
    return this.#filled.length === 1 && this.#filled[0] === 0;
  }

  /** The positions of cells with a value. */
  get #filled(): readonly number[] {
    return this.#cells.flatMap((cell, index) => cell === "" ? [] : index);
  }
}
