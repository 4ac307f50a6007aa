import type { Query, Sql } from "../database/sql.ts";

/** How far a record has come. */
export interface RecordState {
  readonly record_id: string;
  readonly revision: number;
  readonly archived_at: Date | null;
}

/** The states of some of an owner's records, whatever their modules. */
export function findRecordStates(
  sql: Sql,
  owner: string,
  recordIds: readonly string[],
): Query<RecordState> {
  return sql<RecordState>`
    select record_id, revision, archived_at from records
     where owner_id = ${owner}
       and record_id in (select json_array_elements_text(${
    JSON.stringify(recordIds)
  }::text::json))`;
}
