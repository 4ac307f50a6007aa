import { newId } from "../core/ids.ts";
import type { Tx } from "../database/database.ts";
import { databaseFailure } from "../database/failures.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { Account } from "./identity.ts";

/** What makes an account. */
export interface NewAccount {
  readonly email: string;
  readonly displayName: string;
  readonly passwordHash: string;
}

/** An account as stored, with what the outside never sees. */
export interface StoredAccount extends AccountRow {
  readonly password_hash: string;
  readonly disabled_at: Date | null;
}

/** The columns of the public account. */
export interface AccountRow {
  readonly account_id: string;
  readonly email: string;
  readonly display_name: string;
  readonly role: string;
  readonly account_created_at: Date;
}

/** Emails are compared without case. */
export function emailKey(email: string): string {
  return email.normalize("NFKC").toLowerCase();
}

/** Whether any account exists: set-up is open only until then. */
export async function anyAccountExists(sql: Sql): Promise<boolean> {
  return (await sql`select 1 from accounts limit 1`).length > 0;
}

/**
 * Adds an account.
 *
 * @throws ServiceError `ACCOUNT_CONFLICT` when the email is taken.
 */
export async function insertAccount(tx: Tx, account: NewAccount, now: Date): Promise<Account> {
  try {
    const [row] = await tx.sql<AccountRow>`
      insert into accounts (account_id, email, email_key, display_name, password_hash, created_at)
      values (${newId(now)}, ${account.email}, ${emailKey(account.email)}, ${account.displayName},
              ${account.passwordHash}, ${now})
      returning account_id, email, display_name, role, created_at as account_created_at`;
    if (row === undefined) throw new Error("The account was not inserted");
    return toAccount(row);
  } catch (error) {
    if (databaseFailure(error)?.constraint === "account_email_unique") {
      throw new ServiceError("ACCOUNT_CONFLICT", { cause: error });
    }
    throw error;
  }
}

/** The account of an email, disabled or not. */
export async function findAccountByEmail(sql: Sql, email: string): Promise<StoredAccount | null> {
  const [row] = await sql<StoredAccount>`
    select account_id, email, display_name, role, created_at as account_created_at,
           password_hash, disabled_at
      from accounts where email_key = ${emailKey(email)}`;
  return row ?? null;
}

/**
 * Holds an account as it was when its password was proven, until the transaction ends.
 *
 * @returns whether it still is: since then the password may have changed, or the account may have
 * been disabled, and what was proven opens nothing any more.
 */
export async function holdProvenAccount(tx: Tx, proven: StoredAccount): Promise<boolean> {
  const held = await tx.sql`
    select 1 from accounts
     where account_id = ${proven.account_id} and password_hash = ${proven.password_hash}
       and disabled_at is null
       for no key update`;
  return held.length > 0;
}

/** Replaces the hash of a held account's password by one at the present cost. */
export function updatePasswordHash(tx: Tx, accountId: string, passwordHash: string): Query<object> {
  return tx.sql`
    update accounts set password_hash = ${passwordHash} where account_id = ${accountId}`;
}

/** The public form of an account row. */
export function toAccount(row: AccountRow): Account {
  return {
    accountId: row.account_id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    createdAt: row.account_created_at.toISOString(),
  };
}
