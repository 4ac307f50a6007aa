/** Rows of calendar feeds. The secret of an address does not authenticate API requests. */

import {
  type AccountRow,
  enabledAccounts,
  type GrantedRow,
  isUnendedOrMoved,
  validAt,
} from "../access/account_row.ts";
import { USE_INTERVAL_MS } from "../access/authenticator.ts";
import { newSecret, sha256, sha256Hex } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import type { Tx } from "../database/database.ts";
import { wholeColumns } from "../database/page_bytes.ts";
import type { Query, Sql } from "../database/sql.ts";
import { longColumns, namesOf, shortColumns, valuesOf } from "../kit/columns.ts";
import { type CalendarFeedRow, FEED, type NewCalendarFeed } from "./feed.ts";

/** Maximum live feeds of an account. */
export const MAX_LIVE_FEEDS = 20;

const UNUSED = { revoked_at: null, last_used_at: null, last_used_by: null } as const;

/** A feed and its secret, which is not stored and cannot be shown again. */
export interface IssuedFeed {
  readonly row: CalendarFeedRow;
  readonly secret: string;
}

export async function insertFeed(
  tx: Tx,
  accountId: string,
  feed: NewCalendarFeed,
  now: Date,
): Promise<IssuedFeed> {
  const secret = newSecret("prs_c_");
  const row = { ...feed, ...UNUSED, feed_id: newId(now), created_at: now };
  await tx.sql`
    insert into calendar_feeds (account_id, secret_digest, ${namesOf(tx.sql, FEED)})
    values (${accountId}, ${sha256(secret)}, ${valuesOf(tx.sql, FEED, row)})`;
  return { row, secret };
}

/** Replaces a live feed's secret. Returns null for an unknown or ended feed. */
export async function rotateFeed(
  tx: Tx,
  accountId: string,
  feedId: string,
  now: Date,
): Promise<IssuedFeed | null> {
  const secret = newSecret("prs_c_");
  const [row] = await tx.sql<CalendarFeedRow>`
    update calendar_feeds set secret_digest = ${sha256(secret)}
     where account_id = ${accountId} and feed_id = ${feedId} and ${isLive(tx.sql, now)}
    returning ${feedColumns(tx.sql)}`;
  return row === undefined ? null : { row, secret };
}

/** Selects an account's live feeds before `cursor`, newest first. */
export function listFeeds(
  sql: Sql,
  accountId: string,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
  now: Date,
): Query<CalendarFeedRow> {
  return sql<CalendarFeedRow>`
    select ${feedColumns(sql)} from calendar_feeds
     where account_id = ${accountId} and ${isLive(sql, now)}
       ${cursor === null ? sql`` : sql`and feed_id < ${cursor}`}
     order by feed_id desc limit ${limit}`;
}

/** Call it only while the account is locked. */
export async function countLiveFeeds(sql: Sql, accountId: string, now: Date): Promise<number> {
  const [row] = await sql<{ readonly live: number }>`
    select count(*)::integer as live from calendar_feeds
     where account_id = ${accountId} and ${isLive(sql, now)}`;
  return row?.live ?? 0;
}

/** Also finds a feed that has ended. */
export function findFeed(sql: Sql, accountId: string, feedId: string): Query<CalendarFeedRow> {
  return sql<CalendarFeedRow>`
    select ${feedColumns(sql)} from calendar_feeds
     where account_id = ${accountId} and feed_id = ${feedId}`;
}

/** A feed, the rights of its account, and the account's new address if it has moved. */
export type ServedFeedRow = CalendarFeedRow & AccountRow & GrantedRow & {
  readonly moved_to: string | null;
};

/**
 * Finds the feed of a secret if it is live, or was when its account moved. The account must be
 * enabled. Any text takes the same time.
 */
export function findServedFeed(sql: Sql, secret: string, now: Date): Query<ServedFeedRow> {
  return sql<ServedFeedRow>`
    select *
      from (select account_id, ${feedColumns(sql)} from calendar_feeds
             where secret_digest = decode(${sha256Hex(secret)}, 'hex')) feed
           join ${enabledAccounts(sql)} a using (account_id)
     where ${isUnendedOrMoved(sql, sql`feed.revoked_at`, now)}
       and (feed.expires_at is null or feed.expires_at > ${validAt(sql, now)})`;
}

/** Returns false within an hour after the last stored use. */
export function isUseDue({ last_used_at }: CalendarFeedRow, now: Date): boolean {
  return last_used_at === null || last_used_at <= useBefore(now);
}

/** Stores the use of a feed, unless a concurrent use was stored first. */
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

function isLive(sql: Sql, now: Date): Query<object> {
  return sql`revoked_at is null and (expires_at is null or expires_at > ${now})`;
}

function feedColumns(sql: Sql): Query<object> {
  return sql`${shortColumns(sql, FEED)}, ${wholeColumns(sql, longColumns(sql, FEED))}`;
}
