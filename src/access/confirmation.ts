/**
 * Confirms a cached identity inside a statement of its own request (see `http/speculation.ts`).
 * Only the claim of a write and `readRow` use `confirmation`.
 */

import type { Query, Sql } from "../database/sql.ts";

/** Values of a cached identity that a statement compares. */
export interface Confirmation {
  readonly accountId: string;
  readonly credentialId: string;
  readonly role: string;
  /** If the last stored use is older than this, a look-up must store the current one. */
  readonly usedSince: Date;
  /** Result of the most recent comparison. */
  isConfirmed: boolean;
}

interface Confirmable {
  readonly confirmation?: Confirmation;
}

/** The cached identity may be out of date. Nothing was written. */
export class UnconfirmedError extends Error {
  override readonly name = "UnconfirmedError";
}

/**
 * Stores the result of a comparison. Does nothing if the identity was looked up.
 *
 * @throws UnconfirmedError if it may not hold.
 */
export function settle({ confirmation }: Confirmable, holds: boolean): void {
  if (confirmation === undefined) return;
  confirmation.isConfirmed = holds;
  if (!holds) throw new UnconfirmedError();
}

/** Reads a row. A cached caller gets it only while its identity holds. */
export async function readRow<Row extends object>(
  sql: Sql,
  { caller, now }: { readonly caller: Confirmable; readonly now: Date },
  statement: Query<Row>,
): Promise<Row | undefined> {
  if (caller.confirmation === undefined) return (await statement)[0];
  const { accountId, credentialId, role, usedSince } = caller.confirmation;
  const [row] = await sql<Row>`
    select found.* from (${statement}) found where (
      select identity_holds(${accountId}, ${credentialId}, ${role}, ${usedSince}, ${now}))`;
  settle(caller, row !== undefined);
  return row;
}
