/** Commit of a draft: writes one memory or one revision, however often it is sent. */

import type { Command, CommandResult, PlannedWrite } from "../../command/command.ts";
import type { Envelope } from "../../command/envelope.ts";
import type { CommandRunner } from "../../command/runner.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { assertRevision } from "../../kit/root.ts";
import { entryStatement, writableRoot } from "../../kit/write.ts";
import { readBody } from "../../validate/schema.ts";
import type { DraftRow } from "./draft.ts";
import { type DraftChange, lockDraft, updateDraft } from "./draft_store.ts";
import type { MemoryRow } from "./memory.ts";
import { decideCreate, decideDraftRevision, type NextMemory } from "./memory_rules.ts";
import { DRAFT_REVISION, TEXT_BODY } from "./memory_schema.ts";
import { MEMORIES, memoryEntries } from "./memory_store.ts";
import { isHidden } from "./memory_view.ts";

type Committed = Pick<Envelope, "recordId" | "revision">;

type OpenDraft = DraftChange & Pick<DraftRow, "level_today">;

/**
 * Commits a draft, or returns the result of its earlier commit.
 *
 * @param memoryId The memory to revise; null to create one.
 * @throws ServiceError `RECORD_NOT_FOUND`, `FORBIDDEN`, `MEMORY_STATE_CONFLICT` for a discarded
 *   draft, `PAYLOAD_INVALID` for incomplete content, `REVISION_CONFLICT`.
 */
export async function commitDraft(
  commands: CommandRunner,
  command: Command,
  memoryId: string | null,
  expectedRevision: number | undefined,
): Promise<CommandResult<Committed>> {
  const { caller, now, target: draftId } = command;
  const owner = caller.account.accountId;
  const check = () => {};
  const replay = (envelope: Envelope) => Promise.resolve<Committed>(envelope);
  if (memoryId === null) {
    return await commands.run<DraftRow, Committed>(command, {
      check,
      lock: (sql) => lockDraft(sql, owner, draftId),
      decide: (draft) =>
        committing(command, draft, (content) => ({
          row: decideCreate(readBody(TEXT_BODY, content), now),
          change: "CREATED",
        })),
      replay,
    });
  }
  return await commands.run<OpenDraft & MemoryRow, Committed>(command, {
    check,
    lock: (sql) => lockDraftAndMemory(sql, owner, draftId, memoryId),
    decide: (locked) =>
      committing(command, locked, (content) => {
        const body = readBody(DRAFT_REVISION, content);
        const memory = writableRoot(MEMORIES, locked, caller) as MemoryRow;
        assertRevision(memory, expectedRevision);
        return decideDraftRevision(memory, body, now);
      }),
    replay,
  });
}

function committing(
  { caller, now }: Command,
  draft: OpenDraft | null,
  decide: (content: JsonObject) => NextMemory,
): PlannedWrite<Committed> {
  if (draft === null) throw new ServiceError("RECORD_NOT_FOUND");
  if (isHidden(draft.level_today, caller)) throw new ServiceError("FORBIDDEN");
  const { state, committed_memory_id: earlier } = draft;
  if (state === "DISCARDED") throw new ServiceError("MEMORY_STATE_CONFLICT");
  if (earlier !== null) return written(earlier, draft.committed_revision, null);

  const { row, change } = decide(JSON.parse(draft.content));
  const owner = caller.account.accountId;
  const ended: DraftChange = {
    ...draft,
    state: "COMMITTED",
    committed_memory_id: row.memory_id,
    committed_revision: row.revision,
    updated_at: now,
  };
  return written(row.memory_id, row.revision, (sql, ledger) => {
    const draft = updateDraft(sql, owner, ended);
    const memory = change && memoryEntries(sql, owner, row, change);
    return entryStatement(sql, ledger, memory === null ? draft : sql`${memory}, ${draft}`);
  });
}

function written(
  recordId: string,
  revision: number | null,
  statement: PlannedWrite<Committed>["statement"],
): PlannedWrite<Committed> {
  return { subjectId: recordId, revision, statement, result: { recordId, revision } };
}

/** Locks both rows against saves and revisions. */
function lockDraftAndMemory(
  sql: Sql,
  owner: string,
  draftId: string,
  memoryId: string,
): Query<OpenDraft & MemoryRow> {
  return sql<OpenDraft & MemoryRow>`
    select draft.*, memory.*, memory.privacy_level as level_today
      from (select draft_id, draft_version, content::text as content, state, committed_memory_id,
                   committed_revision
              from memory_drafts
             where owner_id = ${owner} and draft_id = ${draftId} for no key update) draft,
           (${MEMORIES.lock(sql, owner, { memoryId })}) memory`;
}
