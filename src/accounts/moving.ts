import type { EventContext } from "../access/event_context.ts";
import { isPermission, PERMISSION_IDS } from "../access/permissions.ts";
import { firstIdAt } from "../core/ids.ts";
import type { Database, Tx } from "../database/database.ts";
import { isLockTimeout } from "../database/failures.ts";
import type { Sql } from "../database/sql.ts";
import { OperatorError } from "../errors/operator_error.ts";
import {
  administer,
  insertOperatorEvent,
  OPERATOR,
  refuseMoved,
  refuseUnknown,
} from "./administration.ts";
import type { AccessEventName } from "./events.ts";
import { endAssistants, endCredentials } from "./revocation.ts";
import { hasSecondFactor } from "./second_factor_store.ts";
import { emailKey, findAccountByEmail } from "./account_store.ts";

/** How long writes of the account may wait for a waiting freeze; less than their lock timeout. */
const TURN_MS = 1_000;

/**
 * Freezes an account's writes, for every process. Reads, sign-in and revocation continue.
 *
 * Acquires exclusively the lock that the account's writes share: none commits after it returns.
 * While a long write (an import) holds the lock, it retries every `TURN_MS`, so that waiting writes
 * do not use up all connections.
 *
 * @param context Called when the lock was granted.
 * @returns false if they were already frozen.
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
 * Accepts writes again.
 *
 * @returns false if the writes were not frozen.
 * @throws OperatorError also if the account has moved: its writes go to the other installation.
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
 * Marks an account as moved, permanently: its sessions, tokens, calendar feeds and assistants end.
 * Each of them, the password and the passkeys then get the new address. The rows stay.
 *
 * @param movedTo The origin of the new installation.
 * @returns false if it already has that address. The address can be changed.
 * @throws OperatorError also if its writes are not frozen, if no export contains its current rows,
 *   or if it is an import without any write (probably the wrong installation).
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
        "The account was imported here and never unfrozen: retire it on the old installation",
      );
    }
    if (!moves.has("ACCOUNT_EXPORTED")) {
      throw new OperatorError("The account was not exported since it was frozen");
    }
    await tx.sql`
      update accounts set moved_to = ${movedTo}, retired_at = coalesce(retired_at, ${context.now})
       where account_id = ${id}`;
    await endCredentials(tx, id, "SESSION", context);
    await endCredentials(tx, id, "TOKEN", context);
    await endCredentials(tx, id, "CALENDAR", context);
    await endAssistants(tx, id, OPERATOR, context);
    await insertOperatorEvent(tx, "ACCOUNT_RETIRED", id, context);
    return true;
  });
}

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

export async function wasImported(sql: Sql, accountId: string): Promise<boolean> {
  return (await writesSince(sql, accountId, new Date(0))).has("ACCOUNT_IMPORTED");
}

/**
 * Rejects an account that cannot be copied completely. A retired account can: it has not changed
 * since.
 *
 * @returns the time since which its writes are frozen.
 */
export async function assertMovable(sql: Sql, accountId: string): Promise<Date> {
  const [account] = await sql<{ frozen_at: Date | null }>`
    select frozen_at from accounts where account_id = ${accountId}`;
  if (account === undefined) refuseUnknown();
  if (account.frozen_at === null) throw new OperatorError("The account is not frozen");
  if (await hasSecondFactor(sql, accountId)) {
    throw new OperatorError(
      "The account has a second factor, which cannot be moved: reset it first",
    );
  }
  return account.frozen_at;
}

/**
 * Records an export.
 *
 * @param frozenAt The time since which the writes were frozen when the account was read.
 * @throws OperatorError if the account was unfrozen since `frozenAt`: the file may miss writes.
 */
export async function insertExportEvent(
  database: Database,
  email: string,
  frozenAt: Date,
  context: () => EventContext,
): Promise<void> {
  await administer(database, email, async (tx, { account_id: id, frozen_at }) => {
    if (frozen_at?.getTime() !== frozenAt.getTime()) {
      throw new OperatorError("The account was unfrozen during the export: export it again");
    }
    await insertOperatorEvent(tx, "ACCOUNT_EXPORTED", id, context());
  });
}

export interface MovedAccount {
  readonly accountId: string;
  readonly email: string;
  readonly displayName: string;
  readonly passwordHash: string;
  readonly role: string | null;
  /** Names of single permissions. */
  readonly granted: readonly string[];
  readonly createdAt: string;
  readonly disabledAt: string | null;
}

/**
 * Adds an imported account, and closes an open set-up. Its writes are frozen, because the account
 * may still be written elsewhere.
 *
 * @throws OperatorError if a permission is unknown here.
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
      throw new OperatorError("The account has a permission that this release does not know");
    }
    await tx.sql`
      insert into account_permissions (account_id, permission_id)
      values (${accountId}, ${PERMISSION_IDS[name]})`;
  }
  await insertOperatorEvent(tx, "ACCOUNT_IMPORTED", accountId, context);
}
