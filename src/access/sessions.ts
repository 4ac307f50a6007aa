import { newSecret, sha256 } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import type { Database, Tx } from "../database/database.ts";
import type { Query } from "../database/sql.ts";
import { type AccountRow, toAccount } from "./accounts.ts";
import type { Identity } from "./identity.ts";
import { permissionsOf } from "./permissions.ts";

const DAY = 24 * 60 * 60 * 1000;

/** A session ends this long after it began, whatever happens. */
export const SESSION_LIFETIME_MS = 30 * DAY;
/** A session ends after this long without a request. */
const SESSION_IDLE_MS = 14 * DAY;
/** "Last seen" is written at most this often. */
const SEEN_INTERVAL_MS = 60 * 60 * 1000;

/** How a session's secret travels. */
export type Transport = "cookie" | "bearer";

/** A session as its owner sees it. */
export interface Session {
  readonly sessionId: string;
  readonly deviceName: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
}

/** A new session and its secret, which is not stored and cannot be shown again. */
export interface OpenedSession {
  readonly session: Session;
  readonly secret: string;
}

/** Opens a session for an account. */
export async function openSession(
  tx: Tx,
  accountId: string,
  options: { readonly transport: Transport; readonly deviceName: string | null },
  now: Date,
): Promise<OpenedSession> {
  const secret = newSecret("prs_s_");
  const sessionId = newId(now);
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS);
  await tx.sql`
    insert into sessions (account_id, session_id, secret_digest, transport, device_name,
                          created_at, last_seen_at, expires_at)
    values (${accountId}, ${sessionId}, ${sha256(secret)}, ${options.transport},
            ${options.deviceName}, ${now}, ${now}, ${expiresAt})`;
  const at = now.toISOString();
  return {
    secret,
    session: {
      sessionId,
      deviceName: options.deviceName,
      createdAt: at,
      lastSeenAt: at,
      expiresAt: expiresAt.toISOString(),
    },
  };
}

/** Ends a session of an account; ending it twice is no error. */
export function revokeSession(
  tx: Tx,
  accountId: string,
  sessionId: string,
  now: Date,
): Query<object> {
  return tx.sql`
    update sessions set revoked_at = ${now}
     where account_id = ${accountId} and session_id = ${sessionId} and revoked_at is null`;
}

interface SessionRow extends AccountRow {
  readonly session_id: string;
  readonly expires_at: Date;
  readonly last_seen_at: Date;
}

/**
 * Finds who a session secret stands for: one indexed look-up by digest. Null when the session is
 * unknown, revoked, expired or idle too long, or its account is disabled.
 */
export async function identifySession(
  database: Database,
  secret: string,
  now: Date,
): Promise<Identity | null> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const [row] = await database.read((sql) =>
    sql<SessionRow>`
      select s.session_id, s.expires_at, s.last_seen_at,
             a.account_id, a.email, a.display_name, a.role, a.created_at as account_created_at
        from sessions s join accounts a using (account_id)
       where s.secret_digest = ${sha256(secret)} and s.revoked_at is null
         and s.expires_at > ${now} and s.last_seen_at > ${idleSince} and a.disabled_at is null`
  );
  if (row === undefined) return null;
  if (now.getTime() - row.last_seen_at.getTime() >= SEEN_INTERVAL_MS) {
    noteSeen(database, row.account_id, row.session_id, now);
  }
  return {
    account: toAccount(row),
    credential: {
      kind: "SESSION",
      id: row.session_id,
      expiresAt: row.expires_at.toISOString(),
    },
    permissions: permissionsOf(row.role),
  };
}

/**
 * No answer waits for this write, and none fails with it: the next request tries again. Of several
 * requests at once the first writes, and the others find its time.
 */
function noteSeen(database: Database, accountId: string, sessionId: string, now: Date): void {
  const due = new Date(now.getTime() - SEEN_INTERVAL_MS);
  database.transaction((tx) =>
    tx.commitWith(tx.sql`
      update sessions set last_seen_at = ${now}
       where account_id = ${accountId} and session_id = ${sessionId} and last_seen_at <= ${due}`)
  ).catch(() => {});
}
