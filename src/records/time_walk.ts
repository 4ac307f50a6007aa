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
  const sorted = order.isDescending
    ? sql`order by is_last, ordered_by desc, ordered_id desc`
    : sql`order by is_last, ordered_by, first_id, ordered_id desc`;
  return {
    key: positionColumn(sql),
    ordered: sql`is_last, ordered_by, first_id, ordered_id`,
    order: sorted,
    places: (limit) => bothParts(sql, order, limit),
    rows: (columns, limit) =>
      sql`
        select ${columns}
          from (${bothParts(sql, order, limit)} ${sorted}) place
               cross join lateral (${storedRow(sql, order)}) stored
         ${sorted} limit ${limit}`,
  };
}

/** The places of at most `limit` rows: of those with a time, then of those without. */
function bothParts(sql: Sql, order: TimeOrder, limit: number): Query<object> {
  const { table, id, time, owner, isDescending, range, after } = order;
  const direction = isDescending ? sql`desc` : sql``;
  const timed = sql`
    select false as is_last, ${time} as ordered_by, ${id} as first_id, ${id} as ordered_id
      from ${table} where owner_id = ${owner} ${after?.[0] ? sql`and false` : bounds(sql, order)}
     order by ${time} ${direction}, ${id} ${direction} limit ${limit}`;
  // The order names the time too, because the index is on both.
  const timeless = sql`
    select true as is_last, ${time} as ordered_by, null::ulid as first_id, ${id} as ordered_id
      from ${table} where owner_id = ${owner} and ${time} is null
       ${range === undefined ? sql`` : sql`and false`}
       ${after?.[0] ? sql`and ${id} < ${after[2]}` : sql``}
     order by ${time} desc, ${id} desc limit ${limit} - (select count(*) from timed)`;
  return sql`
    with timed as materialized (${timed}), timeless as materialized (${timeless})
    select * from timed union all select * from timeless`;
}

/** With `offset 0`, so that a row is always found by its key. */
function storedRow(sql: Sql, { table, id, owner }: TimeOrder): Query<object> {
  return sql`select * from ${table} where owner_id = ${owner} and ${id} = place.ordered_id offset 0`;
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
