/** Each credential that ends leaves its event. */

import type { EventContext } from "../access/event_context.ts";
import { revokeAssistants } from "../access/assistants.ts";
import type { Revocation } from "../access/identity.ts";
import {
  listSessions,
  revokeSession,
  revokeSessions,
  type SessionLives,
} from "../access/sessions.ts";
import { revokeFeed, revokeFeeds } from "../access/calendar_feeds.ts";
import { SESSIONS } from "../core/shares.ts";
import type { Tx } from "../database/database.ts";
import { type AccessEvent, type AccessEventName, insertAccessEvent } from "./events.ts";
import { revokeToken, revokeTokens } from "./token_store.ts";

/** A session, token or calendar feed. */
interface Revocable {
  readonly kind: "SESSION" | "TOKEN" | "CALENDAR";
  readonly id: string;
}

const EVENTS = {
  SESSION: "SESSION_REVOKED",
  TOKEN: "TOKEN_REVOKED",
  CALENDAR: "CALENDAR_FEED_REVOKED",
} as const;

const REVOKE = { SESSION: revokeSession, TOKEN: revokeToken, CALENDAR: revokeFeed } as const;

const REVOKE_ALL = {
  SESSION: revokeSessions,
  TOKEN: revokeTokens,
  CALENDAR: revokeFeeds,
} as const;

/**
 * Also ends the proofs of a session.
 *
 * @returns when it ended, now or before; null if the account never had it.
 */
export async function endCredential(
  tx: Tx,
  accountId: string,
  credential: Revocable,
  context: EventContext,
  event: AccessEventName = EVENTS[credential.kind],
): Promise<Revocation | null> {
  const ended = await REVOKE[credential.kind](tx, accountId, credential.id, context.now);
  if (ended?.isNew) {
    await insertAccessEvent(tx.sql, { ...context, event, accountId, credential });
  }
  return ended;
}

/**
 * Ends an account's sessions with their proofs, its personal access tokens, or its calendar feeds.
 *
 * @param except A session to keep.
 * @returns how many credentials ended.
 */
export async function endCredentials(
  tx: Tx,
  accountId: string,
  kind: Revocable["kind"],
  context: EventContext,
  except: string | null = null,
): Promise<number> {
  const ended = await REVOKE_ALL[kind](tx, accountId, context.now, except);
  await Promise.all(ended.map((id) => {
    const event = { ...context, event: EVENTS[kind], accountId, credential: { kind, id } };
    return insertAccessEvent(tx.sql, event);
  }));
  return ended.length;
}

/** Maximum sessions that one sign-in ends: more than one only after a release without the limit. */
const ENDED_AT_ONCE = 1_000;

/**
 * Ends the oldest sessions beyond the limit of an account, whose row the transaction holds.
 *
 * @param opened The session that was just opened.
 */
export async function endSurplusSessions(
  tx: Tx,
  accountId: string,
  opened: string,
  lives: SessionLives,
  context: EventContext,
): Promise<void> {
  const page = { cursor: null, limit: SESSIONS + ENDED_AT_ONCE };
  const open = await listSessions(tx.sql, accountId, page, lives, context.now);
  const surplus = open.filter(({ sessionId }) => sessionId !== opened).slice(SESSIONS - 1);
  await Promise.all(
    surplus.map(({ sessionId: id }) =>
      endCredential(tx, accountId, { kind: "SESSION", id }, context)
    ),
  );
}

/** Ends an account's assistants. Their events name the credential that ended them. */
export async function endAssistants(
  tx: Tx,
  accountId: string,
  credential: AccessEvent["credential"],
  context: EventContext,
): Promise<void> {
  const ended = await revokeAssistants(tx, accountId, context.now);
  const event = { ...context, event: "ASSISTANT_REVOKED", accountId, credential } as const;
  await Promise.all(Array.from({ length: ended }, () => insertAccessEvent(tx.sql, event)));
}
