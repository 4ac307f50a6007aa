import type { Caller } from "../../access/identity.ts";
import { MEMORY } from "../../catalog/modules/memory.ts";
import { type Command, commandOf, type CommandOptions } from "../../command/command.ts";
import type { JsonObject } from "../../core/json.ts";
import type { LongColumns } from "../../database/page_bytes.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { shortColumns } from "../../kit/columns.ts";
import { rootParts } from "../../kit/declaration.ts";
import { type StoredRoot, storedRoot } from "../../kit/tables.ts";
import type { Root } from "../../kit/write.ts";
import type { CheckedCall } from "../../http/route.ts";
import {
  type Projection,
  projectionEntries,
  type RecordOrigin,
  type SourceType,
  toProjection,
} from "../../records/port.ts";
import {
  MEMORY_COLUMNS,
  MEMORY_ROOT,
  type MemoryChange,
  type MemoryRow,
  type PrivacyLevel,
} from "./memory.ts";
import {
  isHidden,
  maySeeSecrets,
  MEMORY_SCHEMA,
  showMemory,
  showMemoryRevision,
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
  const { root } = storedMemories(sourceType);
  return {
    ...root,
    findAt: (sql, owner, { memoryId }, at) => findMemoryAt(sql, owner, memoryId, at),
  };
}

function storedMemories(sourceType: SourceType): StoredRoot<MemoryTypes> {
  return storedRoot<MemoryTypes>({
    module: "memory",
    policy: "memory",
    keyNames: ["memoryId"],
    ...rootParts(MEMORY_ROOT),
    show: showMemory,
    showRevision: showMemoryRevision,
    schema: MEMORY_SCHEMA,
    assertWritable(row, writer) {
      if (isHidden(row.privacy_level, writer)) throw new ServiceError("FORBIDDEN");
    },
    isNamed: (sql, { memoryId }) => sql`memory_id = ${memoryId}`,
    entries: (sql, owner, row, change) =>
      projectionEntries(sql, owner, memoryProjection(row, change, { sourceType })),
  });
}

export const MEMORIES: Root<MemoryTypes> = memoriesFrom("USER_INPUT");

/** CTEs of a memory's next state, conditional on the claim. */
export const memoryEntries = storedMemories("USER_INPUT").entries;

/** Describes a command, for routes that do not use the kit. */
export function memoryCommand(
  call: CheckedCall<unknown>,
  options: Pick<CommandOptions, "target" | "frozen"> & { readonly policy?: string },
): Command {
  return commandOf(call, { module: "memory", policy: "memory", ...options });
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
    clocks: row.clocks,
    ownTime: row.time_from,
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
    v.time_precision, v.time_text, v.time_from, v.time_to, v.clocks::text as clocks, v.importance,
    v.ai_draft_provider, v.ai_draft_model, v.privacy_level, m.privacy_level as level_today`;
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
