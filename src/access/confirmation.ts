/**
 * Confirms a cached identity within a statement of its own request, as `http/speculation.ts` explains.
 * The claim of a write (`command/`) and `readRow` do so; nothing else reads an identity's `confirmation`.
 */

import type { Query, Sql } from "../database/sql.ts";

/** The stored values that a statement compares with a cached identity, and its result. */
export interface Confirmation {
  readonly accountId: string;
  readonly credentialId: string;
  readonly role: string;
  /** If the last use of the credential was noted before, a look-up has to note this one. */
  readonly usedSince: Date;
  /** Whether the newest statement that compared them found them unchanged. */
  isConfirmed: boolean;
}

/** An identity, which is confirmed already unless it has a confirmation. */
interface Confirmable {
  readonly confirmation?: Confirmation;
}

/** Thrown if a cached identity may not hold. Nothing was written. */
export class UnconfirmedError extends Error {
  override readonly name = "UnconfirmedError";
}

/**
 * Stores whether a statement found that an identity holds; does nothing if it was looked up.
 *
 * @throws UnconfirmedError if it may not hold.
 */
export function settle({ confirmation }: Confirmable, holds: boolean): void {
  if (confirmation === undefined) return;
  confirmation.isConfirmed = holds;
  if (!holds) throw new UnconfirmedError();
}

/** Reads one row for the caller of a call. A cached caller finds a row only while it holds. */
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
