/**
 * The rows of token pairs. All pairs of a code are one sign-in. A transaction that changes sign-ins
 * first locks their assistant (`findCode`, `findRefreshed`), so that these transactions take turns.
 */

import {
  enabledAccounts,
  isEnabledAccount,
  isUnendedOrMoved,
  validAt,
} from "../../access/account_row.ts";
import { isOpenSignIn } from "../../access/assistants.ts";
import { DAY_MS, withClockTolerance } from "../../core/clock.ts";
import { newSecret, sha256 } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import type { Tx } from "../../database/database.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { isLiveSignIn } from "../assistant_store.ts";
import type { CodeRow } from "./code_store.ts";

const ACCESS_LIFETIME_MS = 60 * 60 * 1000;
const REFRESH_LIFETIME_MS = 30 * DAY_MS;
/** Maximum sign-ins of an assistant that have not ended. */
export const MAX_SIGN_INS = 10;

/** A code, and the end of its assistant. */
export interface SignIn extends CodeRow {
  readonly until: Date;
}

interface FoundCode extends SignIn {
  /** Whether the code had given its first pair when the statement began. */
  readonly is_exchanged: boolean;
}

/** The sign-in of a refresh token, and the pair. */
interface UsedToken extends SignIn {
  readonly token_id: string;
}

/** Two new tokens; only their digests are stored. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
  readonly accessExpiresAt: Date;
}

/** Also finds an expired code, but none of an assistant that has ended. Locks the assistant. */
export function findCode({ sql }: Tx, code: string, now: Date): Query<FoundCode> {
  return sql<FoundCode>`
    select ${signInColumns(sql)}, exists (
             select from assistant_tokens t
              where t.account_id = c.account_id and t.code_id = c.code_id
                and t.refreshed_from is null) as is_exchanged
      from assistant_codes c ${liveAssistant(sql, now)}
     where c.code_digest = ${sha256(code)} and c.created_at <= ${withClockTolerance(now)}
       for no key update of s`;
}

/** Finds the sign-in of a refresh token, unless its assistant has ended. Locks the assistant. */
export function findRefreshed(
  { sql }: Tx,
  refreshToken: string,
  now: Date,
): Query<UsedToken> {
  return sql<UsedToken>`
    select ${signInColumns(sql)}, t.token_id
      from assistant_tokens t join assistant_codes c using (account_id, code_id)
           ${liveAssistant(sql, now)}
     where t.refresh_digest = ${sha256(refreshToken)}
       and t.created_at <= ${withClockTolerance(now)}
       for no key update of s`;
}

/** Finds the new address of an account whose move ended the sign-in of an unused refresh token. */
export function findMovedTo(
  sql: Sql,
  { refreshToken, client }: { readonly refreshToken: string; readonly client: string },
  now: Date,
): Query<{ readonly moved_to: string }> {
  return sql<{ moved_to: string }>`
    select a.moved_to
      from assistant_tokens t join assistant_codes c using (account_id, code_id)
           join assistants s using (account_id, assistant_id)
           join ${enabledAccounts(sql)} a using (account_id)
     where t.refresh_digest = ${sha256(refreshToken)} and c.client = ${client}
       and t.refreshed_at is null and ${isOpenSignIn(sql)}
       and a.moved_to is not null and ${isUnendedOrMoved(sql, sql`s.revoked_at`, now)}
       and least(t.refresh_expires_at, s.expires_at) > ${validAt(sql, now)}`;
}

function signInColumns(sql: Sql): Query<object> {
  return sql`
    c.account_id, c.code_id, c.assistant_id, c.client, c.callback, c.challenge, c.is_offline,
    c.created_at, c.expires_at, s.expires_at as until`;
}

/** Joins the assistant of a code `c`. */
function liveAssistant(sql: Sql, now: Date): Query<object> {
  return sql`
    join assistants s
      on s.account_id = c.account_id and s.assistant_id = c.assistant_id
         and s.revoked_at is null and s.expires_at > ${now}
         and ${isEnabledAccount(sql, sql`c.account_id`)}`;
}

interface RefreshRow {
  readonly refresh_expires_at: Date;
  /** The first use. */
  readonly refreshed_at: Date | null;
  /** The end of the sign-in. */
  readonly ended_at: Date | null;
}

/** In a later statement than the lock, to see the uses and ends that the lock waited for. */
export function readRefreshToken(
  { sql }: Tx,
  { account_id, code_id, token_id }: UsedToken,
): Query<RefreshRow> {
  return sql<RefreshRow>`
    select t.refresh_expires_at, t.refreshed_at, f.ended_at
      from assistant_tokens t join assistant_tokens f using (account_id, code_id)
     where t.account_id = ${account_id} and t.code_id = ${code_id} and t.token_id = ${token_id}
       and f.refreshed_from is null`;
}

export async function noteFirstUse(
  { sql }: Tx,
  { account_id, code_id, token_id }: UsedToken,
  now: Date,
): Promise<void> {
  await sql`
    update assistant_tokens set refreshed_at = ${now}
     where account_id = ${account_id} and code_id = ${code_id} and token_id = ${token_id}`;
}

/**
 * Stores a pair.
 *
 * @param refreshedFrom The pair whose refresh token was used; null for the first pair of a code.
 * @returns null if the code has given its first pair.
 */
export async function insertPair(
  { sql }: Tx,
  { account_id, code_id, until }: SignIn,
  refreshedFrom: string | null,
  now: Date,
): Promise<TokenPair | null> {
  const access = newSecret("prs_o_");
  const refresh = newSecret("prs_r_");
  const accessExpiresAt = endOf(ACCESS_LIFETIME_MS, until, now);
  const inserted = await sql`
    insert into assistant_tokens (account_id, token_id, code_id, refreshed_from, access_digest,
                                  refresh_digest, created_at, access_expires_at,
                                  refresh_expires_at)
    values (${account_id}, ${newId(now)}, ${code_id}, ${refreshedFrom}, ${sha256(access)},
            ${sha256(refresh)}, ${now}, ${accessExpiresAt},
            ${endOf(REFRESH_LIFETIME_MS, until, now)})
    on conflict (account_id, code_id) where refreshed_from is null do nothing
    returning 1`;
  return inserted.length === 0 ? null : { access, refresh, accessExpiresAt };
}

function endOf(lifetimeMs: number, until: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + lifetimeMs, until.getTime()));
}

/** Ends all pairs of a code, however many there are. Returns false if they had ended. */
export async function endSignIn(
  { sql }: Tx,
  { account_id, code_id }: SignIn,
  now: Date,
): Promise<boolean> {
  const ended = await sql`
    update assistant_tokens set ended_at = ${now}
     where account_id = ${account_id} and code_id = ${code_id} and refreshed_from is null
       and ended_at is null
    returning 1`;
  return ended.length > 0;
}

/** Ends the oldest sign-ins of an assistant beyond the limit, except the given one. */
export async function endSurplusSignIns(
  { sql }: Tx,
  { account_id, assistant_id, code_id }: SignIn,
  now: Date,
): Promise<void> {
  await sql`
    update assistant_tokens set ended_at = ${now}
     where account_id = ${account_id} and refreshed_from is null and ended_at is null
       and code_id in (
       select c.code_id from assistant_codes c
        where c.account_id = ${account_id} and c.assistant_id = ${assistant_id}
          and c.code_id <> ${code_id} and ${isLiveSignIn(sql, now)}
        order by c.code_id desc offset ${MAX_SIGN_INS - 1})`;
}
