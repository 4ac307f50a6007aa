/** Many new memories in one statement: their roots, their ledger and their projections. */

import type { Query, Sql } from "../../database/sql.ts";
import { manyRootEntries } from "../../kit/many_roots.ts";
import { manyProjectionEntries } from "../../records/port.ts";
import { MEMORY_ROOT, type MemoryRow } from "./memory.ts";
import { memoryProjection } from "./memory_store.ts";

/** A memory of another product, and the time at which it was recorded there. */
interface ImportedMemory {
  readonly row: MemoryRow;
  readonly recordedAt: Date;
}

/** CTEs that create memories of an import, conditional on the claim. */
export function manyMemoryEntries(
  sql: Sql,
  owner: string,
  memories: readonly ImportedMemory[],
): Query<object> {
  const rows = memories.map(({ row }) => row);
  const projections = memories.map(({ row, recordedAt }) =>
    memoryProjection(row, "CREATED", { sourceType: "IMPORT", recordedAt })
  );
  return sql`
    ${manyRootEntries(sql, owner, MEMORY_ROOT, rows)},
    ${manyProjectionEntries(sql, owner, projections)}`;
}
