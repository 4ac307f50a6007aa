/** The operator's changes of accounts and credentials. Each function is one transaction. */

import {
  accountColumns,
  type AccountRow,
  grantedColumn,
  readNames,
  toAccount,
} from "../access/account_row.ts";
import type { EventContext } from "../access/event_context.ts";
import type { Account } from "../access/identity.ts";
import type { Permission } from "../access/permissions.ts";
import type { Database, Tx } from "../database/database.ts";
import { isLockTimeout } from "../database/failures.ts";
import type { Sql } from "../database/sql.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { ServiceError } from "../errors/service_error.ts";
import { type AccessEventName, insertAccessEvent } from "./events.ts";
import { endAssistants, endCredential, endCredentials } from "./revocation.ts";
import type { Token } from "./token.ts";
import { listTokens } from "./token_store.ts";
import { removePasskeys } from "./passkeys/passkey_store.ts";
import { removeSecondFactor } from "./second_factor_store.ts";
import {
  emailKey,
  findAccountByEmail,
  insertAccount,
  lockAccounts,
  type NewAccount,
  updatePasswordHash,
} from "./account_store.ts";

export interface AdministeredAccount extends Account {
  /** Single permissions; only accounts with the role SERVICE have any. */
  readonly granted: readonly Permission[];
  readonly disabledAt: string | null;
  readonly frozenAt: string | null;
  readonly movedTo: string | null;
}

/** An account whose row is locked until the transaction ends. */
export interface HeldAccount {
  readonly account_id: string;
  readonly role: string | null;
  readonly disabled_at: Date | null;
  readonly frozen_at: Date | null;
  readonly moved_to: string | null;
}

/** Runs one change, in a transaction that holds the account's lock. */
export async function administer<T>(
  database: Database,
  email: string,
  change: (tx: Tx, account: HeldAccount) => Promise<T>,
): Promise<T> {
  return await database.transaction(async (tx) => {
    const [account] = await tx.sql<HeldAccount>`
      select account_id, role, disabled_at, frozen_at, moved_to from accounts
       where email_key = ${emailKey(email)} for no key update`;
    return await change(tx, account ?? refuseUnknown());
  });
}

/**
 * `administer` for data in account exports, which would miss a later change.
 *
 * @throws OperatorError if the account's writes are frozen.
 */
export async function administerUnfrozen<T>(
  database: Database,
  email: string,
  change: (tx: Tx, account: HeldAccount) => Promise<T>,
): Promise<T> {
  return await administer(database, email, async (tx, account) => {
    refuseMoved(account);
    if (account.frozen_at !== null) {
      throw new OperatorError("The account is frozen: unfreeze it first");
    }
    return await change(tx, account);
  });
}

/** @throws OperatorError if an account has moved. */
export function refuseMoved({ moved_to }: HeldAccount): void {
  if (moved_to !== null) throw new OperatorError(`The account has moved to ${moved_to}`);
}

/** @throws OperatorError */
export function refuseUnknown(): never {
  throw new OperatorError("No account has this email");
}

/** The credential in the events of an operator's changes. */
export const OPERATOR = { kind: "ADMIN", id: null } as const;

export async function insertOperatorEvent(
  tx: Tx,
  event: AccessEventName,
  accountId: string,
  context: EventContext,
): Promise<void> {
  await insertAccessEvent(tx.sql, { ...context, event, accountId, credential: OPERATOR });
}

/**
 * Also closes an open set-up.
 *
 * @throws OperatorError if the email is taken, or the lock for adding accounts times out.
 */
export async function createAccount(
  database: Database,
  account: NewAccount,
  context: EventContext,
): Promise<Account> {
  try {
    return await database.transaction(async (tx) => {
      // The set-up token first, as in a set-up, to prevent deadlocks.
      await tx.sql`delete from setup_token`;
      await lockAccounts(tx);
      return await insertAccount(tx, account, context);
    });
  } catch (error) {
    if (isLockTimeout(error)) {
      throw new OperatorError("Another account is being created or imported: try again later");
    }
    const isTaken = error instanceof ServiceError && error.code === "ACCOUNT_CONFLICT";
    throw isTaken ? new OperatorError("An account has this email already") : error;
  }
}

interface ListedRow extends AccountRow {
  readonly granted: string | null;
  readonly disabled_at: Date | null;
  readonly frozen_at: Date | null;
  readonly moved_to: string | null;
}

/** Oldest first. */
export async function listAccounts(database: Database): Promise<AdministeredAccount[]> {
  const rows = await database.read((sql) =>
    sql<ListedRow>`
      select ${accountColumns(sql)}, a.disabled_at, a.frozen_at, a.moved_to, ${grantedColumn(sql)}
        from accounts a order by a.account_id`
  );
  return rows.map((row) => ({
    ...toAccount(row),
    granted: readNames(row.granted ?? "").sort(),
    disabledAt: row.disabled_at?.toISOString() ?? null,
    frozenAt: row.frozen_at?.toISOString() ?? null,
    movedTo: row.moved_to,
  }));
}

/**
 * Ends its sessions, tokens and proofs; enabling it does not restore them.
 *
 * @returns false if it was already disabled.
 * @throws OperatorError for an unknown account, as every function below; also for a frozen one if
 *   its row changes.
 */
export async function disableAccount(
  database: Database,
  email: string,
  context: EventContext,
): Promise<boolean> {
  return await administerUnfrozen(database, email, async (tx, { account_id: id, disabled_at }) => {
    if (disabled_at !== null) return false;
    await tx.sql`update accounts set disabled_at = ${context.now} where account_id = ${id}`;
    await endCredentials(tx, id, "SESSION", context);
    await endCredentials(tx, id, "TOKEN", context);
    await endCredentials(tx, id, "CALENDAR", context);
    await endAssistants(tx, id, OPERATOR, context);
    await insertOperatorEvent(tx, "ACCOUNT_DISABLED", id, context);
    return true;
  });
}

/** Returns false if it was not disabled. */
export async function enableAccount(
  database: Database,
  email: string,
  context: EventContext,
): Promise<boolean> {
  return await administerUnfrozen(database, email, async (tx, { account_id: id, disabled_at }) => {
    if (disabled_at === null) return false;
    await tx.sql`update accounts set disabled_at = null where account_id = ${id}`;
    await insertOperatorEvent(tx, "ACCOUNT_ENABLED", id, context);
    return true;
  });
}

/** Ends the account's sessions and proofs, but not its tokens. */
export async function resetPassword(
  database: Database,
  email: string,
  passwordHash: string,
  context: EventContext,
): Promise<void> {
  await administerUnfrozen(database, email, async (tx, { account_id: id }) => {
    await updatePasswordHash(tx, id, passwordHash);
    await endCredentials(tx, id, "SESSION", context);
    await insertOperatorEvent(tx, "PASSWORD_RESET", id, context);
  });
}

/**
 * Also cancels a pending one. Sessions and tokens remain valid.
 *
 * @returns false if it had none.
 */
export async function resetSecondFactor(
  database: Database,
  email: string,
  context: EventContext,
): Promise<boolean> {
  return await administer(database, email, async (tx, { account_id: id }) => {
    const hadFactor = await removeSecondFactor(tx, id);
    if (hadFactor) await insertOperatorEvent(tx, "SECOND_FACTOR_RESET", id, context);
    return hadFactor;
  });
}

/** Records one event; sessions remain open. Returns how many passkeys were removed. */
export async function removeAccountPasskeys(
  database: Database,
  email: string,
  context: EventContext,
): Promise<number> {
  return await administer(database, email, async (tx, { account_id: id }) => {
    const removed = await removePasskeys(tx, id, null, context.now);
    if (removed > 0) await insertOperatorEvent(tx, "PASSKEY_REMOVED", id, context);
    return removed;
  });
}

/** Also ends their proofs. Returns how many sessions ended. */
export async function endAccountSessions(
  database: Database,
  email: string,
  context: EventContext,
): Promise<number> {
  return await administer(
    database,
    email,
    (tx, { account_id: id }) => endCredentials(tx, id, "SESSION", context),
  );
}

/** Tokens that are not revoked, newest first. */
export async function listAccountTokens(database: Database, email: string): Promise<Token[]> {
  return await database.read(async (sql: Sql) => {
    const { account_id: id } = await findAccountByEmail(sql, email) ?? refuseUnknown();
    return await listTokens(sql, id, null, EVERY_ONE);
  });
}

/** The database's largest integer. */
const EVERY_ONE = 2 ** 31 - 1;

/**
 * @returns false if it had ended already.
 * @throws OperatorError also if the account never had it.
 */
export async function endAccountToken(
  database: Database,
  email: string,
  tokenId: string,
  context: EventContext,
): Promise<boolean> {
  return await administer(database, email, async (tx, { account_id: id }) => {
    const ended = await endCredential(tx, id, { kind: "TOKEN", id: tokenId }, context);
    if (ended === null) throw new OperatorError("The account has no such token");
    return ended.isNew;
  });
}
