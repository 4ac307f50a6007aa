import type { Caller } from "../../access/identity.ts";
import type { LongColumns } from "../../database/page_bytes.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readWalk, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import { namesOf, valuesOf } from "../../kit/columns.ts";
import { DETAIL, type DetailRow } from "./detail.ts";
import type { EvidenceControlBody } from "./evidence.ts";
import { mayReadSecrets } from "./privacy.ts";

/** CTE of a detail, conditional on the claim. */
export function detailEntry(sql: Sql, owner: string, row: DetailRow): Query<object> {
  return sql`
    detail as (
      insert into person_details (owner_id, ${namesOf(sql, DETAIL)})
      select ${owner}, ${valuesOf(sql, DETAIL, row)}
        from claim where verdict = 'GO'
    )`;
}

export interface DetailControl {
  readonly control_id: string;
  readonly person_id: string;
  readonly detail_id: string;
  /** The revision that it appended. */
  readonly person_revision: number;
  readonly kind: EvidenceControlBody["kind"];
  readonly superseded_by: string | null;
  readonly privacy: string | null;
  readonly recorded_at: Date;
}

/** CTE of a control, conditional on the claim. */
export function detailControlEntry(sql: Sql, owner: string, row: DetailControl): Query<object> {
  return sql`
    detail_control as (
      insert into person_detail_controls (owner_id, control_id, person_id, detail_id,
                                          person_revision, kind, superseded_by, privacy, recorded_at)
      select ${owner}, ${row.control_id}, ${row.person_id}, ${row.detail_id},
             ${row.person_revision}::integer, ${row.kind}, ${row.superseded_by}, ${row.privacy},
             ${row.recorded_at}::timestamptz
        from claim where verdict = 'GO'
    )`;
}

export function findDetail(
  sql: Sql,
  owner: string,
  personId: string,
  detailId: string,
): Query<DetailRow> {
  return sql<DetailRow>`${findAnyDetail(sql, owner, detailId)} and d.person_id = ${personId}`;
}

/** Finds a detail of any person. */
export function findAnyDetail(sql: Sql, owner: string, detailId: string): Query<DetailRow> {
  return sql<DetailRow>`
    select ${shortColumns(sql)}, d.value::text as value from ${controlled(sql, sql`true`)}
     where d.owner_id = ${owner} and d.detail_id = ${detailId}`;
}

/** Finds a detail as after one of its controls, or as created. */
export function findDetailAfter(
  sql: Sql,
  owner: string,
  detailId: string,
  controlId: string,
): Query<DetailRow> {
  const done = sql`c.person_revision <= coalesce((
    select person_revision from person_detail_controls
     where owner_id = ${owner} and control_id = ${controlId}), 0)`;
  return sql<DetailRow>`
    select ${shortColumns(sql)}, d.value::text as value from ${controlled(sql, done)}
     where d.owner_id = ${owner} and d.detail_id = ${detailId}`;
}

export function findLastDetailControl(
  sql: Sql,
  owner: string,
  detailId: string,
): Query<Pick<DetailControl, "control_id">> {
  return sql<Pick<DetailControl, "control_id">>`
    select control_id from person_detail_controls
     where owner_id = ${owner} and detail_id = ${detailId}
     order by person_revision desc limit 1`;
}

/** Call it only while the person is locked. */
export async function countLiveDetails(sql: Sql, owner: string, personId: string): Promise<number> {
  const [row] = await sql<{ readonly live: number }>`
    select count(*)::integer as live from ${controlled(sql, sql`true`)}
     where d.owner_id = ${owner} and d.person_id = ${personId} and k.ended is null`;
  return row?.live ?? 0;
}

export interface DetailPage extends PageQuery {
  /** "true" to include ended ones. */
  readonly all?: "true" | "false";
}

/** Newest first. */
export async function readDetails(
  sql: Sql,
  reader: Caller,
  personId: string,
  { cursor, limit, all = "false" }: DetailPage,
): Promise<Walked<DetailRow>> {
  const owner = reader.account.accountId;
  const order = sql`order by detail_id desc`;
  return await readWalk<DetailRow>(
    sql,
    {
      key: sql`detail_id`,
      ordered: sql`detail_id`,
      order,
      rows: (columns, limit) =>
        sql`
          select ${columns} from (
            select d.owner_id, ${shortColumns(sql)}, d.value from ${
          controlled(sql, sql`true`)
        }) shown
           where owner_id = ${owner} and person_id = ${personId}
             ${cursor === null ? sql`` : sql`and detail_id < ${cursor}`}
           ${order} limit ${limit}`,
    },
    {
      columns: sql`detail_id, person_id, kind, label, preferred, note, privacy, content_hash,
        person_revision, recorded_at, state, superseded_by, effective_privacy, privacy_today`,
      long: longColumns(sql, reader),
      conditions: all === "true" ? null : sql`and state = 'LIVE'`,
      limit,
    },
  );
}

function longColumns(sql: Sql, reader: Caller): LongColumns {
  return {
    kind: "json",
    columns: { value: sql`value` },
    hidden: mayReadSecrets(reader) ? null : sql`privacy_today = 'SECRET'`,
  };
}

/** Oldest first. */
export function findLiveDetails(
  sql: Sql,
  owner: string,
  personIds: readonly string[],
  withSecrets: boolean,
): Query<DetailRow> {
  return sql<DetailRow>`
    select live.* from unnest(string_to_array(${personIds.join(" ")}, ' ')) as wanted (person_id)
     cross join lateral (
       select ${shortColumns(sql)}, d.value::text as value from ${controlled(sql, sql`true`)}
        where d.owner_id = ${owner} and d.person_id = wanted.person_id and k.ended is null
          ${withSecrets ? sql`` : sql`and ${privacyToday(sql)} <> 'SECRET'`} offset 0) live
     order by live.person_id, live.person_revision, live.detail_id`;
}

/** `person_details d` with the combined effect of the controls that match `done`. */
function controlled(sql: Sql, done: Query<object>): Query<object> {
  return sql`person_details d cross join lateral (
    select max(c.kind) filter (where ${done} and c.kind <> 'PRIVACY_RECLASSIFIED') as ended,
           max(c.superseded_by) filter (where ${done}) as superseded_by,
           max(c.privacy) filter (where ${done}) as privacy,
           max(c.privacy) as privacy_today
      from person_detail_controls c
     where c.owner_id = d.owner_id and c.detail_id = d.detail_id) k`;
}

/** The levels' names rise in byte order. */
function privacyToday(sql: Sql): Query<object> {
  return sql`greatest(d.privacy, k.privacy_today)`;
}

function shortColumns(sql: Sql): Query<object> {
  return sql`d.detail_id, d.person_id, d.kind, d.label, d.preferred, d.note, d.privacy,
    d.content_hash, d.person_revision, d.recorded_at, coalesce(k.ended, 'LIVE') as state,
    k.superseded_by, greatest(d.privacy, k.privacy) as effective_privacy,
    ${privacyToday(sql)} as privacy_today`;
}
