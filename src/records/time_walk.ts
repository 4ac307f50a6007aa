import type { Query, Sql } from "../database/sql.ts";
import type { Walk } from "../database/walk.ts";
import type { MomentRange } from "./list_query.ts";
import { type OrderPosition, positionColumn } from "./order_walk.ts";

interface TimeOrder {
  readonly table: Query<object>;
  readonly id: Query<object>;
  readonly time: Query<object>;
  readonly owner: string;
  readonly isDescending: boolean;
  /** Only rows whose time lies within; by default all. */
  readonly range?: MomentRange;
  /** The walk begins after it; null at the beginning. */
  readonly after: OrderPosition | null;
}

/**
 * A walk over an owner's rows by a time of a family, along an index on owner, time and identifier.
 * Rows without a time come last in both directions, the newest first.
 */
export function timeWalk(sql: Sql, order: TimeOrder): Walk {
  const { isDescending, range, after } = order;
  const sorted = isDescending
    ? sql`order by is_last, ordered_by desc, ordered_id desc`
    : sql`order by is_last, ordered_by, first_id, ordered_id desc`;
  const parts = (limit: number) =>
    [
      ...(after?.[0] ? [] : [timedRows(sql, order, limit)]),
      ...(range === undefined ? [timelessRows(sql, order, limit)] : []),
    ].reduce((all, part) => sql`${all} union all ${part}`);
  return {
    key: positionColumn(sql),
    ordered: sql`is_last, ordered_by, first_id, ordered_id`,
    order: sorted,
    rows: (columns, limit) =>
      sql`select ${columns} from (${parts(limit)}) walked ${sorted} limit ${limit}`,
  };
}

function timedRows(sql: Sql, order: TimeOrder, limit: number): Query<object> {
  const { table, id, time, owner, isDescending } = order;
  const direction = isDescending ? sql`desc` : sql``;
  return sql`(
    select false as is_last, ${time} as ordered_by, ${id} as first_id, ${id} as ordered_id, stored.*
      from ${table} stored
     where owner_id = ${owner} ${bounds(sql, order)}
     order by ${time} ${direction}, ${id} ${direction} limit ${limit})`;
}

/** One condition for each end of the walk: an index scan starts at only one bound of a side. */
function bounds(
  sql: Sql,
  { id, time, isDescending, range: { from, to } = {}, after }: TimeOrder,
): Query<object> {
  const place = after && sql`(${after[1]}::timestamptz, ${after[2]}::text)`;
  const lower = place && !isDescending
    ? sql`and (${time}, ${id}) > ${place}`
    : from === undefined
    ? sql``
    : sql`and ${time} >= ${from}`;
  const upper = place && isDescending
    ? sql`and (${time}, ${id}) < ${place}`
    : to === undefined
    ? sql`and ${time} is not null`
    : sql`and ${time} < ${to}`;
  return sql`${lower} ${upper}`;
}

/** The order names the time too, because the index is on both. */
function timelessRows(
  sql: Sql,
  { table, id, time, owner, after }: TimeOrder,
  limit: number,
): Query<object> {
  return sql`(
    select true as is_last, ${time} as ordered_by, null::ulid as first_id, ${id} as ordered_id,
           stored.*
      from ${table} stored
     where owner_id = ${owner} and ${time} is null
       ${after?.[0] ? sql`and ${id} < ${after[2]}` : sql``}
     order by ${time} desc, ${id} desc limit ${limit})`;
}
