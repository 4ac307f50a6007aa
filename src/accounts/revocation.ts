/** Each credential that ends leaves its event. */

import type { EventContext } from "../access/event_context.ts";
import type { Revocation } from "../access/identity.ts";
import { revokeSession, revokeSessions } from "../access/sessions.ts";
import { revokeToken, revokeTokens } from "../access/tokens.ts";
import type { Tx } from "../database/database.ts";
import { type AccessEventName, insertAccessEvent } from "./events.ts";

interface Revocable {
  readonly kind: "SESSION" | "TOKEN";
  readonly id: string;
}

const EVENTS = { SESSION: "SESSION_REVOKED", TOKEN: "TOKEN_REVOKED" } as const;

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
  const revoke = credential.kind === "SESSION" ? revokeSession : revokeToken;
  const ended = await revoke(tx, accountId, credential.id, context.now);
  if (ended?.isNew) {
    await insertAccessEvent(tx.sql, { ...context, event, accountId, credential });
  }
  return ended;
}

/**
 * Ends an account's sessions with their proofs, or its tokens.
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
  const ended = kind === "SESSION"
    ? await revokeSessions(tx, accountId, context.now, except)
    : await revokeTokens(tx, accountId, context.now);
  await Promise.all(ended.map((id) => {
    const event = { ...context, event: EVENTS[kind], accountId, credential: { kind, id } };
    return insertAccessEvent(tx.sql, event);
  }));
  return ended.length;
}
