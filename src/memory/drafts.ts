/**
 * MEM-003: drafts, saved while they are written. A save is no revision and leaves no trace but the
 * draft itself; a commit makes one memory or one revision, however often it is sent.
 */

import type { Command, Write } from "../command/command.ts";
import { databaseFailure } from "../database/failures.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { PAGE_LIMIT, toWalkedPage } from "../http/page.ts";
import { created, ok } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { readBody, readQuery } from "../validate/schema.ts";
import { DRAFT_CONTRACTS } from "./contracts.ts";
import { commitDraft } from "./draft_commit.ts";
import { decideDiscard, decideSave, type DraftRow, showDraft, type ShownDraft } from "./draft.ts";
import { findDraft, insertDraft, listDrafts, lockDraft, updateDraft } from "./draft_store.ts";
import {
  memoryCommand,
  type MemoryServices,
  replayHeader,
  replayMemory,
  TEXTS,
} from "./commands.ts";
import { assertWritable } from "./rules.ts";
import {
  COMMIT_BODY,
  DISCARD_BODY,
  DRAFT_BODY,
  DRAFT_CONTENT,
  type DraftBody,
  DRAFTS_QUERY,
  readPathId,
} from "./schema.ts";
import { findMemory } from "./store.ts";
import { maySeeSecrets } from "./view.ts";

/** One endpoint for each route. */
export interface DraftEndpoints {
  readonly saveDraft: Endpoint;
  readonly listDrafts: Endpoint;
  readonly draft: Endpoint;
  readonly commitDraft: Endpoint;
  readonly discardDraft: Endpoint;
}

/** The endpoints of `/drafts`. */
export function createDraftEndpoints(services: MemoryServices): DraftEndpoints {
  const { database, commands } = services;

  const find = async (owner: string, draftId: string): Promise<DraftRow> => {
    const [draft] = await database.read((sql) => findDraft(sql, owner, draftId));
    if (draft === undefined) throw new ServiceError("RECORD_NOT_FOUND");
    return draft;
  };

  const save = async (call: CheckedCall<string>, body: DraftBody): Promise<ShownDraft> => {
    const owner = call.identity.account.accountId;
    const command = memoryCommand(call, "memory.draft.save", call.parsed, false);
    const { answer } = await commands.run<DraftRow, ShownDraft>(command, {
      check: () => checkContent(body),
      lock: (sql) => lockDraft(sql, owner, call.parsed),
      decide: (stored) => saving(call, stored, body),
      replay: () => Promise.reject(new Error("A draft is saved without a key")),
    });
    return answer;
  };

  return {
    saveDraft: endpoint({
      contract: DRAFT_CONTRACTS.saveDraft,
      body: "json",
      parse: (call) => readPathId(call, "draftId"),
      async handle(call) {
        const body = readBody(DRAFT_BODY, call.body);
        try {
          return ok(await save(call, body));
        } catch (error) {
          // Two first saves at once: the one that lost finds the other's draft now.
          if (databaseFailure(error)?.constraint !== "memory_drafts_pkey") throw error;
          return ok(await save(call, body));
        }
      },
    }),

    listDrafts: endpoint({
      contract: DRAFT_CONTRACTS.listDrafts,
      body: "none",
      parse({ query }) {
        const { state = "OPEN", limit = PAGE_LIMIT.standard, cursor = null } = readQuery(
          DRAFTS_QUERY,
          query,
        );
        return { state, limit, cursor };
      },
      async handle({ parsed: { state, limit, cursor }, identity }) {
        const owner = identity.account.accountId;
        const [known, walked] = await database.read(async (sql) =>
          await Promise.all([
            cursor === null ? null : findDraft(sql, owner, cursor),
            listDrafts(sql, identity, state, { cursor, limit }),
          ])
        );
        if (known?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
        const toItem = (row: DraftRow) => showDraft(row, identity);
        return ok(toWalkedPage(walked, toItem, (row) => row.draft_id));
      },
    }),

    draft: endpoint({
      contract: DRAFT_CONTRACTS.draft,
      body: "none",
      parse: (call) => readPathId(call, "draftId"),
      async handle({ parsed: draftId, identity }) {
        return ok(showDraft(await find(identity.account.accountId, draftId), identity));
      },
    }),

    commitDraft: endpoint({
      contract: DRAFT_CONTRACTS.commitDraft,
      body: "optional-json",
      parse: (call) => readPathId(call, "draftId"),
      async handle(call) {
        const { expectedRevision } = readBody(COMMIT_BODY, call.body);
        // Which memory a draft is for never changes, so it can be read ahead.
        const { memory_id } = await find(call.identity.account.accountId, call.parsed);
        const creates = memory_id === null;
        if (!creates && expectedRevision === undefined) {
          throw payloadInvalid(["field.required"], ["expectedRevision"]);
        }
        const command = memoryCommand(call, "memory.draft.commit", call.parsed, creates);
        const { answer: made, replayed } = await commitDraft(
          commands,
          command,
          memory_id,
          expectedRevision,
        );
        const memory = await replayMemory(database, call.identity, made);
        const headers = replayHeader(replayed);
        return creates
          ? created(memory, `${TEXTS}/${memory.memoryId}`, headers)
          : ok(memory, headers);
      },
    }),

    discardDraft: endpoint({
      contract: DRAFT_CONTRACTS.discardDraft,
      body: "optional-json",
      parse: (call) => readPathId(call, "draftId"),
      async handle(call) {
        const { identity, parsed: draftId } = call;
        const owner = identity.account.accountId;
        readBody(DISCARD_BODY, call.body);
        const command: Command = {
          ...memoryCommand(call, "memory.draft.discard", draftId, false),
          policy: "memory-draft",
        };
        const { answer, replayed } = await commands.run<DraftRow, ShownDraft>(command, {
          check: () => {},
          lock: (sql) => lockDraft(sql, owner, draftId),
          decide(stored) {
            const { row, changed } = decideDiscard(stored, identity, call.now);
            return {
              subjectId: draftId,
              revision: null,
              answer: showDraft(row, identity),
              statement: changed
                ? (sql, ledger) =>
                  sql`
                    with ${ledger.claim}, ${updateDraft(sql, owner, row)}, ${ledger.entries}
                    select verdict, envelope from claim`
                : null,
            };
          },
          replay: async () => showDraft(await find(owner, draftId), identity),
        });
        return ok(answer, replayHeader(replayed));
      },
    }),
  };
}

/**
 * Refuses content that no draft can hold.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
function checkContent({ memoryId, content }: DraftBody): void {
  readBody(DRAFT_CONTENT, content);
  if (memoryId === undefined) return;
  const fixed = ["originalContent", "privacyLevel"].filter((name) => Object.hasOwn(content, name));
  if (fixed.length > 0) throw payloadInvalid(["draft.fixed_field"], fixed);
}

/** A save writes neither audit entry nor envelope: drafts are not part of the audited history. */
function saving(
  call: CheckedCall<string>,
  stored: DraftRow | null,
  body: DraftBody,
): Write<ShownDraft> {
  const { identity, parsed: draftId, now } = call;
  const owner = identity.account.accountId;
  const { row, changed } = decideSave(stored, draftId, body, identity, now);
  const { memory_id: memoryId } = row;
  return {
    subjectId: draftId,
    revision: null,
    answer: showDraft(row, identity),
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
  { identity }: CheckedCall<string>,
  memoryId: string,
): Promise<void> {
  const [memory = null] = await findMemory(sql, identity.account.accountId, memoryId);
  assertWritable(memory, maySeeSecrets(identity), undefined);
}
