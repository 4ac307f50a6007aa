/** Authenticates the secrets of assistants, and the access tokens of their sign-ins. */

import { withClockTolerance } from "../core/clock.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { accountColumns, grantedColumn, isUnendedOrMoved, validAt } from "./account_row.ts";
import { isOpenSignIn } from "./assistants.ts";
import { createAuthenticator, type CredentialRow, USE_INTERVAL_MS } from "./authenticator.ts";
import { bearerSecret } from "./credentials.ts";
import type { Authenticator, Authenticators, Caller } from "./identity.ts";
import type { Permission, RoleMatrix } from "./permissions.ts";

const ASSISTANT_SECRET = /^prs_[ao]_[A-Za-z0-9_-]{43}$/;

/** The permissions that an assistant may have: none of them writes or opens secrets. */
const LENT_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>([
  "platform.operate",
  "record.read",
  "memory.read",
  "identity.read",
  "relationship.person.read",
  "relationship.ledger.read",
  "decision.read",
  "resource.read",
  "taxonomy.read",
]);

interface IdentityRow extends CredentialRow {
  readonly assistant_id: string;
  readonly name: string;
  /** Codes of modules, separated by spaces. */
  readonly modules: string;
  readonly may_propose: boolean;
  readonly sensitive: "HIDDEN" | "SHOWN";
  readonly expires_at: Date;
}

/** Null for an unknown, revoked, expired or future assistant, or one of a disabled account. */
export function createAssistantAuthenticator(database: Database, roles: RoleMatrix): Authenticator {
  return createAuthenticator<IdentityRow>(database, roles, {
    useIntervalMs: USE_INTERVAL_MS,
    find: (sql, digests, at) =>
      sql`
        select encode(sent.digest, 'hex') as digest, s.assistant_id, s.name, s.modules,
               s.may_propose, s.sensitive, sent.expires_at, s.last_used_at as last_use, a.moved_to,
               ${accountColumns(sql)}, ${grantedColumn(sql)}
          from (${pastedSecrets(sql, digests)} union all ${accessTokens(sql, digests)}) sent
               join assistants s using (account_id, assistant_id)
               join accounts a using (account_id)
         where sent.created_at <= ${withClockTolerance(at)}
           and least(sent.expires_at, s.expires_at) > ${validAt(sql, at)}
           and ${isUnendedOrMoved(sql, sql`s.revoked_at`, at)} and a.disabled_at is null`,
    credentialOf: (row, allowed) => ({
      credential: {
        kind: "ASSISTANT",
        id: row.assistant_id,
        expiresAt: row.expires_at.toISOString(),
      },
      permissions: allowed.intersection(LENT_PERMISSIONS),
      modules: new Set(row.modules.split(" ")),
      assistant: {
        name: row.name,
        mayPropose: row.may_propose,
        showsSensitive: row.sensitive === "SHOWN",
      },
    }),
    touch: (sql, row, now, due) =>
      sql`
        update assistants set last_used_at = ${now}
         where account_id = ${row.account_id} and assistant_id = ${row.assistant_id}
           and (last_used_at is null or last_used_at <= ${due})`,
  });
}

function pastedSecrets(sql: Sql, digests: string): Query<object> {
  return sql`
    select account_id, assistant_id, secret_digest as digest, created_at, expires_at
      from assistants where secret_digest = any(${digests}::text::bytea[])`;
}

function accessTokens(sql: Sql, digests: string): Query<object> {
  return sql`
    select c.account_id, c.assistant_id, t.access_digest, t.created_at, t.access_expires_at
      from assistant_tokens t join assistant_codes c using (account_id, code_id)
     where t.access_digest = any(${digests}::text::bytea[]) and ${isOpenSignIn(sql)}`;
}

/** Finds the assistant of a request by its Bearer credential; cookies do not count. */
export async function authenticateAssistant(
  headers: Headers,
  { assistant }: Authenticators,
  now: Date,
): Promise<Caller | null> {
  const secret = bearerSecret(headers) ?? "";
  return ASSISTANT_SECRET.test(secret) ? await assistant(secret, now) : null;
}
