/**
 * Walks over an owner's records by title or own time, along the indexes of `record_order`.
 *
 * A walk has two parts. The first one has the records in order. The second one, newest first, has
 * those without an own time, if it orders, and those that are hidden from the reader, whose title
 * and own time must not order them.
 */

import type { Permission } from "../access/permissions.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Walk } from "../database/walk.ts";
import type { MomentRange } from "./list_query.ts";

/** The permissions that guard records. */
const GUARDS: readonly Permission[] = ["memory.secret"];

/** The values of the column `guard` of those records that the reader sees. */
export function visibleGuards(permissions: ReadonlySet<Permission>): readonly string[] {
  return ["", ...GUARDS.filter((guard) => permissions.has(guard))];
}

export interface RecordOrder {
  readonly owner: string;
  readonly moduleCode: string;
  readonly by: "title" | "time";
  readonly isDescending: boolean;
  readonly archived: "exclude" | "only" | "include";
  readonly permissions: ReadonlySet<Permission>;
  /** Only records whose own time lies within, if the order is by time; by default all. */
  readonly time?: MomentRange;
  /** Only records of this kind; by default all. */
  readonly kind?: string;
  /** The walk begins after it; null at the beginning. */
  readonly after: OrderPosition | null;
}

/** The position of a record: false for the first part, its title's form or own time, its id. */
export type OrderPosition = readonly [isLast: boolean, value: string | null, recordId: string];

/** Reads the text of a position, which {@linkcode positionColumn} selects. */
export function parsePosition(text: string): OrderPosition {
  return JSON.parse(text);
}

/** A text from which the walk can go on after the row. */
export function positionColumn(sql: Sql): Query<object> {
  return sql`json_build_array(is_last, ordered_by, ordered_id)::text`;
}

/**
 * @param stored Selects the row that a record's identifier leads to, for a lateral join, with
 *   `offset 0`.
 */
export function orderWalk(
  sql: Sql,
  order: RecordOrder,
  stored: (recordId: Query<object>) => Query<object>,
): Walk {
  const sorted = order.isDescending
    ? sql`order by is_last, ordered_by desc, ordered_id desc`
    : sql`order by is_last, ordered_by, first_id, ordered_id desc`;
  const branches = (limit: number) =>
    unite(sql, [
      ...firstPart(sql, order, limit),
      ...lastPart(sql, order, limit),
    ]);
  return {
    key: positionColumn(sql),
    ordered: sql`is_last, ordered_by, first_id, ordered_id`,
    order: sorted,
    rows: (columns, limit) =>
      sql`
        select ${columns}
          from (${branches(limit)} ${sorted} limit ${limit}) place
               cross join lateral (${stored(sql`place.ordered_id`)}) stored
         ${sorted} limit ${limit}`,
  };
}

function unite(sql: Sql, branches: readonly Query<object>[]): Query<object> {
  return branches.map((branch) => sql`(${branch})`)
    .reduce((all, one) => sql`${all} union all ${one}`);
}

/** The records in order: one branch for each choice of guard and archive. */
function firstPart(sql: Sql, order: RecordOrder, limit: number): Query<object>[] {
  const { by, isDescending, permissions, time, after } = order;
  const column = by === "title" ? sql`order_form` : sql`own_time`;
  const direction = isDescending ? sql`desc` : sql``;
  const visible = visibleGuards(permissions);
  const bounds = by === "time" ? timeBounds(sql, time ?? {}) : sql``;
  const behind = after === null || after[0] ? sql`` : placeBehind(sql, order, after);
  // After the first part, none of its records follows.
  const isOver = after?.[0] === true;
  return choices(order, visible).map(({ guard, isArchived }) =>
    sql`
      select false as is_last, ${column} as ordered_by, record_id as first_id,
             record_id as ordered_id
        from record_order
       where ${isOfChoice(sql, order, guard, isArchived)} ${bounds} ${behind}
         ${isOver ? sql`and false` : sql``}
       order by ${column} ${direction}, record_id ${direction} limit ${limit}`
  );
}

function timeBounds(sql: Sql, { from, to }: MomentRange): Query<object> {
  return sql`
    and own_time is not null
    ${from === undefined ? sql`` : sql`and own_time >= ${from}`}
    ${to === undefined ? sql`` : sql`and own_time < ${to}`}`;
}

function placeBehind(
  sql: Sql,
  { by, isDescending }: RecordOrder,
  [, value, recordId]: OrderPosition,
): Query<object> {
  const place = by === "title"
    ? sql`(${value}, ${recordId}::text)`
    : sql`(${value}::timestamptz, ${recordId}::text)`;
  const column = by === "title" ? sql`order_form` : sql`own_time`;
  return isDescending
    ? sql`and (${column}, record_id) < ${place}`
    : sql`and (${column}, record_id) > ${place}`;
}

/** The records that have no place in the order, newest first. */
function lastPart(sql: Sql, order: RecordOrder, limit: number): Query<object>[] {
  const { by, permissions, time, after } = order;
  if (time?.from !== undefined || time?.to !== undefined) return [];
  const hidden = GUARDS.filter((guard) => !permissions.has(guard));
  const visible = visibleGuards(permissions);
  const behind = after?.[0] ? sql`and record_id < ${after[2]}` : sql``;
  const value = by === "title" ? sql`null::text collate "C"` : sql`null::timestamptz`;
  const branch = (condition: Query<object>) =>
    sql`
      select true as is_last, ${value} as ordered_by, null::text collate "C" as first_id,
             record_id as ordered_id
        from record_order
       where ${condition} ${behind} order by record_id desc limit ${limit}`;
  const timeless = by === "title"
    ? []
    : choices(order, visible).map(({ guard, isArchived }) =>
      branch(sql`${isOfChoice(sql, order, guard, isArchived)} and own_time is null`)
    );
  return [
    ...timeless,
    ...choices(order, hidden).map(({ guard, isArchived }) =>
      branch(sql`${isOfChoice(sql, order, guard, isArchived)} and guard <> ''`)
    ),
  ];
}

interface Choice {
  readonly guard: string;
  readonly isArchived: boolean;
}

function choices({ archived }: RecordOrder, guards: readonly string[]): Choice[] {
  const archives = archived === "include" ? [false, true] : [archived === "only"];
  return guards.flatMap((guard) => archives.map((isArchived) => ({ guard, isArchived })));
}

function isOfChoice(
  sql: Sql,
  { owner, moduleCode, kind }: RecordOrder,
  guard: string,
  isArchived: boolean,
): Query<object> {
  return sql`
    module_code = ${moduleCode} and owner_id = ${owner} and guard = ${guard}
    and is_archived = ${isArchived} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}`;
}
