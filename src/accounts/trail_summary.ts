/** Counts of an account's access events. */

import { firstIdAt } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { AccessEventName, EventCredentialKind } from "./events.ts";

export interface EventCount {
  readonly event: AccessEventName;
  readonly credentialKind: Exclude<EventCredentialKind, "SYSTEM"> | null;
  readonly count: number;
}

/** Equal events, and how many rows were examined: a row can report several. */
interface CountedEvents extends EventCount {
  readonly examined: number;
}

/** Counts the newest `limit` events after a time. */
export function countEvents(
  sql: Sql,
  accountId: string,
  since: Date,
  limit: number,
): Query<CountedEvents> {
  return sql<CountedEvents>`
    select event, credential_kind as "credentialKind", sum(coalesce(count, 1))::integer as count,
           count(*)::integer as examined
      from (select event, credential_kind, count from access_events
             where account_id = ${accountId} and event_id >= ${firstIdAt(since)}
               and created_at > ${since}
             order by event_id desc limit ${limit}) newest
     group by event, credential_kind order by event, credential_kind`;
}
