/** Rows of second factors. Writers must hold the account's row lock. */

import { Buffer } from "node:buffer";
import type { Caller } from "../access/identity.ts";
import type { Tx } from "../database/database.ts";
import { byteaArray, type Query, type Sql } from "../database/sql.ts";
import { newRecoveryCodes, recoveryCodeDigest } from "./recovery_codes.ts";

const PENDING_LIFETIME_MS = 10 * 60 * 1000;
/** Maximum wrong codes, as in the column's constraint. After them, codes are refused. */
const WRONG_CODES_LIMIT = 20;

interface NewSecondFactor {
  readonly encrypted_secret: Uint8Array;
  readonly last_step: number;
}

interface SecondFactorRow extends NewSecondFactor {
  /** Wrong codes since the last right code; at most 20. */
  readonly wrong_codes: number;
}

export async function hasSecondFactor(sql: Sql, accountId: string): Promise<boolean> {
  return (await sql`select 1 from second_factors where account_id = ${accountId}`).length > 0;
}

export async function findSecondFactor(
  sql: Sql,
  accountId: string,
): Promise<SecondFactorRow | null> {
  const [row] = await sql<SecondFactorRow>`
    select encrypted_secret, last_step, wrong_codes
      from second_factors where account_id = ${accountId}`;
  return row ?? null;
}

/** True if the factor refuses all authenticator codes, also right ones. */
export function isLocked({ wrong_codes }: SecondFactorRow): boolean {
  return wrong_codes >= WRONG_CODES_LIMIT;
}

/** Resets the count of wrong codes. Returns false if this code or a newer one was used before. */
export async function spendStep(sql: Sql, accountId: string, step: number): Promise<boolean> {
  const spent = await sql`
    update second_factors set last_step = ${step}, wrong_codes = 0
     where account_id = ${accountId} and last_step < ${step} returning 1`;
  return spent.length > 0;
}

/** Returns true if the count reached the limit. */
export async function countWrongCode(sql: Sql, accountId: string): Promise<boolean> {
  const [counted] = await sql<Pick<SecondFactorRow, "wrong_codes">>`
    update second_factors set wrong_codes = wrong_codes + 1
     where account_id = ${accountId} and wrong_codes < ${WRONG_CODES_LIMIT} returning wrong_codes`;
  return counted?.wrong_codes === WRONG_CODES_LIMIT;
}

/** Resets the count of wrong codes. Returns false if the code is unknown or used. */
export async function spendRecoveryCode(
  sql: Sql,
  accountId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const spent = await sql`
    update recovery_codes set used_at = ${now}
     where account_id = ${accountId} and code_digest = ${recoveryCodeDigest(code)}
       and used_at is null
    returning 1`;
  if (spent.length === 0) return false;
  await sql`
    update second_factors set wrong_codes = 0 where account_id = ${accountId} and wrong_codes > 0`;
  return true;
}

/** Stores a secret that its first code must confirm. */
export async function replacePendingSecret(
  { sql }: Tx,
  { account: { accountId }, credential }: Caller,
  encryptedSecret: Uint8Array,
  now: Date,
): Promise<void> {
  await endPendingSecret(sql, accountId);
  await sql`
    insert into pending_second_factors (account_id, session_id, encrypted_secret, created_at,
                                        expires_at)
    values (${accountId}, ${credential.id}, ${encryptedSecret}, ${now},
            ${new Date(now.getTime() + PENDING_LIFETIME_MS)})`;
}

export async function findPendingSecret(
  sql: Sql,
  { account: { accountId }, credential }: Caller,
  now: Date,
): Promise<Uint8Array | null> {
  const [row] = await sql<{ encrypted_secret: Uint8Array }>`
    select encrypted_secret from pending_second_factors
     where account_id = ${accountId} and session_id = ${credential.id} and expires_at > ${now}`;
  return row?.encrypted_secret ?? null;
}

export function endPendingSecret(sql: Sql, accountId: string): Query<object> {
  return sql`delete from pending_second_factors where account_id = ${accountId}`;
}

/**
 * Enables a factor, which replaces an earlier one and the pending secret.
 *
 * @returns the recovery codes, which cannot be shown again.
 */
export async function enableSecondFactor(
  tx: Tx,
  accountId: string,
  { encrypted_secret, last_step }: NewSecondFactor,
  now: Date,
): Promise<string[]> {
  await removeSecondFactor(tx, accountId);
  await tx.sql`
    insert into second_factors (account_id, encrypted_secret, enabled_at, last_step)
    values (${accountId}, ${encrypted_secret}, ${now}, ${last_step})`;
  return await insertRecoveryCodes(tx, accountId, now);
}

/** Removes factor, recovery codes and pending secret. Returns true if a factor existed. */
export async function removeSecondFactor({ sql }: Tx, accountId: string): Promise<boolean> {
  await endPendingSecret(sql, accountId);
  await sql`delete from recovery_codes where account_id = ${accountId}`;
  const removed = await sql`delete from second_factors where account_id = ${accountId} returning 1`;
  return removed.length > 0;
}

export async function replaceRecoveryCodes(
  tx: Tx,
  accountId: string,
  now: Date,
): Promise<string[]> {
  await tx.sql`delete from recovery_codes where account_id = ${accountId}`;
  return await insertRecoveryCodes(tx, accountId, now);
}

async function insertRecoveryCodes({ sql }: Tx, accountId: string, now: Date): Promise<string[]> {
  const codes = newRecoveryCodes();
  const digests = codes.map((code) => Buffer.from(recoveryCodeDigest(code)).toString("hex"));
  await sql`
    insert into recovery_codes (account_id, code_digest, created_at)
    select ${accountId}, digest, ${now} from unnest(${byteaArray(digests)}::text::bytea[]) digest`;
  return codes;
}
