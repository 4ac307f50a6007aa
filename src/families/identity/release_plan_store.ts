import type { ClaimRow, Ledger } from "../../command/ledger.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows } from "../../database/walk.ts";
import type { LedgerEntry } from "../../kit/entry.ts";
import { storedRoot } from "../../kit/tables.ts";
import { executionEntry } from "../../records/port.ts";
import { identityExecution } from "./execution.ts";
import {
  type Drill,
  DRILL_SCHEMA,
  drillOutput,
  type DrillRow,
  showDrill,
} from "./release_drill.ts";
import {
  LEGACY_PLAN_SCHEMA,
  type LegacyPlan,
  type LegacyPlanRow,
  type NextLegacyPlan,
  showLegacyPlan,
} from "./release_plan.ts";
import type { ProfileTypes } from "./profile_store.ts";

/** The key is empty: an owner has one plan. */
interface LegacyPlanTypes {
  readonly key: Readonly<Record<never, string>>;
  readonly row: LegacyPlanRow;
  readonly change: "REPLACED";
  readonly shown: LegacyPlan;
}

/** Without the time of the last drill. */
const STORED = storedRoot<LegacyPlanTypes>({
  module: "identity",
  policy: "identity-legacy-plan",
  keyNames: [],
  idOf: (row) => row.plan_id,
  show: showLegacyPlan,
  schema: LEGACY_PLAN_SCHEMA,
  tables: (sql) => ({
    root: sql`identity_legacy_plans`,
    ledger: sql`identity_legacy_plan_revisions`,
    id: sql`plan_id`,
    fixed: sql`plan_id`,
    changing: sql`recipient_description, release_condition, instructions, fields`,
    short: sql`array_to_string(fields, ' ') as fields`,
    long: {
      kind: "text",
      columns: {
        recipient_description: sql`recipient_description`,
        release_condition: sql`release_condition`,
        instructions: sql`instructions`,
      },
      hidden: null,
    },
  }),
  isNamed: (sql) => sql`true`,
  fixedValues: (sql, row) => sql`${row.plan_id}`,
  changingValues: (sql, row) =>
    sql`${row.recipient_description}, ${row.release_condition}, ${row.instructions},
      string_to_array(${row.fields}, ' ')`,
});

export function findLegacyPlan(sql: Sql, owner: string): Query<LegacyPlanRow> {
  return withLastDrill(sql, owner, STORED.root.find(sql, owner, {}), sql`true`);
}

/** Finds the plan at a revision; its drills were held later. */
export function findLegacyPlanAt(sql: Sql, owner: string, revision: number): Query<LegacyPlanRow> {
  const plan = STORED.root.findAt(sql, owner, {}, revision);
  return withLastDrill(sql, owner, plan, sql`plan_revision < ${revision}`);
}

function withLastDrill(
  sql: Sql,
  owner: string,
  plan: Query<object>,
  isHeld: Query<object>,
): Query<LegacyPlanRow> {
  return sql<LegacyPlanRow>`
    select plan.*, (
      select created_at from identity_legacy_drills
       where owner_id = ${owner} and ${isHeld} order by drill_id desc limit 1) as last_drill_at
      from (${plan}) plan`;
}

export function writeLegacyPlan(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  { row, change }: NextLegacyPlan,
): Query<ClaimRow> {
  return STORED.root.write(sql, ledger, owner, row, change);
}

/** Newest first. */
export const DRILLS: LedgerEntry<ProfileTypes["key"], DrillRow, Drill> = {
  policy: "identity-legacy-drill",
  idName: "drillId",
  find: (sql, owner, _key, drillId) =>
    sql<DrillRow>`
      select ${drillColumns(sql)} from ${drills(sql)}
       where d.owner_id = ${owner} and d.drill_id = ${drillId}`,
  cursor: (sql, owner, _key, cursor) =>
    sql`select 1 from identity_legacy_drills where owner_id = ${owner} and drill_id = ${cursor}`,
  rows: (sql, { account: { accountId: owner } }, _key, { cursor, limit }) =>
    readRows<DrillRow>(
      sql,
      (columns, limit) =>
        sql`
          select ${columns} from ${drills(sql)}
           where d.owner_id = ${owner}
             ${cursor === null ? sql`` : sql`and d.drill_id < ${cursor}`}
           order by d.drill_id desc limit ${limit}`,
      { columns: drillColumns(sql), long: null, limit },
    ),
  cursorOf: (row) => row.drill_id,
  show: showDrill,
  schema: DRILL_SCHEMA,
};

function drills(sql: Sql): Query<object> {
  return sql`identity_legacy_drills d
    join identity_legacy_plan_revisions r
      on r.owner_id = d.owner_id and r.plan_id = d.plan_id and r.revision = d.plan_revision
    join identity_profile_revisions p
      on p.owner_id = d.owner_id and p.revision = d.profile_revision`;
}

/** Includes only the names of the profile's fields that have a value. */
function drillColumns(sql: Sql): Query<object> {
  return sql`d.drill_id, d.plan_id, d.plan_revision, d.profile_revision, d.created_at,
    array_to_string(r.fields, ' ') as fields,
    concat_ws(' ',
      case when p.display_name is not null then 'displayName' end,
      case when p.role is not null then 'currentRole' end,
      case when p.life_stage is not null then 'lifeStage' end,
      case when p.started_at is not null then 'startedAt' end,
      case when p.ended_at is not null then 'endedAt' end,
      case when p.biography is not null then 'biography' end,
      case when p.public_summary is not null then 'publicSummary' end,
      case when p.tags is not null then 'tags' end) as present`;
}

/** Writes a drill, and its execution with the same identifier. */
export function writeDrill(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  row: DrillRow,
): Query<ClaimRow> {
  const execution = identityExecution("IDN-007", row.drill_id, drillOutput(row), row.created_at);
  return sql<ClaimRow>`
    with ${ledger.claim},
    ${executionEntry(sql, owner, execution)},
    drill as (
      insert into identity_legacy_drills (owner_id, drill_id, plan_id, plan_revision,
                                          profile_revision, created_at)
      select ${owner}, ${row.drill_id}, ${row.plan_id}, ${row.plan_revision}::integer,
             ${row.profile_revision}::integer, ${row.created_at}::timestamptz
        from claim where verdict = 'GO'
    ),
    ${ledger.ctes}
    select verdict, envelope from claim`;
}
