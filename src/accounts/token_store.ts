/** The rows of tokens. `access/tokens.ts` authenticates their secrets. */

import { readNames } from "../access/account_row.ts";
import type { Revocation } from "../access/identity.ts";
import { PERMISSION_IDS } from "../access/permissions.ts";
import { permissionsColumn } from "../access/tokens.ts";
import { newSecret, sha256 } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import type { Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { namesOf, valuesOf } from "../kit/columns.ts";
import { type NewToken, TOKEN, type Token, type TokenRow, toToken } from "./token.ts";

/** The secret is not stored and cannot be shown again. */
export async function insertToken(
  { sql }: Tx,
  accountId: string,
  stated: NewToken,
  now: Date,
): Promise<{ readonly token: Token; readonly secret: string }> {
  const secret = newSecret("prs_p_");
  const row = { ...stated, token_id: newId(now), created_at: now, last_used_at: null };
  await sql`
    insert into tokens (account_id, secret_digest, ${namesOf(sql, TOKEN)})
    values (${accountId}, ${sha256(secret)}, ${valuesOf(sql, TOKEN, row)})`;
  const permissionIds = new Set(readNames(row.permissions).map((name) => PERMISSION_IDS[name]));
  await sql`
    insert into token_permissions (account_id, token_id, permission_id)
    select ${accountId}, ${row.token_id}, permission_id
      from unnest(string_to_array(${[...permissionIds].join(" ")}, ' ')) permission_id`;
  return { token: toToken(row), secret };
}

/** Tokens that are not revoked, before `cursor`, newest first. */
export async function listTokens(
  sql: Sql,
  accountId: string,
  cursor: string | null,
  limit: number,
): Promise<Token[]> {
  const before = cursor === null ? sql`` : sql`and token_id < ${cursor}`;
  const rows = await sql<TokenRow>`
    select ${tokenColumns(sql)} from tokens t
     where account_id = ${accountId} and revoked_at is null ${before}
     order by token_id desc limit ${limit}`;
  return rows.map(toToken);
}

/** Returns null for a revoked token, too. */
export async function findToken(
  sql: Sql,
  accountId: string,
  tokenId: string,
): Promise<Token | null> {
  const [row] = await sql<TokenRow>`
    select ${tokenColumns(sql)} from tokens t
     where account_id = ${accountId} and token_id = ${tokenId} and revoked_at is null`;
  return row === undefined ? null : toToken(row);
}

function tokenColumns(sql: Sql): Query<object> {
  return sql`${namesOf(sql, TOKEN)}, ${permissionsColumn(sql)}`;
}

/** True for revoked tokens too. */
export async function hadToken(sql: Sql, accountId: string, tokenId: string): Promise<boolean> {
  const found = await sql`
    select 1 from tokens where account_id = ${accountId} and token_id = ${tokenId}`;
  return found.length > 0;
}

/** @returns when it ended, now or before; null if the account never had it. */
export async function revokeToken(
  { sql }: Tx,
  accountId: string,
  tokenId: string,
  now: Date,
): Promise<Revocation | null> {
  const [ended] = await sql`
    update tokens set revoked_at = ${now}
     where account_id = ${accountId} and token_id = ${tokenId} and revoked_at is null
    returning 1`;
  if (ended !== undefined) return { revokedAt: now, isNew: true };
  const [row] = await sql<{ revoked_at: Date }>`
    select revoked_at from tokens where account_id = ${accountId} and token_id = ${tokenId}`;
  return row === undefined ? null : { revokedAt: row.revoked_at, isNew: false };
}

/** Returns the identifiers of those that ended. */
export async function revokeTokens({ sql }: Tx, accountId: string, now: Date): Promise<string[]> {
  const ended = await sql<{ token_id: string }>`
    update tokens set revoked_at = ${now}
     where account_id = ${accountId} and revoked_at is null
    returning token_id`;
  return ended.map((row) => row.token_id);
}
