/** Taxonomy for other families. */

import type { Query, Sql } from "../../database/sql.ts";

interface RecordTag {
  readonly record_id: string;
  readonly name: string;
}

/** By name. */
export function findTagsOfRecords(
  sql: Sql,
  owner: string,
  recordIds: readonly string[],
): Query<RecordTag> {
  return sql<RecordTag>`
    select a.record_id, t.name
      from unnest(string_to_array(${recordIds.join(" ")}, ' ')) as wanted (record_id)
     cross join lateral (
       select a.record_id, a.term_id from taxonomy_assignments a
        where a.owner_id = ${owner} and a.record_id = wanted.record_id
          and a.removed_at is null offset 0) a
     cross join lateral (
       select t.name from taxonomy_terms t
        where t.owner_id = ${owner} and t.term_id = a.term_id and t.kind = 'TAG' offset 0) t
     order by a.record_id, t.name collate "C"`;
}
