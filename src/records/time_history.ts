/** How a time of records changed, from their revisions, which are numbered without gaps. */

import type { Query, Sql } from "../database/sql.ts";

/** The number of revisions since an instant that are read of one record. */
export const MAX_LATER_REVISIONS = 400;

export interface TimeHistory {
  readonly owner: string;
  readonly recordIds: readonly string[];
  /** A time in the payload. */
  readonly field: string;
  readonly since: Date;
  /** The end at which reading begins; matters only beyond `MAX_LATER_REVISIONS`. */
  readonly end: "newest" | "oldest";
}

export interface TimeRevision {
  readonly record_id: string;
  /** In UTC; null if the record had none. */
  readonly time: string | null;
  readonly clock: string | null;
  /** The number of the record's revisions since the instant. */
  readonly later: number;
}

/**
 * Selects, by record and revision, up to 400 revisions since the instant, and the one before them.
 */
export function timeHistory(
  sql: Sql,
  { owner, recordIds, field, since, end }: TimeHistory,
): Query<TimeRevision> {
  const isOf = sql`owner_id = ${owner} and record_id = wanted.record_id`;
  const [first, last] = end === "newest"
    ? [
      sql`greatest(before.revision, newest.revision - ${MAX_LATER_REVISIONS}::integer)`,
      sql`newest.revision`,
    ]
    : [sql`before.revision`, sql`before.revision + ${MAX_LATER_REVISIONS}::integer`];
  return sql<TimeRevision>`
    select wanted.record_id, history.time, history.clock, newest.revision - before.revision as later
      from unnest(string_to_array(${recordIds.join(" ")}, ' ')) wanted (record_id)
     cross join lateral (select revision from records where ${isOf} offset 0) newest
     cross join lateral (${lastBefore(sql, isOf, since)}) before
     cross join lateral (
       select revision, payload ->> ${field} as time, clocks ->> ${field} as clock
         from record_revisions
        where ${isOf} and revision between ${first} and ${last} offset 0) history
     order by wanted.record_id, history.revision`;
}

/**
 * Searches for the last revision before an instant by halving, because no index orders the
 * revisions of a record by their times. 0 if there is none.
 */
function lastBefore(sql: Sql, isOf: Query<object>, since: Date): Query<object> {
  const isBefore = sql`middle.created_at < ${since}`;
  return sql`
    with recursive bounds (low, high) as (
      select 0, newest.revision + 1
      union all
      select case when ${isBefore} then middle.revision else low end,
             case when ${isBefore} then high else middle.revision end
        from bounds cross join lateral (
          select revision, created_at from record_revisions
           where ${isOf} and revision = (low + high) / 2 offset 0) middle
       where high - low > 1)
    select max(low) as revision from bounds`;
}
