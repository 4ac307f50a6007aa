/** A source is an address and a client. */

import { firstIdAt } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";

const SIGN_INS = 1_000;

/**
 * Counts the sources since a time that the 1,000 earlier sign-ins did not use, without the current
 * session's.
 *
 * @param own The current session; null for a token.
 */
export function countNewSources(
  sql: Sql,
  accountId: string,
  since: Date,
  own: string | null,
): Query<{ readonly count: number }> {
  const first = firstIdAt(since);
  return sql<{ count: number }>`
    select count(*)::integer as count
      from (select address_digest, client
              from (select address_digest, client from sessions
                     where account_id = ${accountId} and session_id >= ${first}
                     order by session_id desc limit ${SIGN_INS}) recent
            except
            select address_digest, client
              from (select address_digest, client from sessions
                     where account_id = ${accountId} and session_id < ${first}
                     order by session_id desc limit ${SIGN_INS}) earlier
            except
            select address_digest, client from sessions
             where account_id = ${accountId} and session_id = ${own}) added`;
}

/**
 * Finds the newest earlier sign-in from the session's own source, so that a stranger's sign-in does
 * not hide it; otherwise the newest of all.
 *
 * @param own The current session; null for a token, which gets the newest sign-in.
 */
export function findPreviousSignIn(
  sql: Sql,
  accountId: string,
  own: string | null,
): Query<{ readonly at: Date }> {
  return sql<{ at: Date }>`
    select earlier.created_at as at
      from (select session_id, created_at, address_digest, client from sessions
             where account_id = ${accountId} ${own === null ? sql`` : sql`and session_id < ${own}`}
             order by session_id desc limit ${SIGN_INS}) earlier
      left join sessions asking
        on asking.account_id = ${accountId} and asking.session_id = ${own}
       and asking.address_digest is not distinct from earlier.address_digest
       and asking.client is not distinct from earlier.client
     order by asking.session_id is null, earlier.session_id desc limit 1`;
}
