/** Stored timelines (REL-007): one row per shown entry of other ledgers. */

import { newId } from "../../core/ids.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";

export const TIMELINE_KINDS = [
  "CONTACT_RECORDED",
  "CONTACT_RETRACTED",
  "EXPERIENCE_RECORDED",
  "STATUS_CHANGED",
  "EVALUATION_CONFIRMED",
] as const;

/** Contains no text. */
export interface TimelineRow {
  readonly entry_id: string;
  readonly person_id: string;
  readonly kind: (typeof TIMELINE_KINDS)[number];
  /** A contact, experience, status event or evaluation. */
  readonly source_id: string;
  /** Null if the source has no time of its own. */
  readonly occurred_at: Date | null;
  readonly recorded_at: Date;
}

type TimelineSource =
  & Pick<TimelineRow, "person_id" | "recorded_at">
  & Partial<Pick<TimelineRow, "occurred_at">>;

/** CTE of a line about a new row of another ledger, conditional on the claim. */
export function timelineEntry(
  sql: Sql,
  owner: string,
  kind: TimelineRow["kind"],
  source_id: string,
  { person_id, occurred_at = null, recorded_at }: TimelineSource,
): Query<object> {
  return sql`
    timeline_entry as (
      insert into person_timeline_entries (owner_id, entry_id, person_id, kind, source_id,
                                           occurred_at, recorded_at)
      select ${owner}, ${newId(recorded_at)}, ${person_id}, ${kind}, ${source_id},
             ${occurred_at}::timestamptz, ${recorded_at}::timestamptz
        from claim where verdict = 'GO'
    )`;
}

export function findTimelineEntry(
  sql: Sql,
  owner: string,
  personId: string,
  entryId: string,
): Query<TimelineRow> {
  return sql<TimelineRow>`
    select ${columns(sql)} from person_timeline_entries
     where owner_id = ${owner} and person_id = ${personId} and entry_id = ${entryId}`;
}

/** Reads lines by the time of their sources, or else of their record; newest first. */
export async function readTimeline(
  sql: Sql,
  owner: string,
  personId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<TimelineRow>> {
  const after = cursor === null ? sql`` : sql`
    and (coalesce(occurred_at, recorded_at), entry_id) < (
      select coalesce(occurred_at, recorded_at), entry_id from person_timeline_entries
       where owner_id = ${owner} and person_id = ${personId} and entry_id = ${cursor})`;
  return await readRows<TimelineRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from person_timeline_entries
         where owner_id = ${owner} and person_id = ${personId} ${after}
         order by coalesce(occurred_at, recorded_at) desc, entry_id desc limit ${limit}`,
    { columns: columns(sql), long: null, limit },
  );
}

function columns(sql: Sql): Query<object> {
  return sql`entry_id, person_id, kind, source_id, occurred_at, recorded_at`;
}
