/** A ledger of snapshots: each names a revision of the profile, or has its own fields. */

import { namesOf, valuesOf } from "../../kit/columns.ts";
import type { ClaimRow, Ledger } from "../../command/ledger.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows } from "../../database/walk.ts";
import type { LedgerEntry } from "../../kit/entry.ts";
import { FIELD_COLUMNS, NO_FIELDS, timeText } from "./fields.ts";
import type { ProfileTypes } from "./profile_store.ts";
import {
  PROFILE_SNAPSHOT_SCHEMA,
  type ProfileSnapshot,
  type ProfileSnapshotRow,
  showSnapshot,
  type StatedSnapshot,
} from "./snapshot.ts";

/** Newest first. */
export const PROFILE_SNAPSHOTS: LedgerEntry<
  ProfileTypes["key"],
  ProfileSnapshotRow,
  ProfileSnapshot
> = {
  policy: "identity-snapshot",
  idName: "snapshotId",
  find: (sql, owner, _key, snapshotId) =>
    sql<ProfileSnapshotRow>`
      select ${shortColumns(sql)}, ${frozenFields(sql)}::text as fields
        from ${snapshotsWithRevisions(sql)}
       where s.owner_id = ${owner} and s.snapshot_id = ${snapshotId}`,
  cursor: (sql, owner, _key, cursor) =>
    sql`select 1 from identity_snapshots where owner_id = ${owner} and snapshot_id = ${cursor}`,
  rows: (sql, { account: { accountId: owner } }, _key, { cursor, limit }) =>
    readRows<ProfileSnapshotRow>(
      sql,
      // The inner query combines the fields once, however often `columns` names them.
      (columns, limit) =>
        sql`
          select ${columns} from (
            select ${shortColumns(sql)}, ${frozenFields(sql)} as fields
              from ${snapshotsWithRevisions(sql)}
             where s.owner_id = ${owner}
               ${cursor === null ? sql`` : sql`and s.snapshot_id < ${cursor}`}
             order by s.snapshot_id desc limit ${limit}) frozen
           order by snapshot_id desc`,
      {
        columns: sql`snapshot_id, label, as_of, profile_revision, created_at, clocks`,
        long: { kind: "json", columns: { fields: sql`fields` }, hidden: null },
        limit,
      },
    ),
  cursorOf: (row) => row.snapshot_id,
  show: showSnapshot,
  schema: PROFILE_SNAPSHOT_SCHEMA,
};

function shortColumns(sql: Sql): Query<object> {
  return sql`s.snapshot_id, s.label, s.as_of, s.profile_revision, s.created_at,
    ${frozenClocks(sql)}::text as clocks`;
}

function snapshotsWithRevisions(sql: Sql): Query<object> {
  return sql`identity_snapshots s left join identity_profile_revisions v
    on v.owner_id = s.owner_id and v.revision = s.profile_revision`;
}

/**
 * Selects JSON of `IdentityFields`, from a row of `identity_snapshots s`, of
 * `identity_profile_revisions v`, or of both, if the snapshot names the revision.
 */
export function frozenFields(sql: Sql): Query<object> {
  return sql`json_build_object(
    'displayName', coalesce(s.display_name, v.display_name),
    'currentRole', coalesce(s.role, v.role),
    'lifeStage', coalesce(s.life_stage, v.life_stage),
    'startedAt', ${timeText(sql, sql`coalesce(s.started_at, v.started_at)`)},
    'endedAt', ${timeText(sql, sql`coalesce(s.ended_at, v.ended_at)`)},
    'biography', coalesce(s.biography, v.biography),
    'publicSummary', coalesce(s.public_summary, v.public_summary),
    'tags', coalesce(s.tags, v.tags))`;
}

/** Selects the clocks of a snapshot, from the rows of `frozenFields`; `{}` without any. */
export function frozenClocks(sql: Sql): Query<object> {
  return sql`(coalesce(s.clocks::jsonb, '{}') || coalesce(v.clocks::jsonb, '{}'))`;
}

export function writeSnapshot(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  row: ProfileSnapshotRow,
  { own, clocks }: StatedSnapshot,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim},
    snapshot as (
      insert into identity_snapshots (owner_id, snapshot_id, label, as_of, profile_revision,
                                      created_at, clocks, ${namesOf(sql, FIELD_COLUMNS)})
      select ${owner}, ${row.snapshot_id}, ${row.label}, ${row.as_of}::timestamptz,
             ${row.profile_revision}::integer, ${row.created_at}::timestamptz,
             ${clocks}::text::json, ${valuesOf(sql, FIELD_COLUMNS, own ?? NO_FIELDS)}
        from claim where verdict = 'GO'
    ),
    ${ledger.ctes}
    select verdict, envelope from claim`;
}
