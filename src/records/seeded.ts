/** Reads that seeding makes before it writes. */

import type { Sql } from "../database/sql.ts";

/** True if the owner has any record, including archived and typed ones. */
export async function hasRecords(sql: Sql, owner: string): Promise<boolean> {
  return (await sql`select 1 from records where owner_id = ${owner} limit 1`).length > 0;
}

/** An owner's seeded records of a module, by original title. */
export async function listSeeded(
  sql: Sql,
  owner: string,
  moduleCode: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ title: string; record_id: string }>`
    select v.title, r.record_id from records r join record_revisions v using (owner_id, record_id)
     where r.owner_id = ${owner} and r.module_code = ${moduleCode} and r.source_type = 'SEED'
       and v.revision = 1`;
  return new Map(rows.map(({ title, record_id }) => [title, record_id]));
}
