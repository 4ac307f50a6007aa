/** What a seeding routine asks of records before it writes. */

import type { Sql } from "../database/sql.ts";

/** Whether an owner has any record, archived or not, typed or not. */
export async function hasRecords(sql: Sql, owner: string): Promise<boolean> {
  return (await sql`select 1 from records where owner_id = ${owner} limit 1`).length > 0;
}

/** The titles under which an owner's seeded records of a module were made, whatever became of them. */
export async function listSeededTitles(
  sql: Sql,
  owner: string,
  moduleCode: string,
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ title: string }>`
    select v.title from records r join record_revisions v using (owner_id, record_id)
     where r.owner_id = ${owner} and r.module_code = ${moduleCode} and r.source_type = 'SEED'
       and v.revision = 1`;
  return new Set(rows.map(({ title }) => title));
}
