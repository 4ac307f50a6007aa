/** Keys of rows, and the column that could be their key. */

import { sha256Hex } from "../../core/digest.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import { DigestCounts } from "../digest_counts.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import type { RowKeys } from "./csv_item.ts";
import type { CsvMapping } from "./csv_mapping.ts";
import type { CsvRow } from "./csv_rows.ts";

/** Creates the keys of rows. Equal rows are numbered. */
export class RowKeyMaker {
  readonly #mapping: CsvMapping;
  /** The columns whose cells are in the key, by name: their names in JSON and positions. */
  readonly #keyed: readonly (readonly [name: string, index: number])[];
  /** The canonical JSON of all rows, after their cells. */
  readonly #shared: string;
  readonly #rows: DigestCounts;
  readonly #formerRows: DigestCounts;

  constructor(mapping: CsvMapping, columns: readonly string[], budget: ReadingBudget) {
    this.#mapping = mapping;
    const { target, targetFields, fields, constants, keyColumns, hasKey } = mapping;
    const isAll = keyColumns.length === 0;
    const stating = [...fields.keys()].filter((column) => fields.get(column)?.includes("@key"));
    const keyed = new Set(hasKey ? stating : isAll ? fields.keys() : keyColumns);
    this.#keyed = [...columns.entries()].filter(([, column]) => keyed.has(column))
      .toSorted(([, one], [, other]) => one < other ? -1 : 1)
      .map(([index, column]) => [JSON.stringify(column), index]);
    const selected = [...constants].filter(([name]) => targetFields.get(name)?.edit === "select");
    const byColumn = [...fields].map(([column, names]) => [column, names.toSorted()]);
    this.#shared = canonicalJson({
      target,
      constants: Object.fromEntries(selected),
      ...(isAll && { fields: Object.fromEntries(byColumn) }),
    }).slice(1);
    this.#rows = new DigestCounts(budget);
    this.#formerRows = new DigestCounts(budget);
  }

  /** Rows whose cells are unknown have no key. */
  keysOf(row: CsvRow): RowKeys {
    const { fault, line, isBroken = false } = row;
    if (fault !== undefined) return { key: null };
    const cellAt = (index: number) => row.cells[index] ?? "";
    // In a line of an unknown encoding only the ASCII is known.
    const isKnown = !isBroken || this.#keyed.every(([, index]) => isAscii(cellAt(index)));
    if (this.#mapping.hasKey) {
      const [, index = -1] = this.#keyed[0] ?? [];
      // Release 2.0.0 kept the blanks around a stated key.
      const formerKey = row.written[index] ?? "";
      const key = isBroken && isKnown && index !== -1 ? cellAt(index) : null;
      return { key, ...(formerKey !== "" && { formerKey }) };
    }
    const formerKey = isBroken ? {} : { formerKey: this.#formerKeyOf(row) };
    if (!isKnown) return { key: null };
    const cells = this.#keyed.map(([name, index]) => `${name}:${JSON.stringify(cellAt(index))}`);
    // `cells` is the first name.
    const digest = sha256Hex(`{"cells":{${cells.join(",")}},${this.#shared}`);
    return { key: `${digest}-${this.#rows.add(digest, line)}`, ...formerKey };
  }

  /** The key of release 2.0.0, which read all cells as written. */
  #formerKeyOf({ written, line }: CsvRow): string {
    const digest = sha256Hex(JSON.stringify(written));
    return `${digest}-${this.#formerRows.add(digest, line)}`;
  }
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** Rows that a suggested key tells apart. */
const COMPARED_ROWS = 10_000;
/** Maximum cells in memory: the last columns are compared no longer if there are more. */
const COMPARED_CELLS = 200_000;

/** Finds the first column whose cells tell apart all of the first 10,000 rows. */
export class KeyFinder {
  readonly #budget: ReadingBudget;
  #open: readonly { readonly index: number; readonly cells: DigestCounts }[];
  #rows = 0;

  constructor(width: number, budget: ReadingBudget) {
    this.#budget = budget;
    this.#open = Array.from(
      { length: width },
      (_, index) => ({ index, cells: new DigestCounts(budget) }),
    );
  }

  /** True if further rows change nothing. */
  get hasEnded(): boolean {
    return this.#rows === COMPARED_ROWS || this.#open.length === 0;
  }

  add({ cells: row, line }: CsvRow): void {
    if (this.hasEnded) return;
    this.#rows++;
    const most = Math.floor(COMPARED_CELLS / this.#rows);
    this.#open = this.#open.filter(({ index, cells }, position) => {
      const isOpen = position < most && cells.add(sha256Hex(row[index] ?? ""), line) === 1;
      if (!isOpen) cells.release();
      return isOpen;
    });
  }

  /** The position of the column; null if each has equal cells, or if there are no rows. */
  end(): number | null {
    for (const { cells } of this.#open) cells.release();
    return this.#rows === 0 ? null : this.#open[0]?.index ?? null;
  }
}
