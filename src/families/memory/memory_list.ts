/** List of memories, newest first, walking an index on identifiers. */

import type { Caller } from "../../access/identity.ts";
import type { Database } from "../../database/database.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readWalk, type Walk } from "../../database/walk.ts";
import { type Page, PAGE_LIMIT, readPage, toWalkedPage } from "../../http/page.ts";
import type { MemoryRow } from "./memory.ts";
import type { AskedDay, MemoryListFilter, MemoryListQuery } from "./memory_schema.ts";
import { longMemoryColumns, shortMemoryColumns } from "./memory_store.ts";
import { showMemory, type ShownMemory } from "./memory_view.ts";

/** @throws ServiceError `PAYLOAD_INVALID` for a cursor that is not a memory of this owner. */
export async function listMemories(
  database: Database,
  reader: Caller,
  { limit = PAGE_LIMIT.standard, cursor, ...filter }: MemoryListQuery,
): Promise<Page<ShownMemory>> {
  const owner = reader.account.accountId;
  const walked = await readPage(database, (sql) => ({
    cursor: cursor === undefined
      ? null
      : sql`select 1 from memories where owner_id = ${owner} and memory_id = ${cursor}`,
    rows: readWalk<MemoryRow>(sql, memoryWalk(sql, owner, filter, cursor), {
      columns: shortMemoryColumns(sql),
      long: longMemoryColumns(sql, reader),
      conditions: conditionsOf(sql, filter),
      limit,
    }),
  }));
  return toWalkedPage(walked, (row) => showMemory(row, reader), (row) => row.memory_id);
}

/** Newest first, after the cursor. A filter by time walks only memories that have one. */
export function memoryWalk(
  sql: Sql,
  owner: string,
  filter: MemoryListFilter,
  cursor: string | undefined,
): Walk {
  const order = sql`order by memory_id desc`;
  const after = cursor === undefined ? sql`` : sql`and memory_id < ${cursor}`;
  const part = hasTime(filter) ? sql`and time_from is not null` : archival(sql, filter);
  return {
    key: sql`memory_id`,
    ordered: sql`memory_id`,
    order,
    rows: (columns, limit) =>
      sql`
        select ${columns} from memories
         where owner_id = ${owner} ${part} ${after} ${order} limit ${limit}`,
  };
}

/** Conditions that the walk's index does not cover; or null. */
export function conditionsOf(sql: Sql, filter: MemoryListFilter): Query<object> | null {
  const { privacyLevel, memoryType, from, to, onDay } = filter;
  if (privacyLevel === undefined && memoryType === undefined && !hasTime(filter)) return null;
  return sql`
    ${privacyLevel === undefined ? sql`` : sql`and privacy_level = ${privacyLevel}`}
    ${memoryType === undefined ? sql`` : sql`and memory_type = ${memoryType}`}
    ${from === undefined ? sql`` : sql`and time_to > ${from}`}
    ${to === undefined ? sql`` : sql`and time_from < ${to}`}
    ${onDay === undefined ? sql`` : isOnDay(sql, onDay)}
    ${hasTime(filter) ? archival(sql, filter) : sql``}`;
}

function hasTime({ from, to, onDay }: MemoryListFilter): boolean {
  return from !== undefined || to !== undefined || onDay !== undefined;
}

/**
 * Memories known to the day. With a clock the local date counts. Without one, the middle of the
 * range in the reader's time zone: `midnight` is midnight there, so its time of day in UTC is the
 * shift.
 */
function isOnDay(sql: Sql, { midnight, day }: AskedDay): Query<object> {
  const [date = "", time = ""] = midnight.toISOString().split("T");
  return sql`
    and time_precision in ('EXACT', 'DAY')
    and case
      when clocks is null then to_char(
        (time_from + (time_to - time_from) / 2) at time zone 'UTC' - ${time.slice(0, -1)}::interval,
        'MM-DD') = ${date.slice(-5)}
      else to_char(
        occurred_at at time zone 'UTC'
          + left(clocks ->> 'occurredAt', 6)::interval hour to minute,
        'MM-DD') = ${day} end`;
}

function archival(sql: Sql, { archived = "exclude" }: MemoryListFilter): Query<object> {
  switch (archived) {
    case "exclude":
      return sql`and archived_at is null`;
    case "only":
      return sql`and archived_at is not null`;
    case "include":
      return sql``;
  }
}
