/**
 * Walks over an owner's records by title or own time, along the indexes of `record_order`.
 *
 * A walk has two parts. The first part has the records in order. The last part, newest first, has
 * the records hidden from the reader, whose title and own time must not order them, and in order of
 * time those without one.
 */

import type { Permission } from "../access/permissions.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Walk } from "../database/walk.ts";
import type { MomentRange } from "./list_query.ts";
import { firstBounds, type OrderPosition, twoPartWalk } from "./two_part_walk.ts";

/** The permissions that guard records, by module. */
const GUARDS: Readonly<Record<string, readonly Permission[]>> = { memory: ["memory.secret"] };

export interface RecordOrder {
  readonly owner: string;
  readonly moduleCode: string;
  readonly by: "title" | "time";
  readonly isDescending: boolean;
  readonly archived: "exclude" | "only" | "include";
  readonly permissions: ReadonlySet<Permission>;
  /**
   * The range of own times; by default all. A walk with a range has no last part. A walk by time
   * keeps to the range; a walk by title needs the condition `ownTimeWithin`.
   */
  readonly time?: MomentRange;
  /** Only records of this kind; by default all. */
  readonly kind?: string;
  /** The walk begins after it; null at the beginning. */
  readonly after: OrderPosition | null;
}

/** @param stored As of `twoPartWalk`. */
export function orderWalk(
  sql: Sql,
  order: RecordOrder,
  stored: (recordId: Query<object>) => Query<object>,
): Walk {
  return twoPartWalk(sql, {
    isDescending: order.isDescending,
    first: (limit) => firstPart(sql, order, limit),
    last: (limit) => lastPart(sql, order, limit),
    stored,
  });
}

/** The records in order: one branch for each choice of guard and archive. */
function firstPart(sql: Sql, order: RecordOrder, limit: Query<object>): Query<object> {
  const { by, isDescending, time, after } = order;
  if (after?.[0]) return emptyPart(sql, by);
  const column = by === "title" ? sql`order_form` : sql`own_time`;
  const place = { column, id: sql`record_id`, isDescending, after };
  const bounds = by === "title"
    ? firstBounds(sql, { ...place, type: "text" })
    : firstBounds(sql, { ...place, type: "timestamptz", ...(time && { range: time }) });
  const direction = isDescending ? sql`desc` : sql``;
  const branches = choices(order, visibleGuards(order)).map((choice) =>
    sql`
      select false as is_last, ${column} as ordered_by, record_id as first_id,
             record_id as ordered_id
        from record_order
       where ${isChosen(sql, order, choice)} ${bounds}
       order by ${column} ${direction}, record_id ${direction} limit ${limit}`
  );
  const sorted = sql`order by ordered_by ${direction}, ordered_id ${direction}`;
  return merge(sql, by, branches, sorted, limit);
}

/** The records that have no place in the order. */
function lastPart(sql: Sql, order: RecordOrder, limit: Query<object>): Query<object> {
  const { by, time: { from, to } = {}, after } = order;
  if (from !== undefined || to !== undefined) return emptyPart(sql, by);
  const behind = after?.[0] ? sql`and record_id < ${after[2]}` : sql``;
  const timeless = by === "title" ? [] : choices(order, visibleGuards(order)).map((choice) =>
    sql`
      select true as is_last, own_time as ordered_by, null::ulid as first_id,
             record_id as ordered_id
        from record_order
       where ${isChosen(sql, order, choice)} and own_time is null ${behind}
       order by own_time desc, record_id desc limit ${limit}`
  );
  const hidden = choices(order, hiddenGuards(order)).map((choice) =>
    sql`
      select true as is_last, ${noValue(sql, by)} as ordered_by, null::ulid as first_id,
             record_id as ordered_id
        from record_order
       where ${isChosen(sql, order, choice)} and guard <> '' ${behind}
       order by record_id desc limit ${limit}`
  );
  const sorted = by === "title"
    ? sql`order by ordered_id desc`
    : sql`order by ordered_by desc, ordered_id desc`;
  return merge(sql, by, [...timeless, ...hidden], sorted, limit);
}

function emptyPart(sql: Sql, by: RecordOrder["by"]): Query<object> {
  return sql`
    select true as is_last, ${noValue(sql, by)} as ordered_by, null::ulid as first_id,
           null::ulid as ordered_id
     where false`;
}

function noValue(sql: Sql, by: RecordOrder["by"]): Query<object> {
  return by === "title" ? sql`null::text collate "C"` : sql`null::timestamptz`;
}

/** @param sorted The order of each branch; none of several is sorted again. */
function merge(
  sql: Sql,
  by: RecordOrder["by"],
  branches: readonly Query<object>[],
  sorted: Query<object>,
  limit: Query<object>,
): Query<object> {
  const [only, ...others] = branches;
  if (only === undefined) return emptyPart(sql, by);
  if (others.length === 0) return only;
  const all = others.reduce((some, one) => sql`${some} union all (${one})`, sql`(${only})`);
  return sql`${all} ${sorted} limit ${limit}`;
}

interface Choice {
  readonly guard: string;
  readonly isArchived: boolean;
}

function choices({ archived }: RecordOrder, guards: readonly string[]): Choice[] {
  const archives = archived === "include" ? [false, true] : [archived === "only"];
  return guards.flatMap((guard) => archives.map((isArchived) => ({ guard, isArchived })));
}

type Reader = Pick<RecordOrder, "moduleCode" | "permissions">;

/** The guards of records that a reader may see; empty for records without one. */
export function visibleGuards({ moduleCode, permissions }: Reader): string[] {
  return ["", ...GUARDS[moduleCode]?.filter((guard) => permissions.has(guard)) ?? []];
}

function hiddenGuards({ moduleCode, permissions }: Reader): string[] {
  return GUARDS[moduleCode]?.filter((guard) => !permissions.has(guard)) ?? [];
}

function isChosen(
  sql: Sql,
  { owner, moduleCode, kind }: RecordOrder,
  { guard, isArchived }: Choice,
): Query<object> {
  return sql`
    module_code = ${moduleCode} and owner_id = ${owner} and guard = ${guard}
    and is_archived = ${isArchived} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}`;
}

/** A condition on the row `walk`: the own time that the reader sees lies within the range. */
export function ownTimeWithin(
  sql: Sql,
  { owner, time: { from, to } = {}, ...reader }: Reader & Pick<RecordOrder, "owner" | "time">,
): Query<object> {
  const hidden = hiddenGuards(reader).join(" ");
  // With `offset 0`, so that it is never joined to all records.
  return sql`and exists (
    select from record_order timed
     where timed.owner_id = ${owner} and timed.record_id = walk.record_id
       and timed.guard <> all (string_to_array(${hidden}, ' '))
       ${from === undefined ? sql`` : sql`and timed.own_time >= ${from}`}
       ${to === undefined ? sql`` : sql`and timed.own_time < ${to}`}
    offset 0)`;
}
