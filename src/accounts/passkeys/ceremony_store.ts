/** A session's challenges, of registrations and step-ups. Writers hold the account's row. */

import { randomBytes } from "node:crypto";
import type { Caller } from "../../access/identity.ts";
import type { StepUpUse } from "../../access/step_up.ts";
import { newId, nextId } from "../../core/ids.ts";
import type { Tx } from "../../database/database.ts";
import type { Query, Sql } from "../../database/sql.ts";

/** Lifetime of a challenge, which is also the timeout in browsers. */
export const CEREMONY_LIFETIME_MS = 5 * 60 * 1000;
const CHALLENGE_BYTES = 32;
/** Maximum open challenges of one session. A new one ends the oldest. */
const MAX_OPEN = 20;

/** An open challenge. */
export interface Ceremony {
  readonly ceremonyId: string;
  readonly challenge: Uint8Array;
  readonly expiresAt: Date;
}

export function expiryOf(begun: number): Date {
  return new Date(begun + CEREMONY_LIFETIME_MS);
}

/**
 * Begins a ceremony of the caller's session.
 *
 * @param use The use of the requested proof; null for a registration.
 */
export async function beginCeremony(
  { sql }: Tx,
  { account: { accountId }, credential }: Caller,
  use: StepUpUse | null,
  now: Date,
): Promise<Ceremony> {
  const open = await sql<{ ceremony_id: string }>`
    select ceremony_id from passkey_ceremonies
     where account_id = ${accountId} and session_id = ${credential.id} order by ceremony_id`;
  const oldest = open.at(-MAX_OPEN)?.ceremony_id ?? null;
  await sql`
    delete from passkey_ceremonies
     where account_id = ${accountId}
       and (expires_at <= ${now}
            or (session_id = ${credential.id} and ceremony_id <= ${oldest}))`;
  const last = open.at(-1)?.ceremony_id;
  const ceremony = {
    ceremonyId: last === undefined ? newId(now) : nextId(last, now),
    challenge: randomBytes(CHALLENGE_BYTES),
    expiresAt: expiryOf(now.getTime()),
  };
  await sql`
    insert into passkey_ceremonies (account_id, ceremony_id, session_id, challenge, purpose,
                                    target_id, created_at, expires_at)
    values (${accountId}, ${ceremony.ceremonyId}, ${credential.id}, ${ceremony.challenge},
            ${use?.purpose ?? null}, ${use?.targetId ?? null}, ${now}, ${ceremony.expiresAt})`;
  return ceremony;
}

interface EndedCeremony {
  readonly challenge: Uint8Array;
  readonly purpose: StepUpUse["purpose"] | null;
  readonly target_id: string | null;
}

/**
 * Ends a ceremony of the caller's session, if it is of that kind.
 *
 * @returns null for an unknown or expired one.
 */
export async function endCeremony(
  { sql }: Tx,
  { account: { accountId }, credential }: Caller,
  ceremonyId: string,
  kind: "registration" | "step-up",
  now: Date,
): Promise<EndedCeremony | null> {
  const isKind = kind === "registration" ? sql`purpose is null` : sql`purpose is not null`;
  const [ended] = await sql<EndedCeremony & { expires_at: Date }>`
    delete from passkey_ceremonies
     where account_id = ${accountId} and ceremony_id = ${ceremonyId}
       and session_id = ${credential.id} and ${isKind}
    returning challenge, purpose, target_id, expires_at`;
  return ended === undefined || ended.expires_at <= now ? null : ended;
}

/** Ends the open ceremonies of an account's sessions. */
export function endCeremonies(sql: Sql, accountId: string): Query<object> {
  return sql`delete from passkey_ceremonies where account_id = ${accountId}`;
}
