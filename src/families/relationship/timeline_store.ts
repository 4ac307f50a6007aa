/** Stored timelines (REL-007): one row per shown entry of other ledgers. */

import { newId } from "../../core/ids.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import { orNull, type RowOf, shortColumns } from "../../kit/columns.ts";
import { choice, clocks, id, stamp, time } from "../../kit/kinds.ts";
import { addedRow, addedRows } from "../../kit/stored_ledger.ts";

const KINDS = [
  "CONTACT_RECORDED",
  "CONTACT_RETRACTED",
  "EXPERIENCE_RECORDED",
  "STATUS_CHANGED",
  "EVALUATION_CONFIRMED",
] as const;

const TIMELINE = "person_timeline_entries";

/** Contains no text. */
export const TIMELINE_ENTRY = {
  entry_id: id,
  person_id: id,
  kind: choice(KINDS),
  /** A contact, experience, status event or evaluation. */
  source_id: id,
  /** Null if the source has no time of its own. */
  occurred_at: orNull(time),
  clocks,
  recorded_at: stamp,
};

export type TimelineRow = RowOf<typeof TIMELINE_ENTRY>;

type TimelineSource =
  & Pick<TimelineRow, "person_id" | "recorded_at">
  & Partial<Pick<TimelineRow, "occurred_at" | "clocks">>;

/** The line about a new row of another ledger. */
export function timelineRow(
  kind: TimelineRow["kind"],
  source_id: string,
  { person_id, occurred_at = null, clocks = null, recorded_at }: TimelineSource,
): TimelineRow {
  const entry_id = newId(recorded_at);
  return { entry_id, person_id, kind, source_id, occurred_at, clocks, recorded_at };
}

/** CTE of `timelineRow`, conditional on the claim. */
export function timelineEntry(
  sql: Sql,
  owner: string,
  ...line: Parameters<typeof timelineRow>
): Query<object> {
  return addedRow(sql, TIMELINE, TIMELINE_ENTRY, owner, timelineRow(...line));
}

/** CTE of lines, conditional on the claim. */
export function timelineEntries(
  sql: Sql,
  owner: string,
  lines: readonly TimelineRow[],
): Query<object> {
  return addedRows(sql, TIMELINE, TIMELINE_ENTRY, owner, lines);
}

export function findTimelineEntry(
  sql: Sql,
  owner: string,
  personId: string,
  entryId: string,
): Query<TimelineRow> {
  return sql<TimelineRow>`
    select ${shortColumns(sql, TIMELINE_ENTRY)} from person_timeline_entries
     where owner_id = ${owner} and person_id = ${personId} and entry_id = ${entryId}`;
}

/** Newest first, by the time of the source, or of the record if the source has none. */
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
    { columns: shortColumns(sql, TIMELINE_ENTRY), long: null, limit },
  );
}
