import type { PlannedWrite } from "../../command/command.ts";
import type { Sql } from "../../database/sql.ts";
import { recordErased } from "../../erasure/refusal.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { entryStatement, type FamilyServices, writableRoot } from "../../kit/write.ts";
import type { CheckedCall } from "../../http/route.ts";
import { readBody } from "../../validate/schema.ts";
import { decideDiscard, decideSave, type DraftRow, showDraft, type ShownDraft } from "./draft.ts";
import { insertDraft, lockDraft, updateDraft } from "./draft_store.ts";
import { DRAFT_CONTENT, type DraftBody } from "./memory_schema.ts";
import { MEMORIES, memoryCommand } from "./memory_store.ts";

/**
 * @throws ServiceError `PAYLOAD_INVALID` for content that no draft can hold; `RECORD_ERASED` for
 *   the identifier of an erased draft; errors of `decideSave`.
 */
export async function saveDraft(
  { commands }: FamilyServices,
  call: CheckedCall<string>,
  body: DraftBody,
): Promise<ShownDraft> {
  const { caller, parsed: draftId } = call;
  const command = memoryCommand(call, { target: draftId });
  const { result } = await commands.run<DraftRow, ShownDraft>(command, {
    check: () => checkContent(body),
    lock: (sql) => lockDraft(sql, caller.account.accountId, draftId),
    decide: (stored) => saving(call, stored, body),
    replay: () => Promise.reject(new Error("A draft is saved without a key")),
    constraints: { memory_draft_not_erased: () => recordErased("memory") },
  });
  return result;
}

/** @throws ServiceError `PAYLOAD_INVALID` for content that no draft can hold. */
function checkContent({ memoryId, content }: DraftBody): void {
  readBody(DRAFT_CONTENT, content);
  if (memoryId === undefined) return;
  const fixed = ["originalContent", "privacyLevel"].filter((name) => Object.hasOwn(content, name));
  if (fixed.length > 0) throw payloadInvalid(["draft.fixed_field"], fixed);
}

/**
 * Writes the draft, but neither audit entry nor envelope: drafts are not part of the audited
 * history.
 */
function saving(
  call: CheckedCall<string>,
  stored: DraftRow | null,
  body: DraftBody,
): PlannedWrite<ShownDraft> {
  const { caller, parsed: draftId, now } = call;
  const owner = caller.account.accountId;
  const { row, changed } = decideSave(stored, draftId, body, caller, now);
  const { memory_id: memoryId } = row;
  return {
    subjectId: draftId,
    revision: null,
    result: showDraft(row, caller),
    ...(stored === null && memoryId !== null && {
      verify: (sql) => assertMemoryWritable(sql, call, memoryId),
    }),
    statement: changed
      ? (sql, ledger) =>
        sql`
          with ${ledger.claim}, ${
          stored === null ? insertDraft(sql, owner, row) : updateDraft(sql, owner, row)
        }
          select verdict, envelope from claim`
      : null,
  };
}

async function assertMemoryWritable(
  sql: Sql,
  { caller }: CheckedCall<string>,
  memoryId: string,
): Promise<void> {
  const [memory] = await MEMORIES.find(sql, caller.account.accountId, { memoryId });
  writableRoot(MEMORIES, memory, caller);
}

/** @throws ServiceError errors of `decideDiscard`. */
export function discarding(
  { caller, parsed: draftId, now }: CheckedCall<string>,
  stored: DraftRow | null,
): PlannedWrite<ShownDraft> {
  const { row, changed } = decideDiscard(stored, caller, now);
  return {
    subjectId: draftId,
    revision: null,
    result: showDraft(row, caller),
    statement: changed
      ? (sql, ledger) =>
        entryStatement(sql, ledger, updateDraft(sql, caller.account.accountId, row))
      : null,
  };
}
