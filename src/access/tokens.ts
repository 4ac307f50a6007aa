/** Authenticates the secrets of tokens. `accounts/token_store.ts` has their rows. */

import { withClockTolerance } from "../core/clock.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import {
  accountColumns,
  grantedColumn,
  isUnendedOrMoved,
  readNames,
  validAt,
} from "./account_row.ts";
import { createAuthenticator, type CredentialRow, USE_INTERVAL_MS } from "./authenticator.ts";
import type { Authenticator } from "./identity.ts";
import type { Permission, RoleMatrix } from "./permissions.ts";

interface IdentityRow extends CredentialRow {
  readonly token_id: string;
  readonly expires_at: Date;
  /** Names with a space between. */
  readonly permissions: string;
  /** Codes with a space between; null without a limit. */
  readonly modules: string | null;
}

/**
 * Null if the token is unknown, revoked, expired or not begun, or its account is disabled.
 * `platform.operate` depends on the account alone, the other permissions on account and token.
 */
export function createTokenAuthenticator(database: Database, roles: RoleMatrix): Authenticator {
  return createAuthenticator<IdentityRow>(database, roles, {
    useIntervalMs: USE_INTERVAL_MS,
    find: (sql, digests, at) =>
      sql`
        select encode(t.secret_digest, 'hex') as digest, t.token_id, t.expires_at, t.modules,
               t.last_used_at as last_use, a.moved_to, ${permissionsColumn(sql)},
               ${accountColumns(sql)}, ${grantedColumn(sql)}
          from tokens t join accounts a using (account_id)
         where t.secret_digest = any(${digests}::text::bytea[])
           and ${isUnendedOrMoved(sql, sql`t.revoked_at`, at)}
           and t.created_at <= ${withClockTolerance(at)} and t.expires_at > ${validAt(sql, at)}
           and a.disabled_at is null`,
    credentialOf: (row, allowed) => ({
      credential: { kind: "TOKEN", id: row.token_id, expiresAt: row.expires_at.toISOString() },
      permissions: allowed.intersection(
        new Set<Permission>([...readNames(row.permissions), "platform.operate"]),
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

/** The column `permissions`, from a table alias `t`: names with a space between. */
export function permissionsColumn(sql: Sql): Query<object> {
  return sql`(
    select coalesce(string_agg(p.name, ' '), '')
      from token_permissions tp join permissions p using (permission_id)
     where tp.account_id = t.account_id and tp.token_id = t.token_id
  ) as permissions`;
}
