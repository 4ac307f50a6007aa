/** Authenticates the secrets of assistants. */

import { withClockTolerance } from "../core/clock.ts";
import type { Database } from "../database/database.ts";
import { accountColumns, grantedColumn } from "./account_row.ts";
import { createAuthenticator, type CredentialRow, USE_INTERVAL_MS } from "./authenticator.ts";
import { bearerSecret } from "./credentials.ts";
import type { Authenticator, Authenticators, Caller } from "./identity.ts";
import type { Permission, RoleMatrix } from "./permissions.ts";

const ASSISTANT_SECRET = /^prs_a_[A-Za-z0-9_-]{43}$/;

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
  /** With a space between. */
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
        select encode(s.secret_digest, 'hex') as digest, s.assistant_id, s.name, s.modules,
               s.may_propose, s.sensitive, s.expires_at, s.last_used_at as last_use,
               ${accountColumns(sql)}, ${grantedColumn(sql)}
          from assistants s join accounts a using (account_id)
         where s.secret_digest = any(${digests}::text::bytea[]) and s.revoked_at is null
           and s.created_at <= ${withClockTolerance(at)} and s.expires_at > ${at}
           and a.disabled_at is null`,
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

/** Finds the assistant of a request by its Bearer credential; cookies do not count. */
export async function authenticateAssistant(
  headers: Headers,
  { assistant }: Authenticators,
  now: Date,
): Promise<Caller | null> {
  const secret = bearerSecret(headers) ?? "";
  return ASSISTANT_SECRET.test(secret) ? await assistant(secret, now) : null;
}
