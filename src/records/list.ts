/**
 * The list route: a keyset walk over an index.
 *
 * `-createdAt` and `createdAt` walk in the order of record ids, `-updatedAt` and `updatedAt` in that
 * of the newest revisions' ids: an identifier's first part is its time, so the page cursor is an
 * identifier too. A page without filters reads `limit + 1` rows of the walk. A page with filters
 * examines at most `FILTERED_PAGE_BUDGET` rows of it, and may then be short without being the last.
 */

import type { CatalogModule } from "../catalog/module.ts";
import { firstIdAt } from "../core/ids.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import type { Page } from "../http/reply.ts";
import { type Filter, FILTERED_PAGE_BUDGET, type ListQuery, type TimeRange } from "./list_query.ts";
import { type PublicRecord, type RecordRow, toPublicRecord } from "./record.ts";
import { recordColumns } from "./store.ts";

/**
 * Reads one page of an owner's records in a module.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for a cursor that is not one of this owner's and module's.
 */
export async function listRecords(
  database: Database,
  owner: string,
  module: CatalogModule,
  query: ListQuery,
): Promise<Page<PublicRecord>> {
  return await database.read(async (sql) => {
    const walk = createWalk(sql, owner, module, query);
    const [known, { rows, examined }] = await Promise.all([
      isKnownCursor(sql, owner, module, query),
      isFiltered(query) ? readFiltered(sql, walk, query) : readUnfiltered(sql, walk, query),
    ]);
    if (!known) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const more = rows.length > query.limit && last !== undefined;
    return { items: page.map(toPublicRecord), nextCursor: more ? keyOf(last, query) : examined };
  });
}

/** The walk: which rows, in which order, before any filter on their content. */
interface Walk {
  readonly key: Query<object>;
  readonly order: Query<object>;
  /** At most `limit` rows with the given columns. */
  readonly rows: (columns: Query<object>, limit: number) => Query<object>;
}

function createWalk(sql: Sql, owner: string, module: CatalogModule, query: ListQuery): Walk {
  const key = query.sortBy === "createdAt" ? sql`record_id` : sql`revision_id`;
  const order = query.newestFirst ? sql`order by ${key} desc` : sql`order by ${key}`;
  const range = keyRange(sql, key, query.sortBy === "createdAt" ? query.created : query.updated);
  const after = query.cursor === null
    ? sql``
    : query.newestFirst
    ? sql`and ${key} < ${query.cursor}`
    : sql`and ${key} > ${query.cursor}`;
  const branch = (columns: Query<object>, live: boolean, limit: number) =>
    sql`
      select ${columns} from records
       where owner_id = ${owner} and module_code = ${module.code}
         and ${live ? sql`archived_at is null` : sql`archived_at is not null`} ${range} ${after}
       ${order} limit ${limit}`;
  return {
    key,
    order,
    rows: (columns, limit) =>
      query.archived === "include"
        // Two walks of one index, each in order, merged.
        ? sql`
          (${branch(columns, true, limit)}) union all (${branch(columns, false, limit)})
          ${order} limit ${limit}`
        : branch(columns, query.archived === "exclude", limit),
  };
}

function keyRange(sql: Sql, key: Query<object>, range: TimeRange): Query<object> {
  const from = range.from === undefined ? sql`` : sql`and ${key} >= ${firstIdAt(range.from)}`;
  const to = range.to === undefined ? sql`` : sql`and ${key} < ${firstIdAt(range.to)}`;
  return sql`${from} ${to}`;
}

/** One row more than the page holds, where there are so many. */
interface Walked {
  readonly rows: readonly RecordRow[];
  /** The last row that a short filtered page examined; null where the walk ended before it. */
  readonly examined: string | null;
}

async function readUnfiltered(sql: Sql, walk: Walk, query: ListQuery): Promise<Walked> {
  const rows = await sql<RecordRow>`${walk.rows(recordColumns(sql), query.limit + 1)}`;
  return { rows, examined: null };
}

/**
 * Page and budget are read by one statement: between two, an archived record could move the budget's
 * end, and the rows that it moved over would never be examined.
 */
async function readFiltered(sql: Sql, walk: Walk, query: ListQuery): Promise<Walked> {
  const limit = query.limit + 1;
  const found = await sql<{ examined: string | null } & (RecordRow | { record_id: null })>`
    with page as materialized (
      select ${recordColumns(sql)} from (${walk.rows(sql`*`, FILTERED_PAGE_BUDGET)}) walk
       where true ${conditions(sql, query)} ${walk.order} limit ${limit}
    ),
    budget as materialized (
      select case when (select count(*) from page) < ${limit} then (
        select ${walk.key} from (${walk.rows(walk.key, FILTERED_PAGE_BUDGET)}) walk
         ${walk.order} offset ${FILTERED_PAGE_BUDGET - 1} limit 1
      ) end as examined
    )
    select budget.examined, page.* from budget left join page on true ${walk.order}`;
  const rows = found.filter((row) => row.record_id !== null);
  return { rows, examined: found[0]?.examined ?? null };
}

function keyOf(row: Pick<RecordRow, "record_id" | "revision_id">, query: ListQuery): string {
  return query.sortBy === "createdAt" ? row.record_id : row.revision_id;
}

/** A cursor is an identifier that was handed out, whether or not its record still matches. */
async function isKnownCursor(
  sql: Sql,
  owner: string,
  module: CatalogModule,
  query: ListQuery,
): Promise<boolean> {
  if (query.cursor === null) return true;
  const found = query.sortBy === "createdAt"
    ? await sql`
      select 1 from records
       where owner_id = ${owner} and record_id = ${query.cursor} and module_code = ${module.code}`
    : await sql`
      select 1 from record_revisions
       where owner_id = ${owner} and revision_id = ${query.cursor} and module_code = ${module.code}`;
  return found.length > 0;
}

function isFiltered(query: ListQuery): boolean {
  return query.filters.length > 0 || Object.keys(crossRange(query)).length > 0;
}

/** The range on the time that the walk is not ordered by. */
function crossRange(query: ListQuery): TimeRange {
  return query.sortBy === "createdAt" ? query.updated : query.created;
}

function conditions(sql: Sql, query: ListQuery): Query<object> {
  const otherKey = query.sortBy === "createdAt" ? sql`revision_id` : sql`record_id`;
  return query.filters.reduce<Query<object>>(
    (all, filter) => sql`${all} and ${condition(sql, filter)}`,
    keyRange(sql, otherKey, crossRange(query)),
  );
}

function condition(sql: Sql, filter: Filter): Query<object> {
  const { field, value } = filter;
  switch (filter.edit) {
    case "tags":
      return sql`case when json_typeof(payload -> ${field}) = 'array' then exists (
        select from json_array_elements_text(payload -> ${field}) tag where tag = ${value}) end`;
    case "number": {
      const number = sql`case when json_typeof(payload -> ${field}) = 'number'
        then (payload ->> ${field})::numeric end`;
      return compare(sql, filter, number, sql`${value}::numeric`);
    }
    case "datetime":
      // Stored as UTC with fixed width, so byte order is the order in time.
      return compare(sql, filter, sql`(payload ->> ${field}) collate "C"`, sql`${value}`);
    default:
      return sql`payload ->> ${field} = ${value}`;
  }
}

function compare(
  sql: Sql,
  filter: Filter,
  stored: Query<object>,
  value: Query<object>,
): Query<object> {
  switch (filter.comparison) {
    case "gte":
      return sql`${stored} >= ${value}`;
    case "lte":
      return sql`${stored} <= ${value}`;
    case "equals":
      return sql`${stored} = ${value}`;
  }
}
