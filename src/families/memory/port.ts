import type { Command, CommandResult } from "../../command/command.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { changeRoot, type FamilyServices } from "../../kit/write.ts";
import { decideAiDraft } from "./memory_rules.ts";
import { AI_DRAFT_BODY, type AiDraftBody } from "./memory_schema.ts";
import { MEMORIES } from "./memory_store.ts";

export { memoryAttachmentIds } from "./memory_view.ts";

export const AI_DRAFT = AI_DRAFT_BODY.aiDraft;

/** The command of MEM-005. */
export const AI_DRAFT_COMMAND = { operation: "memory.ai_draft.keep", policy: MEMORIES.policy };

/**
 * Stores a model's draft, as MEM-005 does.
 *
 * @param check Rejects a request that is invalid without stored state.
 */
export async function keepAiDraft(
  services: FamilyServices,
  command: Command,
  memoryId: string,
  body: AiDraftBody,
  check: () => void,
): Promise<CommandResult<object>> {
  const { expectedRevision } = body;
  return await changeRoot(services, MEMORIES, command, {
    key: { memoryId },
    expectedRevision,
    check,
    decide: (memory) => decideAiDraft(memory, body, command.now),
  });
}

/** A memory's texts at one of its revisions. */
interface MemoryTexts {
  readonly revision_id: string;
  readonly original_content: string;
  readonly current_content: string;
  readonly ai_draft: string | null;
}

/** The texts of memories at the named revisions, except memories that are SECRET today. */
export function findMemoryTexts(
  sql: Sql,
  owner: string,
  revisionIds: readonly string[],
): Query<MemoryTexts> {
  return sql<MemoryTexts>`
    select v.revision_id, m.original_content, v.current_content, v.ai_draft
      from memory_revisions v join memories m using (owner_id, memory_id)
     where v.owner_id = ${owner}
       and v.revision_id = any (string_to_array(${revisionIds.join(" ")}, ' ')::ulid[])
       and m.privacy_level <> 'SECRET'`;
}

/** JSON object of the fields that the memory's record does not show. */
export function unshownMemoryFields(
  sql: Sql,
  owner: Query<object>,
  memoryId: Query<object>,
): Query<object> {
  return sql`
    select json_build_object('originalContent', original_content, 'currentContent', current_content,
                             'aiDraft', ai_draft)
      from memories where owner_id = ${owner} and memory_id = ${memoryId}`;
}

/** Selects the beginning of a memory's time range. */
export function memoryTime(sql: Sql, owner: Query<object>, memoryId: Query<object>): Query<object> {
  return sql`select time_from from memories where owner_id = ${owner} and memory_id = ${memoryId}`;
}

/** Selects the end of a memory's time range, with `offset 0`, for a lateral join. */
export function memoryRangeEnd(
  sql: Sql,
  owner: string,
  memoryId: Query<object>,
): Query<{ readonly time_to: Date | null }> {
  return sql`
    select time_to from memories where owner_id = ${owner} and memory_id = ${memoryId} offset 0`;
}
