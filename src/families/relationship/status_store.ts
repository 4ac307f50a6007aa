/** Stored status events (REL-002): one per revision that moves the status. */

import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import { namesOf, orNull, type RowOf } from "../../kit/columns.ts";
import { choice, id, revision, shortText, stamp } from "../../kit/kinds.ts";
import { addedRow } from "../../kit/stored_ledger.ts";
import { STATUSES } from "./person.ts";
import { timelineEntry } from "./timeline_store.ts";

export const STATUS_MOVE = {
  event_id: id,
  person_id: id,
  from_status: choice(STATUSES),
  to_status: choice(STATUSES),
  reason: orNull(shortText()),
};

const STATUS_EVENT = { ...STATUS_MOVE, person_revision: revision, recorded_at: stamp };

export type StatusEventRow = RowOf<typeof STATUS_EVENT>;

/** CTEs of an event and its timeline entry, conditional on the claim. */
export function statusEventEntries(sql: Sql, owner: string, row: StatusEventRow): Query<object> {
  return sql`
    ${addedRow(sql, "person_status_events", STATUS_EVENT, owner, row)},
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
    { columns: namesOf(sql, STATUS_EVENT), long: null, limit },
  );
}
