/** The operator's steps that move an account to another installation, but for the copy itself. */

import type { EventContext } from "../access/event_context.ts";
import { isPermission, PERMISSION_IDS } from "../access/permissions.ts";
import type { Database, Tx } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { administer, noteOperator, refuseUnknown } from "./administration.ts";
import { endCredentials } from "./revocation.ts";
import { hasSecondFactor } from "./second_factor_store.ts";
import { emailKey, findAccountByEmail } from "./store.ts";

/**
 * Freezes the writes of an account for every process. Reads, sign-in and the end of sessions and tokens
 * go on.
 *
 * The lock is the one that the account's writes share. So this waits, for as long as it takes, until
 * those in flight have ended, and the ones that come meanwhile wait for it: none commits once it has
 * returned.
 *
 * @param context Called when nothing has to be waited for any more.
 * @returns false when they were frozen already.
 * @throws OperatorError for an unknown account, as every function below.
 */
export async function freezeAccount(
  database: Database,
  email: string,
  context: () => EventContext,
): Promise<boolean> {
  return await database.transaction(async (tx) => {
    await tx.withoutTimeouts();
    const { account_id: id } = await findAccountByEmail(tx.sql, email) ?? refuseUnknown();
    await tx.sql`select pg_advisory_xact_lock(account_lock(${id}))`;
    const frozen = context();
    const changed = await tx.sql`
      update accounts set frozen_at = ${frozen.now} where account_id = ${id} and frozen_at is null
      returning 1`;
    if (changed.length === 0) return false;
    await noteOperator(tx, "ACCOUNT_FROZEN", id, frozen);
    return true;
  });
}

/**
 * Lets an account's writes go on.
 *
 * @returns false when they were not frozen.
 * @throws OperatorError also where the account has moved: its writes belong elsewhere.
 */
export async function unfreezeAccount(
  database: Database,
  email: string,
  context: EventContext,
): Promise<boolean> {
  return await administer(database, email, async (tx, account) => {
    const { account_id: id, frozen_at, moved_to } = account;
    if (moved_to !== null) throw new OperatorError(`The account has moved to ${moved_to}`);
    if (frozen_at === null) return false;
    await tx.sql`update accounts set frozen_at = null where account_id = ${id}`;
    await noteOperator(tx, "ACCOUNT_UNFROZEN", id, context);
    return true;
  });
}

/**
 * Ends an account here, for good: its sessions and tokens end, and a sign-in with its password is told
 * the new address. Its rows stay.
 *
 * @param movedTo The origin of the installation that has it now.
 * @returns false when it had that address already. It may be given another one.
 * @throws OperatorError also where the account's writes are not frozen, and where it is a copy that has
 * never been written to: the installation that it came from is meant.
 */
export async function retireAccount(
  database: Database,
  email: string,
  movedTo: string,
  context: EventContext,
): Promise<boolean> {
  return await administer(database, email, async (tx, account) => {
    const { account_id: id, frozen_at, moved_to } = account;
    if (frozen_at === null) throw new OperatorError("The account is not frozen");
    if (moved_to === movedTo) return false;
    if (await lastMove(tx.sql, id) === "ACCOUNT_IMPORTED") {
      throw new OperatorError(
        "The account came here and was never unfrozen: retire it where it was",
      );
    }
    await tx.sql`update accounts set moved_to = ${movedTo} where account_id = ${id}`;
    await endCredentials(tx, id, "SESSION", context);
    await endCredentials(tx, id, "TOKEN", context);
    await noteOperator(tx, "ACCOUNT_RETIRED", id, context);
    return true;
  });
}

/** Whether an account came here and stayed as it came, or has been written to since; null for neither. */
async function lastMove(sql: Sql, accountId: string): Promise<string | null> {
  const [newest] = await sql<{ event: string }>`
    select event from access_events
     where account_id = ${accountId} and event in ('ACCOUNT_IMPORTED', 'ACCOUNT_UNFROZEN')
     order by event_id desc limit 1`;
  return newest?.event ?? null;
}

/** Whether an account came from another installation. */
export async function wasImported(sql: Sql, accountId: string): Promise<boolean> {
  const [found] = await sql`
    select from access_events
     where account_id = ${accountId} and event = 'ACCOUNT_IMPORTED' limit 1`;
  return found !== undefined;
}

/**
 * Refuses an account that cannot be copied, or whose copy would not be whole. One that was retired can be:
 * nothing of it has changed since.
 *
 * @throws OperatorError
 */
export async function assertMovable(sql: Sql, accountId: string): Promise<void> {
  const [account] = await sql<{ frozen_at: Date | null }>`
    select frozen_at from accounts where account_id = ${accountId}`;
  if (account === undefined) refuseUnknown();
  if (account.frozen_at === null) throw new OperatorError("The account is not frozen");
  if (await hasSecondFactor(sql, accountId)) {
    throw new OperatorError(
      "The account has a second factor, whose secret opens here alone: reset it first",
    );
  }
}

/** The account of a file, as it was where the file was made. */
export interface MovedAccount {
  readonly accountId: string;
  readonly email: string;
  readonly displayName: string;
  readonly passwordHash: string;
  readonly role: string | null;
  /** Granted one by one. */
  readonly granted: readonly string[];
  readonly createdAt: string;
  readonly disabledAt: string | null;
}

/**
 * Adds an account that comes from another installation. Its writes are frozen: they may still go on
 * where it comes from. An open set-up is closed by it, as by any account.
 *
 * @throws OperatorError where a permission is not known here.
 */
export async function insertMovedAccount(
  tx: Tx,
  account: MovedAccount,
  context: EventContext,
): Promise<void> {
  const { accountId, email, granted } = account;
  await tx.sql`delete from setup_token`;
  await tx.sql`
    insert into accounts (account_id, email, email_key, display_name, password_hash, role,
                          created_at, disabled_at, frozen_at)
    values (${accountId}, ${email}, ${emailKey(email)}, ${account.displayName},
            ${account.passwordHash}, ${account.role}, ${account.createdAt}::text::timestamptz,
            ${account.disabledAt}::text::timestamptz, ${context.now})`;
  for (const name of granted) {
    if (!isPermission(name)) {
      throw new OperatorError("The account has a permission that is not known here");
    }
    await tx.sql`
      insert into account_permissions (account_id, permission_id)
      values (${accountId}, ${PERMISSION_IDS[name]})`;
  }
  await noteOperator(tx, "ACCOUNT_IMPORTED", accountId, context);
}
