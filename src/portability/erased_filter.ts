/** Filters an import: leaves out rows of subjects that the account or the file lists as erased. */

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
  readonly #erased = new ErasedIds();
  /** Identifiers that the account has erased before: their lines are not written again. */
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

  /** True if a row should be written. Requires rows in the order of the file. */
  accepts(type: LineType, row: JsonObject, below: NestedRows = {}): boolean {
    if (type.table !== ERASED_LINES.table) {
      // A nested row may erase its parent: an accepted proposal has the content of its record.
      this.below(type, row, below);
      return !this.#isErased(type.table, row);
    }
    const erased = row as unknown as ErasedRow;
    this.#add(erased);
    return !this.#present.has(erased.subject_id);
  }

  /** The nested rows of a written row, without erased ones. */
  below({ lists }: LineType, row: JsonObject, below: NestedRows): NestedRows {
    if (this.#erased.isEmpty) return below;
    return Object.fromEntries(lists.flatMap(({ member, table, inherited }) => {
      const rows = below[member];
      if (rows === undefined) return [];
      const above = Object.fromEntries(inherited.map((name) => [name, row[name] ?? null]));
      return [[member, rows.filter((each) => !this.#isErased(table, { ...above, ...each }))]];
    }));
  }

  /** A written row, without its data about erased subjects. */
  rest({ table }: LineType, row: JsonObject): JsonObject {
    if (table !== "imports" || (row.mapping ?? null) === null) return row;
    const { mapping, subject } = mappingWithout(this.#erased, { ...row, owner_id: this.#owner });
    return subject === null ? row : { ...row, mapping };
  }

  #isErased(table: string, row: Row): boolean {
    return this.#erased.subjectOf(table, { ...row, owner_id: this.#owner }) !== null;
  }

  /** A line lacks the kind of its subject, so all possible kinds are added. */
  #add({ subject_id: id, module_code }: ErasedRow): void {
    if (module_code === null) return this.#erased.add(this.#owner, { kind: "ATTACHMENT", id });
    this.#erased.add(this.#owner, { kind: "RECORD", id });
    if (module_code === "memory") this.#erased.add(this.#owner, { kind: "DRAFT", id });
  }
}
