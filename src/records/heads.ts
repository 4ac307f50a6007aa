import type { Query, Sql } from "../database/sql.ts";

export interface RecordState {
  readonly record_id: string;
  readonly revision: number;
  readonly archived_at: Date | null;
}

/** The states of an owner's records, in any module. */
export function findRecordStates(
  sql: Sql,
  owner: string,
  recordIds: readonly string[],
): Query<RecordState> {
  return sql<RecordState>`
    select r.* from unnest(string_to_array(${
    [...new Set(recordIds)].join(" ")
  }, ' ')) as wanted (record_id)
     cross join lateral (
       select r.record_id, r.revision, r.archived_at from records r
        where r.owner_id = ${owner} and r.record_id = wanted.record_id offset 0) r`;
}
