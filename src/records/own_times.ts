/**
 * Reads the live records of a module that a reader may see, in the order of their own times, along
 * `record_order_by_time` or, for one kind, `record_order_by_kind`.
 */

import type { Query, Sql } from "../database/sql.ts";
import type { JsonValue } from "../core/json.ts";
import type { Filter } from "./list_query.ts";
import { filterConditions } from "./list_store.ts";
import { visibleGuards } from "./order_walk.ts";
import type { Permissions } from "./record.ts";

export interface OwnTimeRange {
  readonly owner: string;
  readonly moduleCode: string;
  readonly permissions: Permissions;
  /** Only records whose own time lies from here… */
  readonly from: Date;
  /** …up to, but not including, here. */
  readonly to: Date;
  /** Only records of this kind (a `metricType`, a `timePrecision`); by default all. */
  readonly kind?: string;
}

/** A record that has an own time. */
export interface OwnTimeRow {
  readonly record_id: string;
  readonly own_time: Date;
  /** The local date of the time, `YYYY-MM-DD`; null if the time has no clock. */
  readonly own_day: string | null;
  readonly kind: string | null;
}

/** Further columns, from a left join: null if it finds no row. */
export interface JoinedColumns {
  readonly columns: Query<object>;
  /** Selects the row that belongs to a record's identifier, with `offset 0`. */
  readonly row: (recordId: Query<object>) => Query<object>;
}

/** Columns of {@linkcode payloadColumns}. */
export interface PayloadRow {
  /** The values of the fields in order, null for absent ones; null if the record does not match. */
  readonly fields: readonly JsonValue[] | null;
  /** JSON text of `Clocks`; null without any. */
  readonly clocks: string | null;
}

/** @param last The row after which to begin; null at the beginning. */
export function ownTimes<More extends object>(
  sql: Sql,
  range: OwnTimeRange,
  last: OwnTimeRow | null,
  limit: number,
  more: JoinedColumns | null = null,
): Query<OwnTimeRow & More> {
  const order = sql`order by own_time, record_id limit ${limit}`;
  const rows = visibleGuards(range)
    .map((guard) => sql`select * from (${branch(sql, range, guard, last)} ${order}) visible`)
    .reduce((all, one) => sql`${all} union all ${one}`);
  const columns = more === null ? sql`` : sql`, ${more.columns}`;
  const joined = more === null
    ? sql``
    : sql`left join lateral (${more.row(sql`place.record_id`)}) joined on true`;
  return sql<OwnTimeRow & More>`
    select place.record_id, place.own_time, place.own_day::text as own_day, place.kind ${columns}
      from (${rows} ${order}) place ${joined}
     order by place.own_time, place.record_id`;
}

/** Selects those of the modules that have a record whose own time lies within. */
export function modulesWithin(
  sql: Sql,
  { owner, permissions, moduleCodes, from, to }: Omit<OwnTimeRange, "moduleCode" | "kind"> & {
    readonly moduleCodes: readonly string[];
  },
): Query<{ readonly module_code: string }> {
  const places = moduleCodes.flatMap((moduleCode) =>
    visibleGuards({ moduleCode, permissions }).map((guard) => ({ moduleCode, guard }))
  );
  return sql<{ readonly module_code: string }>`
    select distinct place."moduleCode" as module_code
      from json_to_recordset(${JSON.stringify(places)}::text::json)
             as place ("moduleCode" text, guard text)
           cross join lateral (
             select 1 from record_order
              where module_code = place."moduleCode" and owner_id = ${owner}
                and guard = place.guard and not is_archived
                and own_time >= ${from} and own_time < ${to} limit 1) found`;
}

/** The records with one guard. */
function branch(
  sql: Sql,
  { owner, moduleCode, from, to, kind }: OwnTimeRange,
  guard: string,
  last: OwnTimeRow | null,
): Query<object> {
  const begin = last === null
    ? sql`own_time >= ${from}`
    : sql`(own_time, record_id) > (${last.own_time}::timestamptz, ${last.record_id}::text)`;
  return sql`
    select record_id, own_time, own_day, kind from record_order
     where module_code = ${moduleCode} and owner_id = ${owner} and guard = ${guard}
       and not is_archived ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
       and ${begin} and own_time < ${to}`;
}

/**
 * Joins values of the payload.
 *
 * @param filters Conditions on the payload, for equality; all must hold.
 */
export function payloadColumns(
  sql: Sql,
  owner: string,
  fields: readonly string[],
  filters: readonly Filter[] = [],
): JoinedColumns {
  const values = fields.map((field, index) =>
    sql`${index > 0 ? sql`,` : sql``} payload -> ${field}`
  )
    .reduce((all, one) => sql`${all} ${one}`, sql``);
  const conditions = filterConditions(sql, filters)
    .reduce((all, one) => sql`${all} ${one}`, sql``);
  return {
    columns: sql`joined.fields, joined.clocks`,
    row: (recordId) =>
      sql`
        select json_build_array(${values}) as fields, clocks::text as clocks
          from (select payload, clocks from records
                 where owner_id = ${owner} and record_id = ${recordId} offset 0) stored
         where true ${conditions}`,
  };
}
