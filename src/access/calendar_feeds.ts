/**
 * Calendar feeds: addresses under which calendar programs read what is due. The secret in an address is not a credential of the API.
 */

import { newSecret, sha256, sha256Hex } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import type { Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { accountColumns, type AccountRow, grantedColumn, type GrantedRow } from "./account_row.ts";
import { USE_INTERVAL_MS } from "./authenticator.ts";
import type { Revocation } from "./identity.ts";

/** Maximum number of an account's live feeds. */
export const MAX_LIVE_FEEDS = 20;

/** A feed as it is stored, without its secret. */
export interface FeedRow {
  readonly feed_id: string;
  readonly name: string;
  /** With a space between. */
  readonly kinds: string;
  readonly detail: "TITLES" | "BUSY";
  /** JSON. */
  readonly alarms: string;
  readonly time_zone: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  readonly last_used_by: string | null;
}

/** The values of a new feed. */
export type NewFeed = Pick<
  FeedRow,
  "name" | "kinds" | "detail" | "alarms" | "time_zone" | "expires_at"
>;

/** A feed and its secret, which is not stored and cannot be shown again. */
export interface IssuedFeed {
  readonly row: FeedRow;
  readonly secret: string;
}

/** Makes a feed. */
export async function insertFeed(
  tx: Tx,
  accountId: string,
  feed: NewFeed,
  now: Date,
): Promise<IssuedFeed> {
  const secret = newSecret("prs_c_");
  const [row] = await tx.sql<FeedRow>`
    insert into calendar_feeds as f (account_id, feed_id, name, kinds, detail, alarms, time_zone,
                                secret_digest, created_at, expires_at)
    values (${accountId}, ${newId(now)}, ${feed.name}, ${feed.kinds}, ${feed.detail},
            ${feed.alarms}::text::json, ${feed.time_zone}, ${sha256(secret)}, ${now},
            ${feed.expires_at})
    returning ${feedColumns(tx.sql)}`;
  if (row === undefined) throw new Error("An insert returns its row");
  return { row, secret };
}

/** Replaces a live feed's secret; the old one ends. Returns null for an unknown or ended feed. */
export async function rotateFeed(
  tx: Tx,
  accountId: string,
  feedId: string,
  now: Date,
): Promise<IssuedFeed | null> {
  const secret = newSecret("prs_c_");
  const [row] = await tx.sql<FeedRow>`
    update calendar_feeds f set secret_digest = ${sha256(secret)}
     where account_id = ${accountId} and feed_id = ${feedId} and ${isLive(tx.sql, now)}
    returning ${feedColumns(tx.sql)}`;
  return row === undefined ? null : { row, secret };
}

/** An account's live feeds before `cursor`, newest first. */
export function listFeeds(
  sql: Sql,
  accountId: string,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
  now: Date,
): Query<FeedRow> {
  return sql<FeedRow>`
    select ${feedColumns(sql)} from calendar_feeds f
     where account_id = ${accountId} and ${isLive(sql, now)}
       ${cursor === null ? sql`` : sql`and feed_id < ${cursor}`}
     order by feed_id desc limit ${limit}`;
}

/** How many live feeds an account has. Call it only while the account is locked. */
export async function countLiveFeeds(sql: Sql, accountId: string, now: Date): Promise<number> {
  const [row] = await sql<{ readonly live: number }>`
    select count(*)::integer as live from calendar_feeds f
     where account_id = ${accountId} and ${isLive(sql, now)}`;
  return row?.live ?? 0;
}

/** A feed of an account, live or ended. */
export function findFeed(sql: Sql, accountId: string, feedId: string): Query<FeedRow> {
  return sql<FeedRow>`
    select ${feedColumns(sql)} from calendar_feeds f
     where account_id = ${accountId} and feed_id = ${feedId}`;
}

/** Ends a feed. Returns when it ended, now or before; null when the account never had it. */
export async function revokeFeed(
  tx: Tx,
  accountId: string,
  feedId: string,
  now: Date,
): Promise<Revocation | null> {
  const [ended] = await tx.sql`
    update calendar_feeds set revoked_at = ${now}
     where account_id = ${accountId} and feed_id = ${feedId} and revoked_at is null
    returning 1`;
  if (ended !== undefined) return { revokedAt: now, isNew: true };
  const [row] = await tx.sql<{ revoked_at: Date }>`
    select revoked_at from calendar_feeds where account_id = ${accountId} and feed_id = ${feedId}`;
  return row === undefined ? null : { revokedAt: row.revoked_at, isNew: false };
}

/** Ends an account's feeds. Returns the identifiers of those that ended. */
export async function revokeFeeds(tx: Tx, accountId: string, now: Date): Promise<string[]> {
  const ended = await tx.sql<{ feed_id: string }>`
    update calendar_feeds set revoked_at = ${now}
     where account_id = ${accountId} and revoked_at is null
    returning feed_id`;
  return ended.map((row) => row.feed_id);
}

/** A live feed and the rights of its account. */
export type ServedFeedRow = FeedRow & AccountRow & GrantedRow;

/** The live feed of a secret whose account is enabled: one look-up for any text. */
export function findServedFeed(sql: Sql, secret: string, now: Date): Query<ServedFeedRow> {
  return sql<ServedFeedRow>`
    select ${feedColumns(sql)}, ${accountColumns(sql)}, ${grantedColumn(sql)}
      from calendar_feeds f join accounts a using (account_id)
     where f.secret_digest = decode(${sha256Hex(secret)}, 'hex') and ${isLive(sql, now)}
       and a.disabled_at is null`;
}

/** Whether the use of a feed is to be stored: at most hourly. */
export function isUseDue({ last_used_at }: FeedRow, now: Date): boolean {
  return last_used_at === null || last_used_at <= useBefore(now);
}

/** Stores the use of a feed. Of concurrent uses the first writes. */
export function touchFeed(
  sql: Sql,
  { account_id, feed_id }: ServedFeedRow,
  client: string,
  now: Date,
): Query<object> {
  return sql`
    update calendar_feeds set last_used_at = ${now}, last_used_by = ${client}
     where account_id = ${account_id} and feed_id = ${feed_id}
       and (last_used_at is null or last_used_at <= ${useBefore(now)})`;
}

function useBefore(now: Date): Date {
  return new Date(now.getTime() - USE_INTERVAL_MS);
}

/** The condition of a live feed `f`. */
function isLive(sql: Sql, now: Date): Query<object> {
  return sql`f.revoked_at is null and (f.expires_at is null or f.expires_at > ${now})`;
}

function feedColumns(sql: Sql): Query<object> {
  return sql`f.feed_id, f.name, f.kinds, f.detail, f.alarms::text as alarms, f.time_zone,
    f.created_at, f.expires_at, f.revoked_at, f.last_used_at, f.last_used_by`;
}
