/** List of memories, newest first or by the beginning of their time, walking an index. */

import type { Caller } from "../../access/identity.ts";
import { DAY_MS } from "../../core/clock.ts";
import type { Database } from "../../database/database.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readWalk, type Walk } from "../../database/walk.ts";
import { type Page, PAGE_LIMIT, readPage, toWalkedPage } from "../../http/page.ts";
import type { SignedInCall } from "../../http/route.ts";
import { listCursors, type SignedCursors } from "../../http/signed_page.ts";
import { readPlaced, readPosition, timeWalk, toSignedPage } from "../../records/port.ts";
import { EARLIEST_TIMESTAMP } from "../../validate/timestamp.ts";
import type { MemoryRow } from "./memory.ts";
import type { AskedDay, MemoryListFilter, MemoryListQuery } from "./memory_schema.ts";
import { longMemoryColumns, shortMemoryColumns } from "./memory_store.ts";
import { showMemory, type ShownMemory } from "./memory_view.ts";

/**
 * Newest first.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for a cursor that is not a memory of this owner.
 */
export async function listMemories(
  database: Database,
  reader: Caller,
  { limit = PAGE_LIMIT.standard, cursor, sort: _, ...filter }: MemoryListQuery,
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

/** Cursors of a sorted list, which are bound to everything but `limit`. */
export function memoryCursors(
  secret: Uint8Array,
  call: SignedInCall,
  { limit: _limit, cursor: _cursor, from, to, onDay, ...query }: MemoryListQuery,
): SignedCursors {
  return listCursors(secret, call, {
    ...query,
    archived: query.archived ?? "exclude",
    times: [from, to, onDay?.midnight].map((time) => time?.toISOString() ?? null),
    onDay: onDay?.day ?? null,
  });
}

/** By the beginning of the time, which is shown of a redacted memory too. */
export async function listMemoriesByTime(
  database: Database,
  reader: Caller,
  { limit = PAGE_LIMIT.standard, cursor, sort, ...filter }: MemoryListQuery,
  cursors: SignedCursors,
): Promise<Page<ShownMemory>> {
  const after = readPosition(cursors, cursor);
  const walked = await database.read((sql) => {
    const walk = timeWalk(sql, {
      table: sql`memories`,
      id: sql`memory_id`,
      time: sql`time_from`,
      owner: reader.account.accountId,
      isDescending: sort === "-occurredAt",
      ...(hasTime(filter) && { range: beginnings(filter) }),
      after,
    });
    return readPlaced<MemoryRow>(sql, walk, {
      columns: shortMemoryColumns(sql),
      long: longMemoryColumns(sql, reader),
      conditions: allConditions(sql, filter),
      limit,
    });
  });
  return toSignedPage(cursors, walked, (row) => showMemory(row, reader));
}

/** No range of a memory is longer: the longest is a decade. */
const MAX_RANGE_MS = 3_660 * DAY_MS;

/** When the ranges may begin that overlap the asked one. */
function beginnings({ from, to }: MemoryListFilter): { readonly from?: Date; readonly to?: Date } {
  const first = from && Math.max(from.getTime() - MAX_RANGE_MS, EARLIEST_TIMESTAMP);
  return { ...(first !== undefined && { from: new Date(first) }), ...(to && { to }) };
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

/** As `conditionsOf`, with the condition on the archive, which the index by time does not cover. */
function allConditions(sql: Sql, filter: MemoryListFilter): Query<object> | null {
  const conditions = conditionsOf(sql, filter);
  if (hasTime(filter) || filter.archived === "include") return conditions;
  return sql`${conditions ?? sql``} ${archival(sql, filter)}`;
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
