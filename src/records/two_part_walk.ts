/**
 * Walks of two parts: rows in the order of a value, then, newest first, rows without a place in
 * that order.
 */

import type { Query, Sql } from "../database/sql.ts";
import type { Walk } from "../database/walk.ts";
import type { MomentRange } from "./list_query.ts";

/** The position of a row: its part, the value that orders it, and its identifier. */
export type OrderPosition = readonly [isLast: boolean, value: string | null, id: string];

/** Reads the text of a position, which {@linkcode positionColumn} selects. */
export function parsePosition(text: string): OrderPosition {
  return JSON.parse(text);
}

/** Selects the position of a walk's row. */
export function positionColumn(sql: Sql): Query<object> {
  return sql`json_build_array(is_last, ordered_by, ordered_id)::text`;
}

interface TwoParts {
  readonly isDescending: boolean;
  /** Selects `is_last` (false), `ordered_by`, and the identifier as `first_id` and `ordered_id`. */
  readonly first: (limit: Query<object>) => Query<object>;
  /** The same with `is_last` true and `first_id` null. */
  readonly last: (limit: Query<object>) => Query<object>;
  /**
   * Selects the row of an identifier, for a lateral join. With `offset 0`, so that it is always
   * found by its key.
   */
  readonly stored: (id: Query<object>) => Query<object>;
}

export function twoPartWalk(sql: Sql, { isDescending, first, last, stored }: TwoParts): Walk {
  const sorted = isDescending
    ? sql`order by is_last, ordered_by desc, ordered_id desc`
    : sql`order by is_last, ordered_by, first_id, ordered_id desc`;
  const places = (limit: number) =>
    sql`
      with first_part as materialized (${first(sql`${limit}`)}),
           last_part as materialized (
             ${last(sql`${limit} - (select count(*) from first_part)`)})
      select * from first_part union all select * from last_part`;
  return {
    key: positionColumn(sql),
    ordered: sql`is_last, ordered_by, first_id, ordered_id`,
    order: sorted,
    places,
    rows: (columns, limit) =>
      sql`
        select ${columns}
          from (${places(limit)} ${sorted}) place
               cross join lateral (${stored(sql`place.ordered_id`)}) stored
         ${sorted} limit ${limit}`,
  };
}

interface FirstBounds {
  /** The expression that orders the first part. */
  readonly column: Query<object>;
  readonly id: Query<object>;
  /** The type of the value in a position. */
  readonly type: "text" | "timestamptz";
  readonly isDescending: boolean;
  /** The ends of the values, if they are times. */
  readonly range?: MomentRange;
  readonly after: OrderPosition | null;
}

/**
 * Conditions on the first part after a position within the range, each after `and`. There is one
 * for each end of the walk: a scan starts at only one of several bounds of a side, and would step
 * over all rows between it and the closest.
 */
export function firstBounds(
  sql: Sql,
  { column, id, type, isDescending, range: { from, to } = {}, after }: FirstBounds,
): Query<object> {
  const position = after &&
    (type === "text"
      ? sql`(${after[1]}, ${after[2]}::text)`
      : sql`(${after[1]}::timestamptz, ${after[2]}::text)`);
  const lower = position && !isDescending
    ? sql`and (${column}, ${id}) > ${position}`
    : from === undefined
    ? sql``
    : sql`and ${column} >= ${from}`;
  const upper = position && isDescending
    ? sql`and (${column}, ${id}) < ${position}`
    : to !== undefined
    ? sql`and ${column} < ${to}`
    : type === "text"
    ? sql``
    : sql`and ${column} is not null`;
  return sql`${lower} ${upper}`;
}
