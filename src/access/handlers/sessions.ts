/** The sessions of the account: where it is signed in, and the end of that. */

import { isUlid } from "../../core/ids.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { readPageQuery, toPage } from "../../http/page.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { refuseQuery } from "../../validate/schema.ts";
import { insertAccessEvent } from "../events.ts";
import { SESSION_CONTRACTS } from "./contracts.ts";
import type { AccessServices } from "./services.ts";
import { revokeSessions } from "../revocation.ts";
import { hadSession, listSessions, revokeSession } from "../sessions.ts";

/** One endpoint for each route. */
export interface SessionEndpoints {
  readonly listSessions: Endpoint;
  readonly revokeSession: Endpoint;
  readonly revokeOtherSessions: Endpoint;
}

/** The endpoints of `/api/v2/auth/sessions`. */
export function createSessionEndpoints(
  { database, sessions: lives, eventContextOf }: AccessServices,
): SessionEndpoints {
  return {
    listSessions: endpoint({
      contract: SESSION_CONTRACTS.listSessions,
      body: "none",
      parse: (call) => readPageQuery(call.query),
      async handle({ parsed, identity: { account: { accountId }, credential }, now }) {
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
    }),

    /** Ends one session, the asking one too if it is named. Ending it twice is no error. */
    revokeSession: endpoint({
      contract: SESSION_CONTRACTS.revokeSession,
      body: "none",
      parse({ query, params: { sessionId = "" } }) {
        refuseQuery(query);
        if (!isUlid(sessionId)) throw payloadInvalid(["session_id.format"]);
        return sessionId;
      },
      async handle(call) {
        const { parsed: sessionId, identity: { account: { accountId } }, now } = call;
        const ended = await database.transaction(async (tx) => {
          const ended = await revokeSession(tx, accountId, sessionId, now);
          if (ended?.isNew) {
            const credential = { kind: "SESSION", id: sessionId } as const;
            const event = "SESSION_REVOKED";
            await insertAccessEvent(tx.sql, {
              ...eventContextOf(call),
              event,
              accountId,
              credential,
            });
          }
          return ended;
        });
        if (ended === null) throw new ServiceError("RECORD_NOT_FOUND");
        return ok({ sessionId, revokedAt: ended.revokedAt.toISOString() });
      },
    }),

    /** Ends every session but the asking one. */
    revokeOtherSessions: endpoint({
      contract: SESSION_CONTRACTS.revokeOtherSessions,
      body: "none",
      parse: ({ query }) => refuseQuery(query),
      async handle(call) {
        const { account: { accountId }, credential } = call.identity;
        const revokedSessions = await database.transaction((tx) =>
          revokeSessions(tx, accountId, eventContextOf(call), credential.id)
        );
        return ok({ revokedSessions });
      },
    }),
  };
}
