/** Progress of the search index in the database. */

import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { WORD_RULE } from "../records/search_index/lexemes.ts";

export interface Build {
  /** Last indexed record, by owner and identifier; null before the first. */
  readonly last: { readonly owner: string; readonly recordId: string } | null;
  readonly isComplete: boolean;
}

const BEGINNING: Build = { last: null, isComplete: false };

/** @throws ServiceError `HTTP_503` while the index is incomplete or of another release. */
export async function assertBuilt(sql: Sql): Promise<void> {
  const built = await sql`
    select 1 from search_index_build where rule = ${WORD_RULE}::smallint and is_complete`;
  if (built.length === 0) throw new ServiceError("HTTP_503");
}

interface BuildRow {
  readonly rule: number;
  readonly after_owner_id: string | null;
  readonly after_record_id: string | null;
  readonly is_complete: boolean;
}

/** Locks the build until the transaction ends. One with rules of another release starts again. */
export async function lockBuild(sql: Sql): Promise<Build> {
  const [row] = await sql<BuildRow>`
    select rule, after_owner_id, after_record_id, is_complete from search_index_build for update`;
  if (row?.rule !== WORD_RULE) return BEGINNING;
  const { after_owner_id: owner, after_record_id: recordId, is_complete: isComplete } = row;
  return { last: owner === null || recordId === null ? null : { owner, recordId }, isComplete };
}

export function keepBuild(sql: Sql, { last, isComplete }: Build): Query<object> {
  return sql`
    update search_index_build
       set rule = ${WORD_RULE}::smallint, after_owner_id = ${last?.owner ?? null},
           after_record_id = ${last?.recordId ?? null}, is_complete = ${isComplete}`;
}

/** Rebuilds the whole index, if the schema has one. */
export async function restartBuild(sql: Sql): Promise<void> {
  const [table] = await sql<{ exists: boolean }>`
    select to_regclass('search_index_build') is not null as exists`;
  if (table?.exists) await keepBuild(sql, BEGINNING);
}
