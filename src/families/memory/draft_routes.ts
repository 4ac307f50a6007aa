/**
 * MEM-003: drafts. A save writes only the draft; a commit creates one memory or one revision,
 * however often it is sent.
 */

import { databaseFailure } from "../../database/failures.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { readOnlyKey } from "../../kit/route.ts";
import { type FamilyServices, replayRoot } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { PAGE_LIMIT, pageOf, readPage, toWalkedPage } from "../../http/page.ts";
import { created, ok, replying } from "../../http/reply.ts";
import { type Endpoint, endpoint, type SignedInCall } from "../../http/route.ts";
import { readBody, readQuery } from "../../validate/schema.ts";
import { DRAFT_SCHEMA, type DraftRow, showDraft, type ShownDraft } from "./draft.ts";
import { commitDraft } from "./draft_commit.ts";
import { discarding, saveDraft } from "./draft_save.ts";
import { findDraft, listDrafts, lockDraft } from "./draft_store.ts";
import { COMMIT_BODY, DISCARD_BODY, DRAFT_BODY, DRAFTS_QUERY } from "./memory_schema.ts";
import { MEMORIES, memoryCommand } from "./memory_store.ts";
import { MEMORY_SCHEMA } from "./memory_view.ts";

const ONE_DRAFT = { 200: { data: DRAFT_SCHEMA } } as const;

export function createDraftEndpoints(services: FamilyServices): Readonly<
  Record<"saveDraft" | "listDrafts" | "draft" | "commitDraft" | "discardDraft", Endpoint>
> {
  return {
    saveDraft: saveEndpoint(services),
    listDrafts: listEndpoint(services),
    draft: detailEndpoint(services),
    commitDraft: commitEndpoint(services),
    discardDraft: discardEndpoint(services),
  };
}

function saveEndpoint(services: FamilyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Save a draft under an identifier chosen by the client",
      body: bodyOf(DRAFT_BODY, {
        draftVersion: 1,
        content: {
          title: "The lake",
          memoryType: "PLACE",
          originalContent: "We swam until the light was gone.",
        },
      }),
      responses: ONE_DRAFT,
      errors: [
        "RECORD_NOT_FOUND",
        "MEMORY_STATE_CONFLICT",
        "ACCOUNT_STORAGE_FULL",
        "SYSTEM_MAINTENANCE",
      ],
    },
    body: "json",
    parse: readDraftId,
    async handle(call) {
      const body = readBody(DRAFT_BODY, call.body);
      try {
        return ok(await saveDraft(services, call, body));
      } catch (error) {
        // The loser of two concurrent first saves now finds the other's draft.
        if (databaseFailure(error)?.constraint !== "memory_drafts_pkey") throw error;
        return ok(await saveDraft(services, call, body));
      }
    },
  });
}

function listEndpoint({ database }: FamilyServices): Endpoint {
  return endpoint({
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
    async handle({ parsed: { state, limit, cursor }, caller }) {
      const owner = caller.account.accountId;
      const walked = await readPage(database, (sql) => ({
        cursor: cursor === null ? null : findDraft(sql, owner, cursor),
        rows: listDrafts(sql, caller, state, { cursor, limit }),
      }));
      return ok(toWalkedPage(walked, (row) => showDraft(row, caller), (row) => row.draft_id));
    },
  });
}

function detailEndpoint(services: FamilyServices): Endpoint {
  return endpoint({
    contract: { summary: "Read a draft", responses: ONE_DRAFT, errors: ["RECORD_NOT_FOUND"] },
    body: "none",
    parse: readDraftId,
    async handle({ parsed: draftId, caller }) {
      return ok(showDraft(await find(services, caller.account.accountId, draftId), caller));
    },
  });
}

function commitEndpoint(services: FamilyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Commit a draft as one memory, or one revision of a memory",
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
      const { caller, parsed: draftId } = call;
      const { expectedRevision } = readBody(COMMIT_BODY, call.body);
      // The memory of a draft never changes, so it can be read before the lock.
      const draft = await find(services, caller.account.accountId, draftId);
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
      const memory = await replayRoot(services, MEMORIES, caller, { memoryId }, made);
      const reply = creates ? created(memory, `/api/v2/memory/texts/${memoryId}`) : ok(memory);
      return replying(reply, replayed);
    },
  });
}

function discardEndpoint(services: FamilyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Discard a draft, keeping its content",
      body: bodyOf(DISCARD_BODY, {}),
      responses: ONE_DRAFT,
      errors: ["RECORD_NOT_FOUND", "MEMORY_STATE_CONFLICT"],
    },
    body: "optional-json",
    parse: readDraftId,
    async handle(call) {
      const { caller, parsed: draftId } = call;
      const owner = caller.account.accountId;
      readBody(DISCARD_BODY, call.body);
      const command = memoryCommand(call, { target: draftId, policy: "memory-draft" });
      const { result, replayed } = await services.commands.run<DraftRow, ShownDraft>(command, {
        check: () => {},
        lock: (sql) => lockDraft(sql, owner, draftId),
        decide: (stored) => discarding(call, stored),
        replay: async () => showDraft(await find(services, owner, draftId), caller),
      });
      return replying(ok(result), replayed);
    },
  });
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
