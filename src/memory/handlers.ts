import type { JsonValue } from "../core/json.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { Contract } from "../http/contract.ts";
import { created, ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { type InferObject, type ObjectSchema, readBody, refuseQuery } from "../validate/schema.ts";
import {
  changeMemory,
  memoryCommand,
  type MemoryServices,
  replayHeader,
  TEXTS,
} from "./commands.ts";
import { createMemory } from "./creation.ts";
import { TEXT_CONTRACTS } from "./contracts.ts";
import { createDraftEndpoints, type DraftEndpoints } from "./drafts.ts";
import { createExportEndpoints, type ExportEndpoints } from "./exports.ts";
import { listMemories } from "./list.ts";
import type { MemoryRow } from "./memory.ts";
import { createRevisionEndpoints, type RevisionEndpoints } from "./revisions.ts";
import {
  assertWritable,
  checkRevise,
  decideAdopt,
  decideAiDraft,
  decideArchive,
  decidePrivacy,
  decideReject,
  decideRestore,
  decideRevise,
  decideTime,
  type NextState,
} from "./rules.ts";
import {
  ADOPT_BODY,
  AI_DRAFT_BODY,
  EXPECTATION_BODY,
  MOVE_BODY,
  PRIVACY_BODY,
  readListQuery,
  readPathId,
  REVISE_BODY,
  TEXT_BODY,
  TIME_BODY,
} from "./schema.ts";
import { createSliceEndpoints, type SliceEndpoints } from "./slices.ts";
import { findMemory } from "./store.ts";
import { decideTimeColumns } from "./times.ts";
import { maySeeSecrets, showMemory } from "./view.ts";

/** The endpoints of the memory routes. */
export type MemoryEndpoints =
  & TextEndpoints
  & RevisionEndpoints
  & SliceEndpoints
  & DraftEndpoints
  & ExportEndpoints;

/** The endpoints of `/api/v2/memory` (decisions, Memory). */
export function createMemoryEndpoints(services: MemoryServices): MemoryEndpoints {
  return {
    ...createTextEndpoints(services),
    ...createRevisionEndpoints(services),
    ...createSliceEndpoints(services),
    ...createDraftEndpoints(services),
    ...createExportEndpoints(services),
  };
}

/** One endpoint for each route. */
export interface TextEndpoints {
  readonly create: Endpoint;
  readonly list: Endpoint;
  readonly detail: Endpoint;
  readonly archive: Endpoint;
  readonly restore: Endpoint;
  readonly revise: Endpoint;
  readonly setTime: Endpoint;
  readonly keepAiDraft: Endpoint;
  readonly adoptAiDraft: Endpoint;
  readonly rejectAiDraft: Endpoint;
  readonly setPrivacy: Endpoint;
}

/** A change of one memory, as its route states it. */
interface Change<Body extends { readonly expectedRevision?: number }> {
  readonly contract: Contract;
  readonly operation: string;
  readonly read: (sent: JsonValue) => Body;
  /** Whether the body is optional; false by default. */
  readonly bodyRule?: "optional-json";
  /** Whether the maintenance window freezes it; false by default. */
  readonly frozen?: boolean;
  /** Refuses what can be refused without stored state. */
  readonly check?: (body: Body, now: Date) => void;
  readonly decide: (memory: MemoryRow, body: Body, now: Date) => NextState;
}

/** The endpoints of a memory itself (MEM-001, and the writes of MEM-004 to MEM-007). */
export function createTextEndpoints(services: MemoryServices): TextEndpoints {
  const { database } = services;

  const change = <Body extends { readonly expectedRevision?: number }>(
    { contract, operation, read, bodyRule, frozen = false, check, decide }: Change<Body>,
  ) =>
    endpoint({
      contract,
      body: bodyRule ?? "json",
      parse: (call) => readPathId(call, "memoryId"),
      async handle(call) {
        const body = read(call.body);
        const command = memoryCommand(call, operation, call.parsed, frozen);
        const { answer, replayed } = await changeMemory(services, command, call, {
          check: () => check?.(body, call.now),
          decide: (root) => {
            const mayWrite = maySeeSecrets(call.identity);
            return decide(assertWritable(root, mayWrite, body.expectedRevision), body, call.now);
          },
        });
        return ok(answer, replayHeader(replayed));
      },
    });

  return {
    create: endpoint({
      contract: TEXT_CONTRACTS.create,
      body: "json",
      parse: (call) => refuseQuery(call.query),
      async handle(call) {
        const body = readBody(TEXT_BODY, call.body);
        const command = memoryCommand(call, "memory.create", "", true);
        const { answer, replayed } = await createMemory(services, command, body);
        return created(answer, `${TEXTS}/${answer.memoryId}`, replayHeader(replayed));
      },
    }),

    list: endpoint({
      contract: TEXT_CONTRACTS.list,
      body: "none",
      parse: (call) => readListQuery(call.query),
      async handle({ parsed: query, identity }) {
        return ok(await listMemories(database, identity, query));
      },
    }),

    detail: endpoint({
      contract: TEXT_CONTRACTS.detail,
      body: "none",
      parse: (call) => readPathId(call, "memoryId"),
      async handle({ parsed: memoryId, identity }) {
        const [row] = await database.read((sql) =>
          findMemory(sql, identity.account.accountId, memoryId)
        );
        if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(showMemory(row, identity));
      },
    }),

    archive: change({
      contract: TEXT_CONTRACTS.archive,
      operation: "memory.archive",
      read: bodyOf(MOVE_BODY),
      bodyRule: "optional-json",
      frozen: true,
      decide: decideArchive,
    }),
    restore: change({
      contract: TEXT_CONTRACTS.restore,
      operation: "memory.restore",
      read: bodyOf(MOVE_BODY),
      bodyRule: "optional-json",
      frozen: true,
      decide: decideRestore,
    }),
    revise: change({
      contract: TEXT_CONTRACTS.revise,
      operation: "memory.revise",
      read: bodyOf(REVISE_BODY),
      check: checkRevise,
      decide: decideRevise,
    }),
    setTime: change({
      contract: TEXT_CONTRACTS.setTime,
      operation: "memory.time.set",
      read: bodyOf(TIME_BODY),
      check: decideTimeColumns,
      decide: decideTime,
    }),
    keepAiDraft: change({
      contract: TEXT_CONTRACTS.keepAiDraft,
      operation: "memory.ai_draft.keep",
      read: bodyOf(AI_DRAFT_BODY),
      decide: decideAiDraft,
    }),
    adoptAiDraft: change({
      contract: TEXT_CONTRACTS.adoptAiDraft,
      operation: "memory.ai_draft.adopt",
      read: bodyOf(ADOPT_BODY),
      decide: decideAdopt,
    }),
    rejectAiDraft: change({
      contract: TEXT_CONTRACTS.rejectAiDraft,
      operation: "memory.ai_draft.reject",
      read: bodyOf(EXPECTATION_BODY),
      decide: decideReject,
    }),
    setPrivacy: change({
      contract: TEXT_CONTRACTS.setPrivacy,
      operation: "memory.privacy.set",
      read: bodyOf(PRIVACY_BODY),
      decide: decidePrivacy,
    }),
  };
}

/** Reads a body. */
function bodyOf<S extends ObjectSchema>(shape: S): (sent: JsonValue) => InferObject<S> {
  return (sent) => readBody(shape, sent);
}
