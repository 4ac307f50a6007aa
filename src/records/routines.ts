/** The live records of the module routine. */

import type { Query, Sql } from "../database/sql.ts";

/** Selects identifiers of routines after `last`, oldest first. */
export function routineIds(
  sql: Sql,
  owner: string,
  last: string | null,
  limit: number,
): Query<{ readonly record_id: string }> {
  // The module is part of the bounds, as in `list_store.ts`.
  return sql<{ readonly record_id: string }>`
    select record_id from records
     where owner_id = ${owner} and (module_code, record_id) > ('routine', ${last ?? ""})
       and module_code <= 'routine' and archived_at is null
     order by module_code, record_id limit ${limit}`;
}
