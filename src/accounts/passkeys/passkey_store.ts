/** The rows of passkeys. Writers hold the account's row. */

import { randomBytes } from "node:crypto";
import { newId, nextId } from "../../core/ids.ts";
import type { Tx } from "../../database/database.ts";
import type { Sql } from "../../database/sql.ts";
import { namesOf, valuesOf } from "../../kit/columns.ts";
import {
  PASSKEY,
  type Passkey,
  type PasskeyRow,
  type PasskeyTransport,
  readTransports,
  toPasskey,
} from "./passkey_schema.ts";
import type { KnownCredential, NewCredential } from "./verification.ts";

/** Maximum passkeys of an account. */
export const MAX_PASSKEYS = 20;
const USER_ID_BYTES = 32;

/** Passkeys before `cursor` that were not removed, newest first. */
export async function listPasskeys(
  sql: Sql,
  accountId: string,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): Promise<Passkey[]> {
  const before = cursor === null ? sql`` : sql`and passkey_id < ${cursor}`;
  const rows = await sql<PasskeyRow>`
    select ${namesOf(sql, PASSKEY)} from passkeys
     where account_id = ${accountId} and removed_at is null ${before}
     order by passkey_id desc limit ${limit}`;
  return rows.map(toPasskey);
}

/** True for removed passkeys too. */
export async function hadPasskey(sql: Sql, accountId: string, passkeyId: string): Promise<boolean> {
  const found = await sql`
    select 1 from passkeys where account_id = ${accountId} and passkey_id = ${passkeyId}`;
  return found.length > 0;
}

/** Returns null for a removed passkey, too. */
export async function findPasskey(
  sql: Sql,
  accountId: string,
  passkeyId: string,
): Promise<Passkey | null> {
  const [row] = await sql<PasskeyRow>`
    select ${namesOf(sql, PASSKEY)} from passkeys
     where account_id = ${accountId} and passkey_id = ${passkeyId} and removed_at is null`;
  return row === undefined ? null : toPasskey(row);
}

export async function hasAllPasskeys(sql: Sql, accountId: string): Promise<boolean> {
  const present = await sql`
    select 1 from passkeys where account_id = ${accountId} and removed_at is null`;
  return present.length >= MAX_PASSKEYS;
}

/** Returns the account's identifier for authenticators. The first call creates it. */
export async function passkeyUserId({ sql }: Tx, accountId: string): Promise<Uint8Array> {
  await sql`
    insert into passkey_users (account_id, user_handle)
    values (${accountId}, ${randomBytes(USER_ID_BYTES)}) on conflict (account_id) do nothing`;
  const userId = await findPasskeyUserId(sql, accountId);
  if (userId === null) throw new Error("The user id for passkeys is missing after its insert");
  return userId;
}

/** Returns null before the first call of `passkeyUserId`. */
export async function findPasskeyUserId(sql: Sql, accountId: string): Promise<Uint8Array | null> {
  const [row] = await sql<{ user_handle: Uint8Array }>`
    select user_handle from passkey_users where account_id = ${accountId}`;
  return row?.user_handle ?? null;
}

interface NewPasskey extends NewCredential {
  readonly name: string;
  readonly rpId: string;
  readonly transports: readonly PasskeyTransport[];
}

/** Adds a passkey. Returns null if its credential is already registered, with any account. */
export async function insertPasskey(
  { sql }: Tx,
  accountId: string,
  passkey: NewPasskey,
  now: Date,
): Promise<Passkey | null> {
  const [last] = await sql<{ passkey_id: string }>`
    select passkey_id from passkeys where account_id = ${accountId}
     order by passkey_id desc limit 1`;
  const row: PasskeyRow = {
    passkey_id: last === undefined ? newId(now) : nextId(last.passkey_id, now),
    name: passkey.name,
    algorithm: passkey.algorithm,
    host_name: passkey.rpId,
    transports: passkey.transports.join(" "),
    backup_eligible: passkey.backupEligible,
    backed_up: passkey.backedUp,
    created_at: now,
    last_used_at: null,
  };
  const inserted = await sql`
    insert into passkeys (account_id, credential, public_key, counter, ${namesOf(sql, PASSKEY)})
    values (${accountId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter}::bigint,
            ${valuesOf(sql, PASSKEY, row)})
    on conflict (credential) do nothing returning 1`;
  return inserted.length === 0 ? null : toPasskey(row);
}

/** Returns null for an unknown or removed passkey. */
export async function renamePasskey(
  { sql }: Tx,
  accountId: string,
  passkeyId: string,
  name: string,
): Promise<Passkey | null> {
  const [row] = await sql<PasskeyRow>`
    update passkeys set name = ${name}
     where account_id = ${accountId} and passkey_id = ${passkeyId} and removed_at is null
    returning ${namesOf(sql, PASSKEY)}`;
  return row === undefined ? null : toPasskey(row);
}

/** Removes one passkey of an account, or all if `passkeyId` is null. Returns their number. */
export async function removePasskeys(
  { sql }: Tx,
  accountId: string,
  passkeyId: string | null,
  now: Date,
): Promise<number> {
  const one = passkeyId === null ? sql`` : sql`and passkey_id = ${passkeyId}`;
  const removed = await sql`
    update passkeys set removed_at = ${now}, credential = null, public_key = null
     where account_id = ${accountId} and removed_at is null ${one} returning 1`;
  return removed.length;
}

export interface Offered {
  readonly credentialId: Uint8Array;
  readonly transports: readonly PasskeyTransport[];
}

interface OfferedRow {
  readonly credential: Uint8Array;
  readonly transports: string;
}

/** The account's credentials for a host name, newest first. */
export async function listOffered(sql: Sql, accountId: string, rpId: string): Promise<Offered[]> {
  const rows = await sql<OfferedRow>`
    select credential, transports from passkeys
     where account_id = ${accountId} and host_name = ${rpId} and removed_at is null
     order by passkey_id desc`;
  return rows.map(({ credential, transports }) => ({
    credentialId: credential,
    transports: readTransports(transports),
  }));
}

export interface CredentialOwner {
  readonly account_id: string;
  readonly email: string;
}

/** Returns the account of a credential, also a disabled one; null for an unknown credential. */
export async function findCredentialOwner(
  sql: Sql,
  credentialId: Uint8Array,
): Promise<CredentialOwner | null> {
  const [row] = await sql<CredentialOwner>`
    select a.account_id, a.email from passkeys p join accounts a using (account_id)
     where p.credential = ${credentialId}`;
  return row ?? null;
}

interface UsedPasskey extends KnownCredential {
  readonly passkey_id: string;
  readonly user_handle: Uint8Array;
}

/** Returns null for the credential of another account or host name. */
export async function findUsedPasskey(
  sql: Sql,
  accountId: string,
  credentialId: Uint8Array,
  rpId: string,
): Promise<UsedPasskey | null> {
  const [row] = await sql<UsedPasskey>`
    select p.passkey_id, p.public_key, p.backup_eligible, u.user_handle
      from passkeys p join passkey_users u using (account_id)
     where p.account_id = ${accountId} and p.credential = ${credentialId}
       and p.host_name = ${rpId}`;
  return row ?? null;
}

/**
 * Stores a use. Returns false if the counter did not rise: the passkey may have been copied.
 * Authenticators without a counter always send 0.
 */
export async function noteUse(
  { sql }: Tx,
  accountId: string,
  passkeyId: string,
  { counter, backedUp }: Pick<NewCredential, "counter" | "backedUp">,
  now: Date,
): Promise<boolean> {
  const noted = await sql`
    update passkeys
       set counter = ${counter}::bigint, backed_up = ${backedUp}, last_used_at = ${now}
     where account_id = ${accountId} and passkey_id = ${passkeyId}
       and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))
    returning 1`;
  return noted.length > 0;
}
