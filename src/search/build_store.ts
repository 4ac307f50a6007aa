/** Progress of the search index in the database. */

import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { IndexIncompleteError } from "../records/search_index/built.ts";
import { WORD_RULE } from "../records/search_index/lexemes.ts";

export interface Build {
  /** Last indexed record, by owner and identifier; null before the first. */
  readonly last: { readonly owner: string; readonly recordId: string } | null;
  readonly isComplete: boolean;
}

const BEGINNING: Build = { last: null, isComplete: false };

/**
 * The rule of release 2.0.0, whose processes read the columns `rule` and `is_complete`. Its words
 * suffice for an owner's search by NEWEST.
 */
const FORMER_RULE = 1;

/** @throws ServiceError `HTTP_503` while words are missing. */
export async function assertBuilt(sql: Sql): Promise<void> {
  const built = await sql`
    select 1 from search_index_build where rule = ${FORMER_RULE}::smallint and is_complete`;
  if (built.length === 0) throw new ServiceError("HTTP_503", { cause: new IndexIncompleteError() });
}

interface BuildRow {
  readonly order_rule: number;
  readonly order_after_owner_id: string | null;
  readonly order_after_record_id: string | null;
  readonly order_is_complete: boolean;
}

/** Locks the build until the transaction ends. One with rules of another release starts again. */
export async function lockBuild(sql: Sql): Promise<Build> {
  const [row] = await sql<BuildRow>`
    select order_rule, order_after_owner_id, order_after_record_id, order_is_complete
      from search_index_build for update`;
  if (row?.order_rule !== WORD_RULE) return BEGINNING;
  const { order_after_owner_id: owner, order_after_record_id: recordId } = row;
  const last = owner === null || recordId === null ? null : { owner, recordId };
  return { last, isComplete: row.order_is_complete };
}

export function keepBuild(sql: Sql, { last, isComplete }: Build): Query<object> {
  return sql`
    update search_index_build
       set order_rule = ${WORD_RULE}::smallint, order_after_owner_id = ${last?.owner ?? null},
           order_after_record_id = ${last?.recordId ?? null}, order_is_complete = ${isComplete},
           rule = ${FORMER_RULE}::smallint,
           is_complete = ${isComplete} or (is_complete and rule = ${FORMER_RULE}::smallint)`;
}

/** Rebuilds the whole index as far as the schema has it; a later step begins with its own part. */
export async function restartBuild(sql: Sql): Promise<void> {
  const columns = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = to_regclass('search_index_build')`;
  if (columns.length === 0) return;
  await sql`update search_index_build set is_complete = false`;
  if (columns.some(({ name }) => name === "order_rule")) await keepBuild(sql, BEGINNING);
}
