/** Leaves out of an import the rows of subjects that the account or the file names as erased. */

import type { JsonObject } from "../core/json.ts";
import type { Sql } from "../database/sql.ts";
import { erasedOf, type ErasedRow } from "../erasure/erased_store.ts";
import { ErasedIds, type Row } from "../erasure/erased_ids.ts";
import { mappingWithout } from "../erasure/filter.ts";
import type { NestedRows } from "./account_file.ts";
import type { LineType } from "./description.ts";
import { ERASED_LINES } from "./lines/erased.ts";

export class ErasedFilter {
  readonly #owner: string;
  readonly #gone = new ErasedIds();
  /** Identifiers that the account has erased already: their lines are not written twice. */
  readonly #present = new Set<string>();

  private constructor(owner: string) {
    this.#owner = owner;
  }

  static async of(sql: Sql, owner: string): Promise<ErasedFilter> {
    const filter = new ErasedFilter(owner);
    for (const row of await erasedOf(sql, owner)) {
      filter.#present.add(row.subject_id);
      filter.#add(row);
    }
    return filter;
  }

  /** True if a row must be written. Call it in the order of the file. */
  accepts(type: LineType, row: JsonObject, below: NestedRows = {}): boolean {
    if (type.table !== ERASED_LINES.table) {
      // Notes nested rows first: a proposal goes with the record that its acceptance created.
      this.below(type, row, below);
      return !this.#isGone(type.table, row);
    }
    const erased = row as unknown as ErasedRow;
    this.#add(erased);
    return !this.#present.has(erased.subject_id);
  }

  /** The rows below a row that is written, without those that are erased. */
  below({ lists }: LineType, row: JsonObject, below: NestedRows): NestedRows {
    if (this.#gone.isEmpty) return below;
    return Object.fromEntries(lists.flatMap(({ member, table, inherited }) => {
      const rows = below[member];
      if (rows === undefined) return [];
      const above = Object.fromEntries(inherited.map((name) => [name, row[name] ?? null]));
      return [[member, rows.filter((each) => !this.#isGone(table, { ...above, ...each }))]];
    }));
  }

  /** The row without the parts of its mapping that name erased subjects. */
  rest({ table }: LineType, row: JsonObject): JsonObject {
    if (table !== "imports" || (row.mapping ?? null) === null) return row;
    const { mapping, subject } = mappingWithout(this.#gone, { ...row, owner_id: this.#owner });
    return subject === null ? row : { ...row, mapping };
  }

  #isGone(table: string, row: Row): boolean {
    return this.#gone.subjectOf(table, { ...row, owner_id: this.#owner }) !== null;
  }

  /** Lines do not contain the kind of a subject. Drafts belong to the module `memory`. */
  #add({ subject_id: id, module_code }: ErasedRow): void {
    if (module_code === null) return this.#gone.add(this.#owner, { kind: "ATTACHMENT", id });
    this.#gone.add(this.#owner, { kind: "RECORD", id });
    if (module_code === "memory") this.#gone.add(this.#owner, { kind: "DRAFT", id });
  }
}
