/** Due records, by the index `records_due`; `record_due_at` in `sql/` computes the time of each. */

import type { Query, Sql } from "../database/sql.ts";
import type { DuePart, DueRow, OverdueCount } from "../kit/due.ts";

/**
 * Reads the records of a module that are neither archived nor guarded, with the time at which they
 * are due.
 *
 * The module is part of the bounds, as in `list_store.ts`.
 */
export function findDueRecords(
  sql: Sql,
  owner: string,
  module: string,
  { from, until, after, limit }: DuePart,
): Query<DueRow> {
  const due = sql`record_due_at(module_code, payload) collate "C"`;
  const first = from?.toISOString() ?? "";
  const start = after === null
    ? sql`(module_code, ${due}) >= (${module}, ${first})`
    : sql`(module_code, ${due}, record_id) > (${module}, ${first}, ${after.recordId})`;
  return sql<DueRow>`
    select record_id, null as source_id, title, null as what, null as label,
           null::integer as years, ${due} as due,
           revision - 1 as sequence,
           updated_at as changed_at, false as is_secret
      from records
     where owner_id = ${owner} and ${start}
       and (module_code, ${due}) < (${module}, ${until.toISOString()})
       and archived_at is null and guard is null
       and record_due_at(module_code, payload) is not null
     order by module_code, ${due}, record_id limit ${limit}`;
}

/** Counts the first `limit` records of a module that are due before `moment`. */
export async function countOverdueRecords(
  sql: Sql,
  owner: string,
  module: string,
  moment: Date,
  limit: number,
): Promise<OverdueCount> {
  const first = (count: number) =>
    findDueRecords(sql, owner, module, { from: null, until: moment, after: null, limit: count });
  const [count] = await sql<OverdueCount>`
    select count(*)::integer as overdue, count(*)::integer as examined,
           (select due from (${first(1)}) oldest) as oldest
      from (${first(limit)}) counted`;
  return count as OverdueCount;
}
