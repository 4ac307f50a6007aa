import type { Caller } from "../../access/identity.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import type { SliceRow } from "./slice.ts";
import { longRevisionColumns, revisionColumns, shortRevisionColumns } from "./memory_store.ts";

export function findSlice(
  sql: Sql,
  owner: string,
  memoryId: string,
  sliceId: string,
): Query<SliceRow> {
  return sql<SliceRow>`
    select ${revisionColumns(sql)}, ${ownColumns(sql)} from ${slicesWithRevisions(sql)}
     where s.owner_id = ${owner} and s.slice_id = ${sliceId} and s.memory_id = ${memoryId}`;
}

/** Reads slices, newest first. */
export function readSlices(
  sql: Sql,
  reader: Caller,
  memoryId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<SliceRow>> {
  return readRows<SliceRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from ${slicesWithRevisions(sql)}
         where s.owner_id = ${reader.account.accountId} and s.memory_id = ${memoryId}
           ${cursor === null ? sql`` : sql`and s.slice_id < ${cursor}`}
         order by s.slice_id desc limit ${limit}`,
    {
      columns: sql`${shortRevisionColumns(sql)}, ${ownColumns(sql)}`,
      long: longRevisionColumns(sql, reader),
      limit,
    },
  );
}

/** CTE of a slice, conditional on the claim. */
export function sliceEntry(sql: Sql, owner: string, slice: SliceRow): Query<object> {
  return sql`
    slice as (
      insert into memory_slices (owner_id, slice_id, memory_id, memory_revision, label, created_at)
      select ${owner}, ${slice.slice_id}, ${slice.memory_id}, ${slice.revision}::integer,
             ${slice.label}, ${slice.sliced_at}::timestamptz
        from claim where verdict = 'GO'
    )`;
}

function ownColumns(sql: Sql): Query<object> {
  return sql`s.slice_id, s.label, s.created_at as sliced_at`;
}

function slicesWithRevisions(sql: Sql): Query<object> {
  return sql`memory_slices s
    join memories m on m.owner_id = s.owner_id and m.memory_id = s.memory_id
    join memory_revisions v on v.owner_id = s.owner_id and v.memory_id = s.memory_id
     and v.revision = s.memory_revision`;
}
