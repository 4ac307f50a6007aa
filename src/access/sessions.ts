import { DAY_MS, withClockTolerance } from "../core/clock.ts";
import { newSecret, sha256 } from "../core/digest.ts";
import { firstIdAt, newId } from "../core/ids.ts";
import type { Database, Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { component, type JsonSchema, nullable, TEXT, TIME, ULID } from "../validate/json_schema.ts";
import { accountColumns, grantedColumn, isUnendedOrMoved, validAt } from "./account_row.ts";
import { createAuthenticator, type CredentialRow, USE_INTERVAL_MS } from "./authenticator.ts";
import {
  type Client,
  type ClientRow,
  SHOWN_CLIENT,
  type ShownClient,
  toShownClient,
} from "./event_context.ts";
import type { Authenticator, Caller, Revocation } from "./identity.ts";
import type { RoleMatrix } from "./permissions.ts";
import { endProofs } from "./step_up.ts";

/**
 * Lifetimes in days; fractions are allowed. They apply to open sessions too: shorter ones end them
 * earlier, longer ones do not extend them.
 */
export interface SessionLives {
  /**
   * Maximum time without a request. The last request is stored at most once per hour (or per
   * twelfth of this time, if less), so a session may end later by that much, never earlier.
   */
  readonly idleDays: number;
  /** Maximum time since the sign-in. */
  readonly absoluteDays: number;
}

export type Transport = "cookie" | "bearer";

interface Session extends ShownClient {
  readonly sessionId: string;
  readonly deviceName: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
}

export const SESSION_SCHEMA: JsonSchema = component<Session>("Session", {
  sessionId: ULID,
  deviceName: nullable(TEXT),
  ...SHOWN_CLIENT,
  createdAt: TIME,
  lastSeenAt: TIME,
  expiresAt: TIME,
});

interface NewSession {
  readonly transport: Transport;
  readonly deviceName: string | null;
  readonly client: Client | null;
  readonly absoluteDays: number;
}

/** The secret is not stored and cannot be shown again. */
interface OpenedSession {
  readonly session: Session;
  readonly secret: string;
}

export async function openSession(
  tx: Tx,
  accountId: string,
  { transport, deviceName, client, absoluteDays }: NewSession,
  now: Date,
): Promise<OpenedSession> {
  const secret = newSecret("prs_s_");
  const sessionId = newId(now);
  const expiresAt = new Date(now.getTime() + absoluteDays * DAY_MS);
  const shown = { addressDigest: client?.addressDigest ?? null, client: client?.name ?? null };
  await tx.sql`
    insert into sessions (account_id, session_id, secret_digest, transport, device_name,
                          address_digest, client, created_at, last_seen_at, expires_at)
    values (${accountId}, ${sessionId}, ${sha256(secret)}, ${transport}, ${deviceName},
            ${shown.addressDigest}, ${shown.client}, ${now}, ${now}, ${expiresAt})`;
  const at = now.toISOString();
  return {
    secret,
    session: {
      sessionId,
      deviceName,
      ...shown,
      createdAt: at,
      lastSeenAt: at,
      expiresAt: expiresAt.toISOString(),
    },
  };
}

/**
 * Ends a session and its proofs.
 *
 * @returns when it ended, now or before; null if the account never had it.
 */
export async function revokeSession(
  tx: Tx,
  accountId: string,
  sessionId: string,
  now: Date,
): Promise<Revocation | null> {
  const [ended] = await tx.sql`
    update sessions set revoked_at = ${now}
     where account_id = ${accountId} and session_id = ${sessionId} and revoked_at is null
    returning 1`;
  if (ended !== undefined) {
    await tx.sql`
      update step_up_proofs set ended_at = ${now}
       where account_id = ${accountId} and session_id = ${sessionId} and ended_at is null`;
    return { revokedAt: now, isNew: true };
  }
  const [row] = await tx.sql<{ revoked_at: Date }>`
    select revoked_at from sessions where account_id = ${accountId} and session_id = ${sessionId}`;
  return row === undefined ? null : { revokedAt: row.revoked_at, isNew: false };
}

/** Ends sessions with their proofs. Returns the identifiers of those that ended. */
export async function revokeSessions(
  tx: Tx,
  accountId: string,
  now: Date,
  except: string | null,
): Promise<string[]> {
  const ended = await tx.sql<{ session_id: string }>`
    update sessions set revoked_at = ${now}
     where account_id = ${accountId} and revoked_at is null
       and session_id is distinct from ${except}
    returning session_id`;
  await endProofs(tx, accountId, now, except);
  return ended.map((row) => row.session_id);
}

interface LifeRow {
  readonly created_at: Date;
  readonly expires_at: Date;
}

interface SessionRow extends LifeRow, ClientRow {
  readonly session_id: string;
  readonly device_name: string | null;
  readonly last_seen_at: Date;
}

/** Open sessions before `cursor`, newest first. */
export async function listSessions(
  sql: Sql,
  accountId: string,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
  lives: SessionLives,
  now: Date,
): Promise<Session[]> {
  const before = cursor === null ? sql`` : sql`and s.session_id < ${cursor}`;
  // Skips the rows of long ago.
  const first = firstIdAt(new Date(now.getTime() - lives.absoluteDays * DAY_MS));
  const rows = await sql<SessionRow>`
    select s.session_id, s.device_name, s.address_digest, s.client, s.created_at, s.last_seen_at,
           s.expires_at
      from sessions s
     where s.account_id = ${accountId} and s.session_id >= ${first}
       and ${isOpen(sql, lives, now)} ${before}
     order by s.session_id desc limit ${limit}`;
  return rows.map((row) => ({
    sessionId: row.session_id,
    deviceName: row.device_name,
    ...toShownClient(row),
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: endOf(row, lives).toISOString(),
  }));
}

/** True for closed sessions too. */
export async function hadSession(sql: Sql, accountId: string, sessionId: string): Promise<boolean> {
  const found = await sql`
    select 1 from sessions where account_id = ${accountId} and session_id = ${sessionId}`;
  return found.length > 0;
}

/**
 * Locks the session's account, so that none of its credentials can be revoked before the
 * transaction ends. Authentication has checked the session's expiry.
 *
 * @throws ServiceError `AUTH_REQUIRED` if the session or its account was ended since.
 */
export async function lockOpenSession(tx: Tx, { account, credential }: Caller): Promise<void> {
  const { accountId } = account;
  const held = await tx.sql`
    select 1 from accounts
     where account_id = ${accountId} and disabled_at is null for no key update`;
  // A second statement, to see the commits that the first one waited for.
  const open = await tx.sql`
    select 1 from sessions
     where account_id = ${accountId} and session_id = ${credential.id} and revoked_at is null`;
  if (held.length === 0 || open.length === 0) throw new ServiceError("AUTH_REQUIRED");
}

/** Time after its beginning in which a session counts as a confirmation by the person. */
const YOUNG_MS = 5 * 60 * 1000;

/** Whether the person signed in less than five minutes ago. */
export async function isYoungSession(
  sql: Sql,
  { account, credential }: Caller,
  now: Date,
): Promise<boolean> {
  const young = await sql`
    select 1 from sessions
     where account_id = ${account.accountId} and session_id = ${credential.id}
       and created_at > ${new Date(now.getTime() - YOUNG_MS)}`;
  return young.length > 0;
}

interface IdentityRow extends CredentialRow, LifeRow {
  readonly session_id: string;
}

/** Null for an unknown, revoked, expired, idle or future session, or one of a disabled account. */
export function createSessionAuthenticator(
  database: Database,
  roles: RoleMatrix,
  lives: SessionLives,
): Authenticator {
  return createAuthenticator<IdentityRow>(database, roles, {
    useIntervalMs: useIntervalOf(lives),
    find: (sql, digests, at) =>
      sql`
        select encode(s.secret_digest, 'hex') as digest, s.session_id, s.created_at, s.expires_at,
               s.last_seen_at as last_use, a.moved_to, ${accountColumns(sql)},
               ${grantedColumn(sql)}
          from sessions s join accounts a using (account_id)
         where s.secret_digest = any(${digests}::text::bytea[])
           and s.created_at <= ${withClockTolerance(at)}
           and ${isUnexpired(sql, lives, validAt(sql, at))}
           and ${isUnendedOrMoved(sql, sql`s.revoked_at`, at)} and a.disabled_at is null`,
    credentialOf: (row, permissions) => ({
      credential: {
        kind: "SESSION",
        id: row.session_id,
        expiresAt: endOf(row, lives).toISOString(),
      },
      permissions,
    }),
    touch: (sql, row, now, due) =>
      sql`
        update sessions set last_seen_at = ${now}
         where account_id = ${row.account_id} and session_id = ${row.session_id}
           and last_seen_at <= ${due}`,
  });
}

function useIntervalOf({ idleDays }: SessionLives): number {
  return Math.min(USE_INTERVAL_MS, idleDays * DAY_MS / 12);
}

function isOpen(sql: Sql, lives: SessionLives, now: Date): Query<object> {
  return sql`s.revoked_at is null and s.created_at <= ${withClockTolerance(now)}
    and ${isUnexpired(sql, lives, sql`${now}::timestamptz`)}`;
}

function isUnexpired(sql: Sql, lives: SessionLives, at: Query<object>): Query<object> {
  const { idleDays, absoluteDays } = lives;
  const lifeMs = absoluteDays * DAY_MS;
  // The last request may be up to one interval later than stored.
  const idleMs = idleDays * DAY_MS + useIntervalOf(lives);
  return sql`s.expires_at > ${at}
    and s.created_at > ${at} - ${lifeMs} * interval '1 millisecond'
    and s.last_seen_at > ${at} - ${idleMs} * interval '1 millisecond'`;
}

function endOf({ created_at, expires_at }: LifeRow, { absoluteDays }: SessionLives): Date {
  const latest = created_at.getTime() + absoluteDays * DAY_MS;
  return expires_at.getTime() <= latest ? expires_at : new Date(latest);
}
