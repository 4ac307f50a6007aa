/** Lists by title or own time, and lists in order of writing with a range of own times. */

import type { CatalogModule } from "../catalog/module.ts";
import type { Sql } from "../database/sql.ts";
import type { Walked } from "../database/walk.ts";
import { type ListQuery, newestFirst, type RecordListQuery } from "./list_query.ts";
import { listConditions, readList } from "./list_store.ts";
import { type Placed, readPlaced } from "./order_pages.ts";
import { orderWalk, ownTimeWithin, type RecordOrder } from "./order_walk.ts";
import type { OrderPosition } from "./two_part_walk.ts";
import type { Permissions, RecordRow } from "./record.ts";
import { longRecordColumns, shortRecordColumns } from "./record_store.ts";
import { assertOrdered } from "./search_index/built.ts";

export interface RecordList {
  readonly module: CatalogModule;
  readonly query: RecordListQuery;
  readonly owner: string;
  readonly permissions: Permissions;
}

/**
 * @param after The page begins after it; null for the first page.
 * @throws ServiceError `HTTP_503` while the order is not built.
 */
export async function readOrderedList(
  sql: Sql,
  list: RecordList,
  by: RecordOrder["by"],
  after: OrderPosition | null,
): Promise<Walked<Placed<RecordRow>>> {
  const { module, query, owner, permissions } = list;
  const { isDescending, archived, time } = query;
  const walk = orderWalk(
    sql,
    { owner, moduleCode: module.code, by, isDescending, archived, permissions, time, after },
    (recordId) =>
      sql`select * from records where owner_id = ${owner} and record_id = ${recordId} offset 0`,
  );
  // The range bounds a walk by time.
  const range = by === "time" ? {} : rangeCondition(list);
  const [walked] = await Promise.all([
    readPlaced<RecordRow>(sql, walk, {
      columns: shortRecordColumns(sql),
      long: longRecordColumns(sql),
      conditions: listConditions(sql, { ...query, ...range }),
      limit: query.limit,
    }),
    assertOrdered(sql),
  ]);
  return walked;
}

/** As `readOrderedList`, by title and without archived records. */
export function readLiveByTitle(
  sql: Sql,
  list: Omit<RecordList, "query">,
  after: OrderPosition | null,
  limit: number,
): Promise<Walked<Placed<RecordRow>>> {
  const newest = newestFirst({ limit, cursor: null }, "exclude");
  const query = { ...newest, isDescending: false, time: {} };
  return readOrderedList(sql, { ...list, query }, "title", after);
}

/**
 * @throws errors of `readList`; ServiceError `HTTP_503` for a range while the order is not built.
 */
export async function readWrittenList(
  sql: Sql,
  list: RecordList,
  sortBy: ListQuery["sortBy"],
): Promise<Walked<RecordRow>> {
  const { module, query, owner } = list;
  const range = rangeCondition(list);
  const [walked] = await Promise.all([
    readList(sql, owner, module, { ...query, sortBy, ...range }),
    "condition" in range ? assertOrdered(sql) : null,
  ]);
  return walked;
}

function rangeCondition(
  { module, query: { time }, owner, permissions }: RecordList,
): Pick<ListQuery, "condition"> {
  if (time.from === undefined && time.to === undefined) return {};
  return {
    condition: (sql) => ownTimeWithin(sql, { owner, moduleCode: module.code, permissions, time }),
  };
}
