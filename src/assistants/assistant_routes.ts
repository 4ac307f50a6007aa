/** The endpoints of `/api/v2/auth/assistants`. */

import { lockOpenSession } from "../access/sessions.ts";
import {
  assertUnfrozen,
  extended,
  insertAccessEvent,
  type StepUpServices,
} from "../accounts/port.ts";
import { payloadInvalid, ServiceError, tooMany } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { PAGE_QUERY, pageOf, readPage, readPageQuery, toPage } from "../http/page.ts";
import { readOnlyPathId } from "../http/path.ts";
import { created, ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { spendProof } from "../kit/proof.ts";
import { TEXT } from "../validate/json_schema.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import {
  ASSISTANT_BODY,
  ASSISTANT_SCHEMA,
  type AssistantRow,
  toAssistant,
  toNewAssistant,
} from "./assistant.ts";
import {
  countLiveAssistants,
  findAssistant,
  insertAssistant,
  listAssistants,
  MAX_LIVE_ASSISTANTS,
  revokeAssistant,
} from "./assistant_store.ts";

export interface AssistantServices
  extends Pick<StepUpServices, "database" | "eventContextOf" | "stepUp"> {
  /** Whether assistants can sign in, or only use a pasted token. */
  readonly hasSignIn: boolean;
}

export type AssistantEndpoints = Readonly<
  Record<"create" | "list" | "detail" | "revoke", Endpoint>
>;

export function createAssistantEndpoints(services: AssistantServices): AssistantEndpoints {
  return {
    create: createEndpoint(services),
    list: listEndpoint(services),
    detail: detailEndpoint(services),
    revoke: revokeEndpoint(services),
  };
}

const CREATED = extended("CreatedAssistant", ASSISTANT_SCHEMA, {
  token: { ...TEXT, description: "Absent if the assistant signs in." },
}, ["token"]);

function createEndpoint(services: AssistantServices): Endpoint {
  const { database, eventContextOf, stepUp, hasSignIn } = services;
  return endpoint({
    contract: {
      summary: "Create an assistant and return its secret once; requires a step-up proof",
      stepUp: "TOKEN_CREATE",
      body: bodyOf(ASSISTANT_BODY, { name: "My assistant", modules: ["commitment"] }),
      responses: { 201: { data: CREATED } },
      errors: ["SYSTEM_MAINTENANCE"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { caller: { account: { accountId }, credential }, now, operation } = call;
      const stated = readBody(ASSISTANT_BODY, call.body);
      if (stated.signIn !== undefined && !hasSignIn) {
        throw payloadInvalid(["assistant.sign_in"], ["signIn"]);
      }
      const wanted = toNewAssistant(stated, now);
      const { row, secret } = await database.transaction(async (tx) => {
        await lockOpenSession(tx, call.caller);
        await assertUnfrozen(tx.sql, accountId, operation);
        if (await countLiveAssistants(tx.sql, accountId, now) >= MAX_LIVE_ASSISTANTS) {
          throw tooMany("assistant.count", MAX_LIVE_ASSISTANTS);
        }
        await spendProof({ stepUp }, call, tx.sql, { purpose: "TOKEN_CREATE" });
        const made = await insertAssistant(tx, accountId, wanted, now);
        const event = { ...eventContextOf(call), event: "ASSISTANT_CREATED" } as const;
        await insertAccessEvent(tx.sql, { ...event, credential, accountId });
        return made;
      });
      const location = `/api/v2/auth/assistants/${row.assistant_id}`;
      const token = secret === null ? {} : { token: secret };
      return created({ ...toAssistant(row), ...token }, location);
    },
  });
}

function listEndpoint({ database }: AssistantServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the account's assistants except revoked ones, newest first",
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(ASSISTANT_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: (call) => readPageQuery(call.query),
    async handle({ parsed: { cursor, limit }, caller: { account: { accountId } }, now }) {
      const { rows } = await readPage<AssistantRow>(database, (sql) => ({
        cursor: cursor === null ? null : findAssistant(sql, accountId, cursor, now),
        rows: listAssistants(sql, accountId, { cursor, limit: limit + 1 }, now).execute()
          .then((rows) => ({ rows, more: false, examined: null })),
      }));
      return ok(toPage(rows, limit, toAssistant, ({ assistantId }) => assistantId));
    },
  });
}

function detailEndpoint({ database }: AssistantServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Read an assistant, also one that has ended",
      responses: { 200: { data: ASSISTANT_SCHEMA } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "assistantId"),
    async handle({ parsed: id, caller: { account: { accountId } }, now }) {
      const [row] = await database.read(async (sql) =>
        await findAssistant(sql, accountId, id, now)
      );
      if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
      return ok(toAssistant(row));
    },
  });
}

/** Revoking an assistant twice is not an error. */
function revokeEndpoint({ database, eventContextOf }: AssistantServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Revoke an assistant",
      responses: { 200: { data: ASSISTANT_SCHEMA } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "assistantId"),
    async handle(call) {
      const { parsed: id, caller: { account: { accountId }, credential }, now } = call;
      const row = await database.transaction(async (tx) => {
        if (await revokeAssistant(tx, accountId, id, now)) {
          const event = { ...eventContextOf(call), event: "ASSISTANT_REVOKED" } as const;
          await insertAccessEvent(tx.sql, { ...event, credential, accountId });
        }
        return (await findAssistant(tx.sql, accountId, id, now))[0];
      });
      if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
      return ok(toAssistant(row));
    },
  });
}
