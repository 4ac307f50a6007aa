import type { Caller } from "../../access/identity.ts";
import { MEMORY } from "../../catalog/modules/memory.ts";
import type { Command } from "../../command/command.ts";
import type { JsonObject } from "../../core/json.ts";
import type { LongColumns } from "../../database/page_bytes.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { namesOf, shortColumns, valuesOf } from "../../kit/columns.ts";
import { type CommandOptions, entryStatement, familyCommand, type Root } from "../../kit/write.ts";
import type { CheckedCall } from "../../http/route.ts";
import {
  type Projection,
  projectionEntries,
  type RecordOrigin,
  type SourceType,
  toProjection,
} from "../../records/port.ts";
import { MEMORY_COLUMNS, type MemoryChange, type MemoryRow, type PrivacyLevel } from "./memory.ts";
import {
  isHidden,
  maySeeSecrets,
  MEMORY_SCHEMA,
  showMemory,
  type ShownMemory,
} from "./memory_view.ts";

/** A memory at a revision, with its current privacy level. */
export interface MemoryRevisionRow extends MemoryRow {
  readonly change: MemoryChange;
  readonly level_today: PrivacyLevel;
}

export interface MemoryTypes {
  readonly key: { readonly memoryId: string };
  readonly row: MemoryRow;
  readonly change: MemoryChange;
  readonly shown: ShownMemory;
}

export function memoriesFrom(sourceType: SourceType): Root<MemoryTypes> {
  return {
    module: "memory",
    policy: "memory",
    keyNames: ["memoryId"],
    idOf: (row) => row.memory_id,
    find: (sql, owner, { memoryId }) =>
      sql<MemoryRow>`
        select ${memoryColumns(sql)} from memories
         where owner_id = ${owner} and memory_id = ${memoryId}`,
    findAt: (sql, owner, { memoryId }, at) => findMemoryAt(sql, owner, memoryId, at),
    lock: (sql, owner, { memoryId }) =>
      sql<MemoryRow>`
        select ${memoryColumns(sql)} from memories
         where owner_id = ${owner} and memory_id = ${memoryId} for no key update`,
    lockRevision: (sql, owner, { memoryId }, revision) =>
      sql`
        select 1 from memories
         where owner_id = ${owner} and memory_id = ${memoryId} and revision = ${revision}
           for no key update`,
    write: (sql, ledger, owner, row, change) =>
      entryStatement(sql, ledger, memoryEntries(sql, owner, row, change, sourceType)),
    show: showMemory,
    schema: MEMORY_SCHEMA,
    assertWritable(row, writer) {
      if (isHidden(row.privacy_level, writer)) throw new ServiceError("FORBIDDEN");
    },
  };
}

export const MEMORIES: Root<MemoryTypes> = memoriesFrom("USER_INPUT");

/** Describes a command, for routes that do not use the kit. */
export function memoryCommand(
  call: CheckedCall<unknown>,
  options: Pick<CommandOptions, "target" | "frozen"> & { readonly policy?: string },
): Command {
  return familyCommand(call, { module: "memory", policy: "memory", ...options });
}

/** CTEs of a memory's next state, conditional on the claim. */
export function memoryEntries(
  sql: Sql,
  owner: string,
  row: MemoryRow,
  change: MemoryChange,
  sourceType: SourceType = "USER_INPUT",
): Query<object> {
  const root = change === "CREATED" ? insertRoot(sql, owner, row) : updateRoot(sql, owner, row);
  return sql`
    memory_root as (${root}),
    memory_revision as (
      insert into memory_revisions (owner_id, memory_id, revision, revision_id, change, created_at,
                                    ${namesOf(sql, MEMORY_COLUMNS)})
      select owner_id, memory_id, revision, revision_id, ${change}, updated_at,
             ${namesOf(sql, MEMORY_COLUMNS)}
        from memory_root
    ),
    ${projectionEntries(sql, owner, memoryProjection(row, change, { sourceType }))}`;
}

function insertRoot(sql: Sql, owner: string, row: MemoryRow): Query<object> {
  return sql`
    insert into memories (owner_id, memory_id, revision, revision_id, created_at, updated_at,
                          original_content, ${namesOf(sql, MEMORY_COLUMNS)})
    select ${owner}, ${row.memory_id}, ${row.revision}::integer, ${row.revision_id},
           ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz, ${row.original_content},
           ${valuesOf(sql, MEMORY_COLUMNS, row)}
      from claim where verdict = 'GO'
    returning *`;
}

function updateRoot(sql: Sql, owner: string, row: MemoryRow): Query<object> {
  return sql`
    update memories
       set (revision, revision_id, updated_at, ${namesOf(sql, MEMORY_COLUMNS)})
         = (select ${row.revision}::integer, ${row.revision_id}, ${row.updated_at}::timestamptz,
                   ${valuesOf(sql, MEMORY_COLUMNS, row)})
      from claim
     where memories.owner_id = ${owner} and memory_id = ${row.memory_id} and claim.verdict = 'GO'
    returning memories.*`;
}

/** The record for generic reads. It is guarded while the memory is SECRET. */
export function memoryProjection(
  row: MemoryRow,
  change: MemoryChange,
  origin: RecordOrigin,
): Projection {
  return toProjection(row, change, {
    recordId: row.memory_id,
    module: MEMORY,
    title: row.title,
    summary: row.summary,
    payload: toPayload(row),
    unshown: {
      originalContent: row.original_content,
      currentContent: row.current_content,
      aiDraft: row.ai_draft,
    },
    guard: row.privacy_level === "SECRET" ? "memory.secret" : null,
    ...origin,
  });
}

/** Generic payloads omit fields without a value. */
function toPayload(row: MemoryRow): JsonObject {
  const { occurred_at, time_precision, time_text, importance } = row;
  return {
    memoryType: row.memory_type,
    ...(occurred_at !== null && { occurredAt: occurred_at.toISOString() }),
    ...(time_precision !== null && { timePrecision: time_precision }),
    ...(time_text !== null && { timeText: time_text }),
    ...(importance !== null && { importance }),
  };
}

function findMemoryAt(
  sql: Sql,
  owner: string,
  memoryId: string,
  revision: number,
): Query<MemoryRevisionRow> {
  return sql<MemoryRevisionRow>`
    select ${revisionColumns(sql)}
      from memories m join memory_revisions v using (owner_id, memory_id)
     where m.owner_id = ${owner} and m.memory_id = ${memoryId} and v.revision = ${revision}`;
}

export function memoryColumns(sql: Sql): Query<object> {
  return sql`${shortMemoryColumns(sql)}, original_content, current_content, ai_draft`;
}

/** Without `longMemoryColumns`. */
export function shortMemoryColumns(sql: Sql): Query<object> {
  return sql`memory_id, revision, revision_id, created_at, updated_at,
    ${shortColumns(sql, MEMORY_COLUMNS)}`;
}

/** Texts, which can make a page too large; empty if the reader may not see them. */
export function longMemoryColumns(sql: Sql, reader: Caller): LongColumns {
  return {
    kind: "text",
    columns: {
      original_content: sql`original_content`,
      current_content: sql`current_content`,
      ai_draft: sql`ai_draft`,
    },
    hidden: maySeeSecrets(reader) ? null : sql`privacy_level = 'SECRET'`,
  };
}

/** Columns from `memories m` and `memory_revisions v`. */
export function revisionColumns(sql: Sql): Query<object> {
  return sql`${shortRevisionColumns(sql)}, m.original_content, v.current_content, v.ai_draft`;
}

/** Without `longRevisionColumns`. */
export function shortRevisionColumns(sql: Sql): Query<object> {
  return sql`m.memory_id, v.revision, v.revision_id, v.change, m.created_at,
    v.created_at as updated_at, v.archived_at, v.title, v.summary, v.memory_type, v.occurred_at,
    v.time_precision, v.time_text, v.time_from, v.time_to, v.importance, v.ai_draft_provider,
    v.ai_draft_model, v.privacy_level, m.privacy_level as level_today`;
}

/** Texts of a revision; empty if the memory's current level hides them from the reader. */
export function longRevisionColumns(sql: Sql, reader: Caller): LongColumns {
  return {
    kind: "text",
    columns: {
      original_content: sql`m.original_content`,
      current_content: sql`v.current_content`,
      ai_draft: sql`v.ai_draft`,
    },
    hidden: maySeeSecrets(reader) ? null : sql`m.privacy_level = 'SECRET'`,
  };
}
