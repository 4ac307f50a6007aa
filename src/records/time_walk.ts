import type { Query, Sql } from "../database/sql.ts";
import type { Walk } from "../database/walk.ts";
import type { MomentRange } from "./list_query.ts";
import { firstBounds, type OrderPosition, twoPartWalk } from "./two_part_walk.ts";

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
  const { table, id, time, owner, isDescending, range, after } = order;
  const direction = isDescending ? sql`desc` : sql``;
  const bounds = firstBounds(sql, {
    column: time,
    id,
    type: "timestamptz",
    isDescending,
    after,
    ...(range && { range }),
  });
  return twoPartWalk(sql, {
    isDescending,
    first: (limit) =>
      sql`
        select false as is_last, ${time} as ordered_by, ${id} as first_id, ${id} as ordered_id
          from ${table} where owner_id = ${owner} ${after?.[0] ? sql`and false` : bounds}
         order by ${time} ${direction}, ${id} ${direction} limit ${limit}`,
    // The order names the time too, because the index is on both.
    last: (limit) =>
      sql`
        select true as is_last, ${time} as ordered_by, null::ulid as first_id, ${id} as ordered_id
          from ${table} where owner_id = ${owner} and ${time} is null
           ${range === undefined ? sql`` : sql`and false`}
           ${after?.[0] ? sql`and ${id} < ${after[2]}` : sql``}
         order by ${time} desc, ${id} desc limit ${limit}`,
    stored: (rowId) =>
      sql`select * from ${table} where owner_id = ${owner} and ${id} = ${rowId} offset 0`,
  });
}
