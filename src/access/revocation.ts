/** Revokes the credentials of an account: sessions, tokens, proofs. */

import type { Tx } from "../database/database.ts";
import { type AccessEventName, insertAccessEvent } from "./events.ts";
import type { EventContext } from "./event_context.ts";

/**
 * Ends an account's sessions, and with them their proofs.
 *
 * @param except a session that goes on.
 * @returns how many ended; each leaves its event.
 */
export async function revokeSessions(
  tx: Tx,
  accountId: string,
  context: EventContext,
  except: string | null = null,
): Promise<number> {
  const revoked = await tx.sql<EndedRow>`
    update sessions set revoked_at = ${context.now}
     where account_id = ${accountId} and revoked_at is null
       and session_id is distinct from ${except}
    returning session_id as id`;
  await endProofs(tx, accountId, context.now, except);
  return await noteEnded(
    tx,
    accountId,
    { event: "SESSION_REVOKED", kind: "SESSION" },
    revoked,
    context,
  );
}

/** Ends an account's personal access tokens. Returns how many ended; each leaves its event. */
export async function revokeTokens(
  tx: Tx,
  accountId: string,
  context: EventContext,
): Promise<number> {
  const revoked = await tx.sql<EndedRow>`
    update tokens set revoked_at = ${context.now}
     where account_id = ${accountId} and revoked_at is null
    returning token_id as id`;
  return await noteEnded(
    tx,
    accountId,
    { event: "TOKEN_REVOKED", kind: "TOKEN" },
    revoked,
    context,
  );
}

/** Ends an account's proofs, except those of one session. */
export async function endProofs(
  tx: Tx,
  accountId: string,
  now: Date,
  except: string | null = null,
): Promise<void> {
  await tx.sql`
    update step_up_proofs set ended_at = ${now}
     where account_id = ${accountId} and ended_at is null
       and session_id is distinct from ${except}`;
}

interface EndedRow {
  readonly id: string;
}

async function noteEnded(
  tx: Tx,
  accountId: string,
  { event, kind }: { readonly event: AccessEventName; readonly kind: "SESSION" | "TOKEN" },
  ended: readonly EndedRow[],
  context: EventContext,
): Promise<number> {
  await Promise.all(
    ended.map(({ id }) =>
      insertAccessEvent(tx.sql, { ...context, event, accountId, credential: { kind, id } })
    ),
  );
  return ended.length;
}
