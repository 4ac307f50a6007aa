import { accountColumns, type AccountRow, toAccount } from "../access/account_row.ts";
import type { EventContext } from "../access/event_context.ts";
import type { Account } from "../access/identity.ts";
import type { AccessRole } from "../access/permissions.ts";
import { newId } from "../core/ids.ts";
import { accountFrozen } from "../command/refusals.ts";
import type { Tx } from "../database/database.ts";
import { databaseFailure } from "../database/failures.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { caselessKey } from "../validate/text.ts";
import { insertAccessEvent } from "./events.ts";

export interface NewAccount {
  readonly email: string;
  readonly displayName: string;
  readonly passwordHash: string;
  /** OWNER by default. */
  readonly role?: AccessRole;
}

/** An account's row, including columns that are never shown. */
export interface StoredAccount extends AccountRow {
  readonly password_hash: string;
  readonly disabled_at: Date | null;
  /** The origin of the new installation; null if the account has not moved. */
  readonly moved_to: string | null;
}

/** Emails are compared without case. */
export function emailKey(email: string): string {
  return caselessKey(email);
}

export async function anyAccountExists(sql: Sql): Promise<boolean> {
  return (await sql`select 1 from accounts limit 1`).length > 0;
}

/** Identifiers begin with the time. */
export async function isOldestAccount(sql: Sql, accountId: string): Promise<boolean> {
  const older = await sql`select 1 from accounts where account_id < ${accountId} limit 1`;
  return older.length === 0;
}

/** Later transactions that lock accounts wait, then see the new one. */
export async function lockAccounts(tx: Tx): Promise<void> {
  await tx.sql`lock table accounts in share row exclusive mode`;
}

/**
 * Adds an account and its event.
 *
 * @throws ServiceError `ACCOUNT_CONFLICT` if the email is taken.
 */
export async function insertAccount(
  tx: Tx,
  account: NewAccount,
  context: EventContext,
): Promise<Account> {
  const { now } = context;
  try {
    const [row] = await tx.sql<AccountRow>`
      insert into accounts as a (account_id, email, email_key, display_name, password_hash, role,
                                 created_at)
      values (${newId(now)}, ${account.email}, ${emailKey(account.email)}, ${account.displayName},
              ${account.passwordHash}, ${account.role ?? "OWNER"}, ${now})
      returning ${accountColumns(tx.sql)}`;
    if (row === undefined) throw new Error("The account was not inserted");
    const made = toAccount(row);
    const { accountId } = made;
    const event = "ACCOUNT_CREATED";
    await insertAccessEvent(tx.sql, { ...context, event, accountId, credential: null });
    return made;
  } catch (error) {
    if (databaseFailure(error)?.constraint === "account_email_unique") {
      throw new ServiceError("ACCOUNT_CONFLICT", { cause: error });
    }
    throw error;
  }
}

/** Also returns a disabled account. */
export async function findAccountByEmail(sql: Sql, email: string): Promise<StoredAccount | null> {
  const [row] = await sql<StoredAccount>`
    select ${storedColumns(sql)} from accounts a where email_key = ${emailKey(email)}`;
  return row ?? null;
}

/** Also returns a disabled account. */
export async function findAccount(sql: Sql, accountId: string): Promise<StoredAccount | null> {
  const [row] = await sql<StoredAccount>`
    select ${storedColumns(sql)} from accounts a where account_id = ${accountId}`;
  return row ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockAccount({ sql }: Tx, accountId: string): Promise<StoredAccount | null> {
  const [row] = await sql<StoredAccount>`
    select ${storedColumns(sql)} from accounts a where account_id = ${accountId}
       for no key update`;
  return row ?? null;
}

function storedColumns(sql: Sql): Query<object> {
  return sql`${accountColumns(sql)}, a.password_hash, a.disabled_at, a.moved_to`;
}

export async function lockAccountExclusively(sql: Sql, accountId: string): Promise<void> {
  // This lock also excludes the weaker one of a foreign key check, so that no row that refers to
  // the account can be added.
  await sql`select 1 from accounts where account_id = ${accountId} for update`;
}

/**
 * Locks the account until the transaction ends.
 *
 * @returns false if the password was changed, or the account was disabled or moved, since it was
 *   read.
 */
export async function lockAccountIfUnchanged(tx: Tx, proven: StoredAccount): Promise<boolean> {
  const held = await tx.sql`
    select 1 from accounts
     where account_id = ${proven.account_id} and password_hash = ${proven.password_hash}
       and disabled_at is null and moved_to is null
       for no key update`;
  return held.length > 0;
}

/**
 * Rejects a change of a frozen account, whose copy would miss it. The account must be locked.
 *
 * @param operation The name of the change, for the error's details.
 * @throws ServiceError `SYSTEM_MAINTENANCE`.
 */
export async function assertUnfrozen(
  sql: Sql,
  accountId: string,
  operation: string,
): Promise<void> {
  const frozen = await sql`
    select 1 from accounts where account_id = ${accountId} and frozen_at is not null`;
  if (frozen.length > 0) throw accountFrozen(operation);
}

/**
 * Stores a new hash, unless the writes are frozen, because the account's copy has the old one. The
 * account must be locked.
 */
export function updatePasswordHash(tx: Tx, accountId: string, passwordHash: string): Query<object> {
  return tx.sql`
    update accounts set password_hash = ${passwordHash}
     where account_id = ${accountId} and frozen_at is null`;
}
