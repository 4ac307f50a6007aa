/** Identities that a request takes over from an earlier one, for its own statement to confirm. */

import type { Query, Sql } from "../database/sql.ts";
import { USE_INTERVAL_MS } from "./authenticator.ts";
import type { Assumption, Identity } from "./identity.ts";

/** An identity that nothing makes good but the statement of a request: a claim, or the read of a row. */
export type AssumedIdentity = Identity & { readonly assumption: Assumption };

/** Thrown where only a look-up can tell for whom a request is answered. Nothing was written. */
export class UnconfirmedError extends Error {
  override readonly name = "UnconfirmedError";
}

/**
 * Reads one row for an identity. Where that was assumed, a row is found only while it holds, and so
 * confirms it.
 *
 * @throws UnconfirmedError where an assumed identity found no row: it may not hold.
 */
export async function readRowFor<Row extends object>(
  sql: Sql,
  { account, credential, assumption }: Identity,
  now: Date,
  statement: Query<Row>,
): Promise<Row | undefined> {
  if (assumption === undefined) return (await statement)[0];
  const { role, usedSince } = assumption;
  const [row] = await sql<Row>`
    select found.* from (${statement}) found where (
      select identity_holds(${account.accountId}, ${credential.id}, ${role}, ${usedSince}, ${now}))`;
  if (row === undefined) throw new UnconfirmedError();
  assumption.isConfirmed = true;
  return row;
}

/** The identity of an earlier request, assumed; null where a statement could not tell whether it holds. */
export function assumeIdentity(identity: Identity, now: Date): AssumedIdentity | null {
  const { account: { role }, credential } = identity;
  // Single grants are read by the look-up alone; only this role has them.
  if (role === null || role === "SERVICE") return null;
  if (Date.parse(credential.expiresAt) <= now.getTime()) return null;
  const usedSince = new Date(now.getTime() - USE_INTERVAL_MS);
  return { ...identity, assumption: { role, usedSince, isConfirmed: false } };
}
