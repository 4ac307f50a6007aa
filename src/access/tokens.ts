/** Credentials for programs, with some of their account's permissions. */

import { DAY_MS, withClockTolerance } from "../core/clock.ts";
import { newSecret, sha256 } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import type { Database, Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import { accountColumns, grantedColumn, readNames } from "./account_row.ts";
import { createAuthenticator, type CredentialRow, USE_INTERVAL_MS } from "./authenticator.ts";
import type { Authenticator, Revocation } from "./identity.ts";
import { type Permission, PERMISSIONS, type RoleMatrix } from "./permissions.ts";

export const MAX_TOKEN_LIFETIME_MS = { standard: 90 * DAY_MS, maximum: 365 * DAY_MS } as const;

export interface Token {
  readonly tokenId: string;
  readonly name: string;
  /** Permissions of the token; the account's current permissions limit them. */
  readonly permissions: readonly Permission[];
  /** The codes of the modules that it is limited to; null without a limit. */
  readonly modules: readonly string[] | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
}

export const TOKEN_SCHEMA: JsonSchema = component<Token>("Token", {
  tokenId: ULID,
  name: TEXT,
  permissions: listOf(enumOf(PERMISSIONS)),
  modules: nullable(listOf(TEXT)),
  createdAt: TIME,
  expiresAt: TIME,
  lastUsedAt: nullable(TIME),
});

export interface NewToken {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** In the order of the catalog; null or absent without a limit. */
  readonly modules?: readonly string[] | null;
  readonly expiresAt: Date;
}

/** The secret is not stored and cannot be shown again. */
export async function insertToken(
  tx: Tx,
  accountId: string,
  { name, permissions, modules = null, expiresAt }: NewToken,
  now: Date,
): Promise<{ readonly token: Token; readonly secret: string }> {
  const secret = newSecret("prs_p_");
  const tokenId = newId(now);
  await tx.sql`
    insert into tokens (account_id, token_id, name, secret_digest, modules, created_at, expires_at)
    values (${accountId}, ${tokenId}, ${name}, ${sha256(secret)}, ${modules?.join(" ") ?? null},
            ${now}, ${expiresAt})`;
  await tx.sql`
    insert into token_permissions (account_id, token_id, permission_id)
    select ${accountId}, ${tokenId}, permission_id from permissions
     where name = any (string_to_array(${permissions.join(" ")}, ' '))`;
  return {
    secret,
    token: {
      tokenId,
      name,
      permissions: [...permissions].sort(),
      modules,
      createdAt: now.toISOString(),
      expiresAt: expiresAt.toISOString(),
      lastUsedAt: null,
    },
  };
}

interface TokenRow {
  readonly token_id: string;
  readonly name: string;
  readonly permission_names: string;
  /** With a space between. */
  readonly modules: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly last_used_at: Date | null;
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

/** True for revoked tokens too. */
export async function hadToken(sql: Sql, accountId: string, tokenId: string): Promise<boolean> {
  const found = await sql`
    select 1 from tokens where account_id = ${accountId} and token_id = ${tokenId}`;
  return found.length > 0;
}

/** @returns when it ended, now or before; null if the account never had it. */
export async function revokeToken(
  tx: Tx,
  accountId: string,
  tokenId: string,
  now: Date,
): Promise<Revocation | null> {
  const [ended] = await tx.sql`
    update tokens set revoked_at = ${now}
     where account_id = ${accountId} and token_id = ${tokenId} and revoked_at is null
    returning 1`;
  if (ended !== undefined) return { revokedAt: now, isNew: true };
  const [row] = await tx.sql<{ revoked_at: Date }>`
    select revoked_at from tokens where account_id = ${accountId} and token_id = ${tokenId}`;
  return row === undefined ? null : { revokedAt: row.revoked_at, isNew: false };
}

/** Returns the identifiers of those that ended. */
export async function revokeTokens(tx: Tx, accountId: string, now: Date): Promise<string[]> {
  const ended = await tx.sql<{ token_id: string }>`
    update tokens set revoked_at = ${now}
     where account_id = ${accountId} and revoked_at is null
    returning token_id`;
  return ended.map((row) => row.token_id);
}

interface IdentityRow extends CredentialRow {
  readonly token_id: string;
  readonly expires_at: Date;
  readonly permission_names: string;
  readonly modules: string | null;
}

/**
 * Null if the token is unknown, revoked, expired or not begun, or its account is disabled. `platform.operate` depends
 * on the account alone, the other permissions on account and token.
 */
export function createTokenAuthenticator(database: Database, roles: RoleMatrix): Authenticator {
  return createAuthenticator<IdentityRow>(database, roles, {
    useIntervalMs: USE_INTERVAL_MS,
    find: (sql, digests, at) =>
      sql`
        select encode(t.secret_digest, 'hex') as digest, t.token_id, t.expires_at, t.modules,
               t.last_used_at as last_use, ${permissionNames(sql)}, ${accountColumns(sql)},
               ${grantedColumn(sql)}
          from tokens t join accounts a using (account_id)
         where t.secret_digest = any(${digests}::text::bytea[]) and t.revoked_at is null
           and t.created_at <= ${withClockTolerance(at)} and t.expires_at > ${at}
           and a.disabled_at is null`,
    credentialOf: (row, allowed) => ({
      credential: { kind: "TOKEN", id: row.token_id, expiresAt: row.expires_at.toISOString() },
      permissions: allowed.intersection(
        new Set<Permission>([...readNames(row.permission_names), "platform.operate"]),
      ),
      ...(row.modules !== null && { modules: new Set(row.modules.split(" ")) }),
    }),
    touch: (sql, row, now, due) =>
      sql`
        update tokens set last_used_at = ${now}
         where account_id = ${row.account_id} and token_id = ${row.token_id}
           and (last_used_at is null or last_used_at <= ${due})`,
  });
}

function tokenColumns(sql: Sql): Query<object> {
  return sql`token_id, name, modules, created_at, expires_at, last_used_at, ${
    permissionNames(sql)
  }`;
}

function permissionNames(sql: Sql): Query<object> {
  return sql`(
    select coalesce(string_agg(p.name, ' '), '')
      from token_permissions tp join permissions p using (permission_id)
     where tp.account_id = t.account_id and tp.token_id = t.token_id
  ) as permission_names`;
}

function toToken(row: TokenRow): Token {
  return {
    tokenId: row.token_id,
    name: row.name,
    permissions: readNames(row.permission_names).sort(),
    modules: row.modules?.split(" ") ?? null,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
