/** The operator's steps that move an account to another installation, but for the copy itself. */

import type { EventContext } from "../access/event_context.ts";
import { isPermission, PERMISSION_IDS } from "../access/permissions.ts";
import { firstIdAt } from "../core/ids.ts";
import type { Database, Tx } from "../database/database.ts";
import { isLockTimeout } from "../database/failures.ts";
import type { Sql } from "../database/sql.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { administer, insertOperatorEvent, refuseMoved, refuseUnknown } from "./administration.ts";
import type { AccessEventName } from "./events.ts";
import { endCredentials } from "./revocation.ts";
import { hasSecondFactor } from "./second_factor_store.ts";
import { emailKey, findAccountByEmail } from "./account_store.ts";

/**
 * How long the account's writes may wait behind a freezing that waits itself, in milliseconds: less than
 * a write waits for a lock.
 */
const TURN_MS = 1_000;

/**
 * Freezes the writes of an account for every process. Reads, sign-in and the end of sessions and tokens
 * go on.
 *
 * The lock is the one that the account's writes share. So this waits, for as long as it takes, until
 * those in flight have ended: none commits once it has returned. The ones that come meanwhile wait for it
 * one turn at most, so that behind a long write, such as an import, they do not take all connections.
 *
 * @param context Called when nothing has to be waited for any more.
 * @returns false when they were frozen already.
 * @throws OperatorError for an unknown account, as every function below.
 */
export async function freezeAccount(
  database: Database,
  email: string,
  context: () => EventContext,
  turnMs: number = TURN_MS,
): Promise<boolean> {
  while (true) {
    try {
      return await database.transaction((tx) => tryToFreeze(tx, email, context, turnMs));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
  }
}

async function tryToFreeze(
  tx: Tx,
  email: string,
  context: () => EventContext,
  turnMs: number,
): Promise<boolean> {
  await tx.withoutTimeouts();
  await tx.sql`select set_config('lock_timeout', ${`${turnMs}ms`}, true)`;
  const { account_id: id } = await findAccountByEmail(tx.sql, email) ?? refuseUnknown();
  await tx.sql`select pg_advisory_xact_lock(account_lock(${id}))`;
  const frozen = context();
  const changed = await tx.sql`
    update accounts set frozen_at = ${frozen.now} where account_id = ${id} and frozen_at is null
    returning 1`;
  if (changed.length === 0) return false;
  await insertOperatorEvent(tx, "ACCOUNT_FROZEN", id, frozen);
  return true;
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
    refuseMoved(account);
    const { account_id: id, frozen_at } = account;
    if (frozen_at === null) return false;
    await tx.sql`update accounts set frozen_at = null where account_id = ${id}`;
    await insertOperatorEvent(tx, "ACCOUNT_UNFROZEN", id, context);
    return true;
  });
}

/**
 * Ends an account here, for good: its sessions and tokens end, and a sign-in with its password is told
 * the new address. Its rows stay.
 *
 * @param movedTo The origin of the installation that has it now.
 * @returns false when it had that address already. It may be given another one.
 * @throws OperatorError also where the account's writes are not frozen, where no export has its rows as
 * they are, and where it is a copy that has never been written to: the installation that it came from is
 * meant.
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
    const moves = await writesSince(tx.sql, id, frozen_at);
    if (moves.has("ACCOUNT_IMPORTED")) {
      throw new OperatorError(
        "The account came here and was never unfrozen: retire it where it was",
      );
    }
    if (!moves.has("ACCOUNT_EXPORTED")) {
      throw new OperatorError("The account was not exported since it was frozen");
    }
    await tx.sql`update accounts set moved_to = ${movedTo} where account_id = ${id}`;
    await endCredentials(tx, id, "SESSION", context);
    await endCredentials(tx, id, "TOKEN", context);
    await insertOperatorEvent(tx, "ACCOUNT_RETIRED", id, context);
    return true;
  });
}

/** The copies of an account, in and out, since a moment. */
async function writesSince(
  sql: Sql,
  accountId: string,
  since: Date,
): Promise<ReadonlySet<AccessEventName>> {
  const rows = await sql<{ event: AccessEventName }>`
    select distinct event from access_events
     where account_id = ${accountId} and event_id >= ${firstIdAt(since)}
       and event in ('ACCOUNT_IMPORTED', 'ACCOUNT_EXPORTED')`;
  return new Set(rows.map(({ event }) => event));
}

/** Whether an account came from another installation. */
export async function wasImported(sql: Sql, accountId: string): Promise<boolean> {
  return (await writesSince(sql, accountId, new Date(0))).has("ACCOUNT_IMPORTED");
}

/**
 * Refuses an account that cannot be copied, or whose copy would not be whole. One that was retired can be:
 * nothing of it has changed since.
 *
 * @returns since when its writes are frozen.
 * @throws OperatorError
 */
export async function assertMovable(sql: Sql, accountId: string): Promise<Date> {
  const [account] = await sql<{ frozen_at: Date | null }>`
    select frozen_at from accounts where account_id = ${accountId}`;
  if (account === undefined) refuseUnknown();
  if (account.frozen_at === null) throw new OperatorError("The account is not frozen");
  if (await hasSecondFactor(sql, accountId)) {
    throw new OperatorError(
      "The account has a second factor, whose secret opens here alone: reset it first",
    );
  }
  return account.frozen_at;
}

/**
 * Notes that an account was copied into a file.
 *
 * @param frozenAt Since when its writes were frozen before it was read.
 * @throws OperatorError where they were let go on since: the file may not have all of them.
 */
export async function insertExportEvent(
  database: Database,
  email: string,
  frozenAt: Date,
  context: () => EventContext,
): Promise<void> {
  await administer(database, email, async (tx, { account_id: id, frozen_at }) => {
    if (frozen_at?.getTime() !== frozenAt.getTime()) {
      throw new OperatorError("The account was unfrozen meanwhile: export it again");
    }
    await insertOperatorEvent(tx, "ACCOUNT_EXPORTED", id, context());
  });
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
  await insertOperatorEvent(tx, "ACCOUNT_IMPORTED", accountId, context);
}
