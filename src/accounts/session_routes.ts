import { ACCOUNT_SCHEMA } from "../access/identity.ts";
import { PERMISSIONS } from "../access/permissions.ts";
import { hadSession, listSessions, SESSION_SCHEMA } from "../access/sessions.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { PAGE_QUERY, pageOf, readPageQuery, toPage } from "../http/page.ts";
import { readOnlyPathId } from "../http/path.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { COUNT, enumOf, listOf, objectOf, TIME, ULID } from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";
import { endCredential, endCredentials } from "./revocation.ts";
import { extended } from "./account_schema.ts";
import { hasSecondFactor } from "./second_factor_store.ts";
import type { SignInServices } from "./sign_in.ts";

export interface SessionEndpoints {
  readonly session: Endpoint;
  readonly listSessions: Endpoint;
  readonly revokeSession: Endpoint;
  readonly revokeOtherSessions: Endpoint;
}

export function createSessionEndpoints(services: SignInServices): SessionEndpoints {
  return {
    session: presentEndpoint(services),
    listSessions: listEndpoint(services),
    revokeSession: revokeEndpoint(services),
    revokeOtherSessions: revokeOthersEndpoint(services),
  };
}

function presentEndpoint({ database }: SignInServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Describe the caller and its permissions",
      responses: {
        200: {
          data: objectOf({
            account: ACCOUNT_SCHEMA,
            permissions: listOf(enumOf(PERMISSIONS)),
            credential: objectOf({ kind: enumOf(["SESSION", "TOKEN"]), expiresAt: TIME }),
            secondFactor: { type: "boolean" },
          }),
        },
      },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle({ caller: { account, permissions, credential } }) {
      return ok({
        account,
        permissions: [...permissions].sort(),
        credential: { kind: credential.kind, expiresAt: credential.expiresAt },
        secondFactor: await database.read((sql) => hasSecondFactor(sql, account.accountId)),
      });
    },
  });
}

function listEndpoint({ database, sessions: lives }: SignInServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the account's open sessions, newest first",
      query: PAGE_QUERY,
      responses: {
        200: {
          data: pageOf(
            extended("ListedSession", SESSION_SCHEMA, { current: { type: "boolean" } }),
          ),
        },
      },
      errors: [],
    },
    body: "none",
    parse: (call) => readPageQuery(call.query),
    async handle({ parsed, caller: { account: { accountId }, credential }, now }) {
      const { cursor, limit } = parsed;
      const [sessions, known] = await database.read(async (sql) =>
        await Promise.all([
          listSessions(sql, accountId, { cursor, limit: limit + 1 }, lives, now),
          cursor === null || hadSession(sql, accountId, cursor),
        ])
      );
      if (!known) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
      const toItem = (session: typeof sessions[number]) => ({
        ...session,
        current: session.sessionId === credential.id,
      });
      return ok(toPage(sessions, limit, toItem, (item) => item.sessionId));
    },
  });
}

/** Ends a session, which may be the current one. Ending one twice is not an error. */
function revokeEndpoint({ database, eventContextOf }: SignInServices): Endpoint {
  return endpoint({
    contract: {
      summary: "End one session",
      responses: { 200: { data: objectOf({ sessionId: ULID, revokedAt: TIME }) } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "sessionId"),
    async handle(call) {
      const { parsed: sessionId, caller: { account } } = call;
      const session = { kind: "SESSION", id: sessionId } as const;
      const ended = await database.transaction((tx) =>
        endCredential(tx, account.accountId, session, eventContextOf(call))
      );
      if (ended === null) throw new ServiceError("RECORD_NOT_FOUND");
      return ok({ sessionId, revokedAt: ended.revokedAt.toISOString() });
    },
  });
}

function revokeOthersEndpoint({ database, eventContextOf }: SignInServices): Endpoint {
  return endpoint({
    contract: {
      summary: "End every session except the current one",
      responses: { 200: { data: objectOf({ revokedSessions: COUNT }) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { account: { accountId }, credential } = call.caller;
      const revokedSessions = await database.transaction((tx) =>
        endCredentials(tx, accountId, "SESSION", eventContextOf(call), credential.id)
      );
      return ok({ revokedSessions });
    },
  });
}
