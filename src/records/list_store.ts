/**
 * SQL of the list route: a keyset walk over an index.
 *
 * `-createdAt` and `createdAt` walk by record id, `-updatedAt` and `updatedAt` by the newest
 * revision's id. Identifiers begin with their time, so the page cursor is an identifier too.
 */

import type { CatalogModule } from "../catalog/module.ts";
import { firstIdAt } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import { readWalk, type Walk, type Walked } from "../database/walk.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import type { Filter, ListQuery, MomentRange, RecordListQuery } from "./list_query.ts";
import type { RecordRow } from "./record.ts";
import { longRecordColumns, shortRecordColumns } from "./record_store.ts";

/** @throws ServiceError `PAYLOAD_INVALID` for a cursor of another owner or module. */
export async function readList(
  sql: Sql,
  owner: string,
  module: CatalogModule,
  query: ListQuery,
): Promise<Walked<RecordRow>> {
  const known = query.cursor === null
    ? null
    : cursorStatement(sql, owner, module, query, query.cursor);
  const walked = await readWalk<RecordRow>(
    sql,
    createWalk(sql, owner, module, query, known),
    {
      columns: shortRecordColumns(sql),
      long: longRecordColumns(sql),
      conditions: listConditions(sql, query),
      limit: query.limit,
    },
  );
  // No rows follow an unknown cursor, so check it only if the page is empty.
  if (walked.rows.length === 0 && known !== null && (await known).length === 0) {
    throw payloadInvalid(["cursor.unknown"], ["cursor"]);
  }
  return walked;
}

/**
 * Creates the walk of a list. After an unknown cursor, for which `known` selects nothing, there is
 * no row.
 *
 * The module is part of order and bounds, without an equality condition: in a plan made while the
 * table had only this module's records, the primary key would look as good, and would later read
 * all records of modules that grew.
 */
export function createWalk(
  sql: Sql,
  owner: string,
  module: CatalogModule,
  query: ListQuery,
  known: Query<object> | null,
): Walk {
  const { isDescending } = query;
  const key = query.sortBy === "createdAt" ? sql`record_id` : sql`revision_id`;
  const order = isDescending
    ? sql`order by module_code desc, ${key} desc`
    : sql`order by module_code, ${key}`;
  const { lower, upper } = walkBounds(sql, sql`(module_code, ${key})`, module.code, query);
  const exists = known === null ? sql`` : sql`and exists (${known})`;
  const branch = (columns: Query<object>, live: boolean, limit: number) =>
    sql`
      select ${columns} from records
       where owner_id = ${owner} and ${lower} and ${upper}
         and ${live ? sql`archived_at is null` : sql`archived_at is not null`} ${exists}
       ${order} limit ${limit}`;
  return {
    key,
    order,
    ordered: sql`module_code, ${key}`,
    rows: (columns, limit) =>
      query.archived === "include"
        // Merges two ordered walks of one index.
        ? sql`
          (${branch(columns, true, limit)}) union all (${branch(columns, false, limit)})
          ${order} limit ${limit}`
        : branch(columns, query.archived === "exclude", limit),
  };
}

/**
 * Returns each end of the walk as one condition: a scan starts at only one of several bounds of a
 * side, and would step over all rows between it and the closest.
 */
function walkBounds(
  sql: Sql,
  place: Query<object>,
  module: string,
  { isDescending, sortBy, cursor, created, updated }: ListQuery,
): { lower: Query<object>; upper: Query<object> } {
  const { from, to } = sortBy === "createdAt" ? created : updated;
  const lowest = from === undefined ? null : firstIdAt(from);
  const end = to === undefined ? null : firstIdAt(to);
  const isBeyond = cursor !== null && (lowest === null || cursor >= lowest);
  const isBefore = cursor !== null && (end === null || cursor < end);
  const at = (id: string) => sql`(${module}, ${id})`;
  return {
    lower: !isDescending && isBeyond
      ? sql`${place} > ${at(cursor)}`
      : lowest === null
      ? sql`module_code >= ${module}`
      : sql`${place} >= ${at(lowest)}`,
    upper: isDescending && isBefore
      ? sql`${place} < ${at(cursor)}`
      : end === null
      ? sql`module_code <= ${module}`
      : sql`${place} < ${at(end)}`,
  };
}

/** Finds the cursor, whether or not its record still matches. */
export function cursorStatement(
  sql: Sql,
  owner: string,
  module: CatalogModule,
  { sortBy }: ListQuery,
  cursor: string,
): Query<object> {
  return sortBy === "createdAt"
    ? sql`
      select 1 from records
       where owner_id = ${owner} and record_id = ${cursor} and module_code = ${module.code}`
    : sql`
      select 1 from record_revisions
       where owner_id = ${owner} and revision_id = ${cursor} and module_code = ${module.code}`;
}

type Conditions =
  & Pick<RecordListQuery, "sortBy" | "created" | "updated" | "filters">
  & Pick<ListQuery, "condition">;

/** The conditions on a list's rows, each after `and`; null without any. */
export function listConditions(
  sql: Sql,
  { sortBy, created, updated, filters, condition }: Conditions,
): Query<object> | null {
  // The range of the time that orders the walk bounds it.
  const ranges = [
    ...sortBy === "createdAt" ? [] : keyRange(sql, sql`record_id`, created),
    ...sortBy === "updatedAt" ? [] : keyRange(sql, sql`revision_id`, updated),
  ];
  const all = [
    ...ranges,
    ...condition === undefined ? [] : [condition(sql)],
    ...filterConditions(sql, filters),
  ];
  return all.length === 0 ? null : all.reduce((some, one) => sql`${some} ${one}`);
}

/** Conditions on a `payload`, each of which begins with `and`. */
export function filterConditions(sql: Sql, filters: readonly Filter[]): Query<object>[] {
  return filters.toSorted(byKind).map((filter) => sql`and ${filterCondition(sql, filter)}`);
}

function keyRange(sql: Sql, key: Query<object>, { from, to }: MomentRange): Query<object>[] {
  return [
    ...from === undefined ? [] : [sql`and ${key} >= ${firstIdAt(from)}`],
    ...to === undefined ? [] : [sql`and ${key} < ${firstIdAt(to)}`],
  ];
}

/**
 * Sorts conditions in a fixed order, so that queries that differ only in order share a statement.
 */
function byKind(one: Filter, other: Filter): number {
  return kindOf(one).localeCompare(kindOf(other));
}

/** Filters of one kind have the same SQL. */
function kindOf({ edit, comparison }: Filter): string {
  return ["tags", "number", "datetime"].includes(edit) ? `${edit} ${comparison}` : "equal";
}

function filterCondition(sql: Sql, filter: Filter): Query<object> {
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
      // UTC with fixed width: byte order is order in time.
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
