/**
 * MEM-003: drafts, saved while they are written. A save is no revision and leaves no trace but the
 * draft itself; a commit makes one memory or one revision, however often it is sent.
 */

import type { Write } from "../command/command.ts";
import { databaseFailure } from "../database/failures.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { readOnlyKey } from "../family/route.ts";
import { type FamilyServices, replayRoot, writableRoot } from "../family/write.ts";
import { bodyOf } from "../http/contract.ts";
import { PAGE_LIMIT, pageOf, readPage, toWalkedPage } from "../http/page.ts";
import { created, ok, replying } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint, type SignedInCall } from "../http/route.ts";
import { readBody, readQuery } from "../validate/schema.ts";
import { commitDraft } from "./draft_commit.ts";
import {
  decideDiscard,
  decideSave,
  DRAFT_SCHEMA,
  type DraftRow,
  showDraft,
  type ShownDraft,
} from "./draft.ts";
import { findDraft, insertDraft, listDrafts, lockDraft, updateDraft } from "./draft_store.ts";
import {
  COMMIT_BODY,
  DISCARD_BODY,
  DRAFT_BODY,
  DRAFT_CONTENT,
  type DraftBody,
  DRAFTS_QUERY,
} from "./schema.ts";
import { MEMORIES, memoryCommand } from "./store.ts";
import { MEMORY_SCHEMA } from "./view.ts";

const ONE_DRAFT = { 200: { data: DRAFT_SCHEMA } } as const;

/** The endpoints of `/drafts`. */
export function createDraftEndpoints(services: FamilyServices): Readonly<
  Record<"saveDraft" | "listDrafts" | "draft" | "commitDraft" | "discardDraft", Endpoint>
> {
  const { database } = services;
  return {
    saveDraft: endpoint({
      contract: {
        summary: "Save a draft under an identifier that the client makes",
        body: bodyOf(DRAFT_BODY, {
          draftVersion: 1,
          content: {
            title: "The lake",
            memoryType: "PLACE",
            originalContent: "We swam until the light was gone.",
          },
        }),
        responses: ONE_DRAFT,
        errors: ["RECORD_NOT_FOUND", "MEMORY_STATE_CONFLICT", "SYSTEM_MAINTENANCE"],
      },
      body: "json",
      parse: readDraftId,
      async handle(call) {
        const body = readBody(DRAFT_BODY, call.body);
        try {
          return ok(await save(services, call, body));
        } catch (error) {
          // Two first saves at once: the one that lost finds the other's draft now.
          if (databaseFailure(error)?.constraint !== "memory_drafts_pkey") throw error;
          return ok(await save(services, call, body));
        }
      },
    }),

    listDrafts: endpoint({
      contract: {
        summary: "List the drafts in a state, newest first",
        query: DRAFTS_QUERY,
        responses: { 200: { data: pageOf(DRAFT_SCHEMA) } },
        errors: [],
      },
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
        const walked = await readPage(database, (sql) => ({
          cursor: cursor === null ? null : findDraft(sql, owner, cursor),
          rows: listDrafts(sql, identity, state, { cursor, limit }),
        }));
        return ok(toWalkedPage(walked, (row) => showDraft(row, identity), (row) => row.draft_id));
      },
    }),

    draft: endpoint({
      contract: { summary: "Read a draft", responses: ONE_DRAFT, errors: ["RECORD_NOT_FOUND"] },
      body: "none",
      parse: readDraftId,
      async handle({ parsed: draftId, identity }) {
        return ok(showDraft(await find(services, identity.account.accountId, draftId), identity));
      },
    }),

    commitDraft: endpoint({
      contract: {
        summary: "Make one memory, or one revision of a memory, of a draft",
        body: bodyOf(COMMIT_BODY, {}),
        responses: { 200: { data: MEMORY_SCHEMA }, 201: { data: MEMORY_SCHEMA } },
        errors: [
          "RECORD_NOT_FOUND",
          "REVISION_CONFLICT",
          "MEMORY_STATE_CONFLICT",
          "SYSTEM_MAINTENANCE",
        ],
      },
      body: "optional-json",
      parse: readDraftId,
      async handle(call) {
        const { identity, parsed: draftId } = call;
        const { expectedRevision } = readBody(COMMIT_BODY, call.body);
        // Which memory a draft is for never changes, so it can be read ahead.
        const draft = await find(services, identity.account.accountId, draftId);
        const creates = draft.memory_id === null;
        if (!creates && expectedRevision === undefined) {
          throw payloadInvalid(["field.required"], ["expectedRevision"]);
        }
        const { result: made, replayed } = await commitDraft(
          services.commands,
          memoryCommand(call, { target: draftId, frozen: creates }),
          draft.memory_id,
          expectedRevision,
        );
        const { recordId: memoryId } = made;
        const memory = await replayRoot(services, MEMORIES, identity, { memoryId }, made);
        const reply = creates ? created(memory, `/api/v2/memory/texts/${memoryId}`) : ok(memory);
        return replying(reply, replayed);
      },
    }),

    discardDraft: endpoint({
      contract: {
        summary: "Give up a draft, keeping its content",
        body: bodyOf(DISCARD_BODY, {}),
        responses: ONE_DRAFT,
        errors: ["RECORD_NOT_FOUND", "MEMORY_STATE_CONFLICT"],
      },
      body: "optional-json",
      parse: readDraftId,
      async handle(call) {
        const { identity, parsed: draftId } = call;
        const owner = identity.account.accountId;
        readBody(DISCARD_BODY, call.body);
        const command = memoryCommand(call, { target: draftId, policy: "memory-draft" });
        const { result, replayed } = await services.commands.run<DraftRow, ShownDraft>(command, {
          check: () => {},
          lock: (sql) => lockDraft(sql, owner, draftId),
          decide: (stored) => discarding(call, stored),
          replay: async () => showDraft(await find(services, owner, draftId), identity),
        });
        return replying(ok(result), replayed);
      },
    }),
  };
}

function readDraftId(call: SignedInCall): string {
  return readOnlyKey(call, ["draftId"]).draftId;
}

async function find(
  { database }: FamilyServices,
  owner: string,
  draftId: string,
): Promise<DraftRow> {
  const [draft] = await database.read((sql) => findDraft(sql, owner, draftId));
  if (draft === undefined) throw new ServiceError("RECORD_NOT_FOUND");
  return draft;
}

async function save(
  { commands }: FamilyServices,
  call: CheckedCall<string>,
  body: DraftBody,
): Promise<ShownDraft> {
  const { identity, parsed: draftId } = call;
  const command = memoryCommand(call, { target: draftId });
  const { result } = await commands.run<DraftRow, ShownDraft>(command, {
    check: () => checkContent(body),
    lock: (sql) => lockDraft(sql, identity.account.accountId, draftId),
    decide: (stored) => saving(call, stored, body),
    replay: () => Promise.reject(new Error("A draft is saved without a key")),
  });
  return result;
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
    result: showDraft(row, identity),
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
  const [memory] = await MEMORIES.find(sql, identity.account.accountId, { memoryId });
  writableRoot(MEMORIES, memory, identity);
}

function discarding(
  { identity, parsed: draftId, now }: CheckedCall<string>,
  stored: DraftRow | null,
): Write<ShownDraft> {
  const { row, changed } = decideDiscard(stored, identity, now);
  return {
    subjectId: draftId,
    revision: null,
    result: showDraft(row, identity),
    statement: changed
      ? (sql, ledger) =>
        sql`
          with ${ledger.claim}, ${updateDraft(sql, identity.account.accountId, row)},
               ${ledger.entries}
          select verdict, envelope from claim`
      : null,
  };
}
