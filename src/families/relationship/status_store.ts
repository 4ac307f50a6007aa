/** Stored status events (REL-002): one per revision that moves the status. */

import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import type { Status } from "./person.ts";
import { timelineEntry } from "./timeline_store.ts";

export interface StatusEventRow {
  readonly event_id: string;
  readonly person_id: string;
  readonly person_revision: number;
  readonly from_status: Status;
  readonly to_status: Status;
  readonly reason: string | null;
  readonly recorded_at: Date;
}

/** CTEs of an event and its timeline entry, conditional on the claim. */
export function statusEventEntries(sql: Sql, owner: string, row: StatusEventRow): Query<object> {
  return sql`
    status_event as (
      insert into person_status_events (owner_id, event_id, person_id, person_revision, from_status,
                                        to_status, reason, recorded_at)
      select ${owner}, ${row.event_id}, ${row.person_id}, ${row.person_revision}::integer,
             ${row.from_status}, ${row.to_status}, ${row.reason}, ${row.recorded_at}::timestamptz
        from claim where verdict = 'GO'
    ),
    ${timelineEntry(sql, owner, "STATUS_CHANGED", row.event_id, row)}`;
}

export function findStatusEvent(
  sql: Sql,
  owner: string,
  personId: string,
  eventId: string,
): Query<object> {
  return sql`
    select 1 from person_status_events
     where owner_id = ${owner} and person_id = ${personId} and event_id = ${eventId}`;
}

/** Newest first. */
export async function readStatusEvents(
  sql: Sql,
  owner: string,
  personId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<StatusEventRow>> {
  // The cursor is an identifier, but the order is by revision.
  const after = cursor === null ? sql`` : sql`
    and person_revision < (
      select person_revision from person_status_events
       where owner_id = ${owner} and person_id = ${personId} and event_id = ${cursor})`;
  return await readRows<StatusEventRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from person_status_events
         where owner_id = ${owner} and person_id = ${personId}
           ${after}
         order by person_revision desc limit ${limit}`,
    {
      columns: sql`event_id, person_id, person_revision, from_status, to_status, reason,
        recorded_at`,
      long: null,
      limit,
    },
  );
}
