/** Many new memories in one statement: their roots, their ledger and their projections. */

import type { Query, Sql } from "../../database/sql.ts";
import { manyProjectionEntries } from "../../records/port.ts";
import { namesOf } from "../../kit/columns.ts";
import { MEMORY_COLUMNS, type MemoryRow } from "./memory.ts";
import { memoryProjection } from "./memory_store.ts";

/** A memory of another product, and when it was made there. */
export interface ImportedMemory {
  readonly row: MemoryRow;
  readonly recordedAt: Date;
}

/** The CTEs that make many memories of an import, conditional on the claim. */
export function manyMemoryEntries(
  sql: Sql,
  owner: string,
  memories: readonly ImportedMemory[],
): Query<object> {
  const rows = memories.map(({ row }) => row);
  const projections = memories.map(({ row, recordedAt }) =>
    memoryProjection(row, "CREATED", { sourceType: "IMPORT", recordedAt })
  );
  const columns = namesOf(sql, MEMORY_COLUMNS);
  return sql`
    given_memory as (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as memory (
        memory_id text, revision integer, revision_id text, created_at timestamptz,
        updated_at timestamptz, original_content text, title text, summary text, memory_type text,
        current_content text, occurred_at timestamptz, time_precision text, time_text text,
        time_from timestamptz, time_to timestamptz, importance integer, ai_draft text,
        ai_draft_provider text, ai_draft_model text, privacy_level text, archived_at timestamptz)
       where (select verdict from claim) = 'GO'
    ),
    memory_created as (
      insert into memories (owner_id, memory_id, revision, revision_id, created_at, updated_at,
                            original_content, ${columns})
      select ${owner}, memory_id, revision, revision_id, created_at, updated_at, original_content,
             ${columns}
        from given_memory
    ),
    memory_revised as (
      insert into memory_revisions (owner_id, memory_id, revision, revision_id, change, created_at,
                                    ${columns})
      select ${owner}, memory_id, revision, revision_id, 'CREATED', updated_at, ${columns}
        from given_memory
    ),
    ${manyProjectionEntries(sql, owner, projections)}`;
}
