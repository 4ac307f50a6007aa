/** Stored snapshots: a ledger below each resource, which determines their unit. */

import type { PlannedWrite } from "../../command/command.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows } from "../../database/walk.ts";
import type { LedgerEntry } from "../../kit/entry.ts";
import { namesOf, valuesOf } from "../../kit/columns.ts";
import { FIGURES } from "./figures.ts";
import {
  RESOURCE_SNAPSHOT_SCHEMA,
  type ResourceSnapshot,
  type ResourceSnapshotRow,
  showSnapshot,
  SNAPSHOT_COLUMNS,
} from "./snapshot.ts";
import type { ResourceTypes } from "./resource_store.ts";

export const RESOURCE_SNAPSHOTS: LedgerEntry<
  ResourceTypes["key"],
  ResourceSnapshotRow,
  ResourceSnapshot
> = {
  policy: "resource-snapshot",
  idName: "snapshotId",
  schema: RESOURCE_SNAPSHOT_SCHEMA,
  show: showSnapshot,
  cursorOf: (row) => row.snapshot_id,
  find: (sql, owner, { resourceId }, id) =>
    sql<ResourceSnapshotRow>`
      select ${snapshotColumns(sql)} from ${snapshotsWithUnits(sql)}
       where owner_id = ${owner} and resource_id = ${resourceId} and snapshot_id = ${id}`,
  cursor: (sql, owner, { resourceId }, id) =>
    sql`
      select 1 from resource_snapshots
       where owner_id = ${owner} and resource_id = ${resourceId} and snapshot_id = ${id}`,
  rows: (sql, { account: { accountId: owner } }, { resourceId }, { cursor, limit }) =>
    readRows<ResourceSnapshotRow>(
      sql,
      (columns, limit) =>
        sql`
          select ${columns} from ${snapshotsWithUnits(sql)}
           where owner_id = ${owner} and resource_id = ${resourceId}
             ${cursor === null ? sql`` : sql`and snapshot_id < ${cursor}`}
           order by snapshot_id desc limit ${limit}`,
      {
        columns: shortColumns(sql),
        long: {
          kind: "text",
          // The first column is never null.
          columns: { resource_id: sql`resource_id`, note: sql`note` },
          hidden: null,
        },
        limit,
      },
    ),
};

/** Snapshots with the unit of the revision that they name. */
export function snapshotsWithUnits(sql: Sql): Query<object> {
  return sql`resource_snapshots join (
    select owner_id, resource_id, revision as resource_revision, unit from resource_revisions
  ) revised using (owner_id, resource_id, resource_revision)`;
}

/** For `snapshotsWithUnits`. */
export function snapshotColumns(sql: Sql): Query<object> {
  return sql`${shortColumns(sql)}, resource_id, note`;
}

function shortColumns(sql: Sql): Query<object> {
  return sql`snapshot_id, resource_revision, observed_at, ${
    namesOf(sql, FIGURES)
  }, unit, created_at, clocks::text as clocks`;
}

export function writeSnapshot(
  owner: string,
  row: ResourceSnapshotRow,
): PlannedWrite<ResourceSnapshot> {
  return {
    subjectId: row.snapshot_id,
    revision: null,
    result: showSnapshot(row),
    statement: (sql, ledger) =>
      sql`
        with ${ledger.claim},
        snapshot as (
          insert into resource_snapshots (owner_id, ${namesOf(sql, SNAPSHOT_COLUMNS)})
          select ${owner}, ${valuesOf(sql, SNAPSHOT_COLUMNS, row)}
            from claim where verdict = 'GO'
        ),
        ${ledger.ctes}
        select verdict, envelope from claim`,
  };
}
