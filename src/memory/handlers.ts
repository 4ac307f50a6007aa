import type { JsonValue } from "../core/json.ts";
import { ServiceError } from "../errors/service_error.ts";
import { created, ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { readBody, refuseQuery, type Shape, type Shaped } from "../validate/schema.ts";
import {
  changeMemory,
  memoryCommand,
  type MemoryServices,
  replayHeader,
  replayMemory,
  TEXTS,
  toWrite,
} from "./commands.ts";
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
  decideCreate,
  type Decided,
  decidePrivacy,
  decideReject,
  decideRestore,
  decideRevise,
  decideTime,
  decideTimeColumns,
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
import { maySeeSecrets, showMemory } from "./view.ts";

/** What answers the memory routes. */
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

/** One endpoint a route. */
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
  readonly operation: string;
  readonly read: (sent: JsonValue) => Body;
  /** Whether the maintenance window freezes it. Only archive and restore are; their body may be absent. */
  readonly frozen?: boolean;
  /** Refuses what needs no stored state to be refused. */
  readonly check?: (body: Body, now: Date) => void;
  readonly decide: (memory: MemoryRow, body: Body, now: Date) => Decided;
}

/** The endpoints of a memory itself (MEM-001, and the writes of MEM-004 to MEM-007). */
export function createTextEndpoints(services: MemoryServices): TextEndpoints {
  const { database, commands } = services;

  const change = <Body extends { readonly expectedRevision?: number }>(
    { operation, read, frozen = false, check, decide }: Change<Body>,
  ) =>
    endpoint({
      body: frozen ? "optional-json" : "json",
      parse: (call) => readPathId(call, "memoryId"),
      async answer(call) {
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
      body: "json",
      parse: (call) => refuseQuery(call.query),
      async answer(call) {
        const body = readBody(TEXT_BODY, call.body);
        const command = memoryCommand(call, "memory.create", "", true);
        const { answer, replayed } = await commands.run(command, {
          decide: () => toWrite(services, command, call, decideCreate(body, call.now)),
          replay: (envelope) => replayMemory(database, call.identity, envelope),
        });
        return created(answer, `${TEXTS}/${answer.memoryId}`, replayHeader(replayed));
      },
    }),

    list: endpoint({
      body: "none",
      parse: (call) => readListQuery(call.query),
      async answer({ parsed: query, identity }) {
        const page = await listMemories(database, identity.account.accountId, query);
        return ok({ ...page, items: page.items.map((row) => showMemory(row, identity)) });
      },
    }),

    detail: endpoint({
      body: "none",
      parse: (call) => readPathId(call, "memoryId"),
      async answer({ parsed: memoryId, identity }) {
        const [row] = await database.read((sql) =>
          findMemory(sql, identity.account.accountId, memoryId)
        );
        if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(showMemory(row, identity));
      },
    }),

    archive: change({
      operation: "memory.archive",
      read: bodyOf(MOVE_BODY),
      frozen: true,
      decide: decideArchive,
    }),
    restore: change({
      operation: "memory.restore",
      read: bodyOf(MOVE_BODY),
      frozen: true,
      decide: decideRestore,
    }),
    revise: change({
      operation: "memory.revise",
      read: bodyOf(REVISE_BODY),
      check: checkRevise,
      decide: decideRevise,
    }),
    setTime: change({
      operation: "memory.time.set",
      read: bodyOf(TIME_BODY),
      check: decideTimeColumns,
      decide: decideTime,
    }),
    keepAiDraft: change({
      operation: "memory.ai_draft.keep",
      read: bodyOf(AI_DRAFT_BODY),
      decide: decideAiDraft,
    }),
    adoptAiDraft: change({
      operation: "memory.ai_draft.adopt",
      read: bodyOf(ADOPT_BODY),
      decide: decideAdopt,
    }),
    rejectAiDraft: change({
      operation: "memory.ai_draft.reject",
      read: bodyOf(EXPECTATION_BODY),
      decide: decideReject,
    }),
    setPrivacy: change({
      operation: "memory.privacy.set",
      read: bodyOf(PRIVACY_BODY),
      decide: decidePrivacy,
    }),
  };
}

/** Reads a body of a shape. */
function bodyOf<S extends Shape>(shape: S): (sent: JsonValue) => Shaped<S> {
  return (sent) => readBody(shape, sent);
}
