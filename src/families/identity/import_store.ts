/** SQL of an import: one statement per list, of any length. */

import type { ClaimRow, Ledger } from "../../command/ledger.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { executionEntry, type ExecutionRow } from "../../records/port.ts";
import { namesOf } from "../../kit/columns.ts";
import { FIELD_COLUMNS } from "./fields.ts";
import type { DecidedImport, ImportedIdentity, PresentIdentity } from "./import.ts";
import type { ProfileRow } from "./profile.ts";
import { profileEntries } from "./profile_store.ts";
import { readPresentRoles } from "./role_store.ts";
import { liveStages } from "./stage_store.ts";

/** Call it only while the profile is locked. */
export async function readPresent(
  sql: Sql,
  owner: string,
  { role, role_id }: ProfileRow,
  imported: ImportedIdentity,
): Promise<PresentIdentity> {
  const [stages, roles, snapshots, { newest, last }, [greatest]] = await Promise.all([
    equalStages(sql, owner, imported.stages),
    equalRoles(sql, owner, imported.roles),
    equalSnapshots(sql, owner, imported.snapshots),
    readPresentRoles(sql, owner, role_id),
    sql<{ snapshot_id: string | null }>`
      select max(snapshot_id) as snapshot_id from identity_snapshots where owner_id = ${owner}`,
  ]);
  return {
    stages: placesIn(stages),
    roles: placesIn(roles),
    snapshots: placesIn(snapshots),
    newestRole: newest === null || role === null || role_id === null
      ? null
      : { role_id, role, changed_at: newest },
    lastRole: last,
    lastSnapshot: greatest?.snapshot_id ?? null,
  };
}

interface EqualRow {
  readonly place: number;
}

function placesIn(rows: readonly EqualRow[]): ReadonlySet<number> {
  return new Set(rows.map(({ place }) => place));
}

function equalStages(sql: Sql, owner: string, stages: ImportedIdentity["stages"]): Query<EqualRow> {
  return equalRows(
    sql,
    sql`
      select place, (life_stage, title, started_at, ended_at, note)::text as whole
        from ${rowsOf(sql, placed(stages))} as stage (
             place integer, life_stage text, title text, started_at timestamptz,
             ended_at timestamptz, note text)`,
    sql`
      select (life_stage, title, started_at, ended_at, note)::text as whole
        from ${liveStages(sql, owner)} live`,
  );
}

function equalRoles(sql: Sql, owner: string, roles: ImportedIdentity["roles"]): Query<EqualRow> {
  return equalRows(
    sql,
    sql`
      select place, (role, changed_at, reason)::text as whole
        from ${rowsOf(sql, placed(roles))} as role (
             place integer, role text, changed_at timestamptz, reason text)`,
    sql`
      select (role, changed_at, reason)::text as whole
        from identity_roles where owner_id = ${owner}`,
  );
}

/** Reads only snapshots whose label is in the import. */
function equalSnapshots(
  sql: Sql,
  owner: string,
  snapshots: ImportedIdentity["snapshots"],
): Query<EqualRow> {
  const labels = JSON.stringify([...new Set(snapshots.map(({ label }) => label))]);
  return equalRows(
    sql,
    sql`
      select place, (label, as_of, display_name, role, life_stage, started_at, ended_at, biography,
                     public_summary, tags)::text as whole
        from ${rowsOf(sql, placed(snapshots))} as snapshot (
             place integer, label text, as_of timestamptz, ${fieldTypes(sql)})`,
    // All lists use this code, so that equal lists have equal texts.
    sql`
      select (s.label, s.as_of, coalesce(s.display_name, v.display_name), coalesce(s.role, v.role),
              coalesce(s.life_stage, v.life_stage), coalesce(s.started_at, v.started_at),
              coalesce(s.ended_at, v.ended_at), coalesce(s.biography, v.biography),
              coalesce(s.public_summary, v.public_summary),
              coalesce(s.tags, v.tags)::text)::text as whole
        from json_array_elements_text(${labels}::text::json) as wanted (label)
        join identity_snapshots s on s.owner_id = ${owner} and s.label = wanted.label
        left join identity_profile_revisions v
          on v.owner_id = s.owner_id and v.revision = s.profile_revision`,
  );
}

/**
 * Selects imported items that equal a stored row in all columns. Rows are compared as texts, and
 * grouped rather than joined, because the planner has no statistics on how many are equal.
 */
function equalRows(sql: Sql, items: Query<object>, stored: Query<object>): Query<EqualRow> {
  return sql<EqualRow>`
    select unnest(array_agg(place) filter (where place is not null)) as place
      from (select place, whole from (${items}) item
             union all
            select null, whole from (${stored}) stored) compared
     group by whole collate "C"
    having count(*) > count(place)`;
}

function placed<Item extends object>(items: readonly Item[]): readonly (Item & EqualRow)[] {
  return items.map((item, place) => ({ ...item, place }));
}

/**
 * Writes the import in one statement. The profile comes before the stages: one of two first imports
 * then waits for the other's profile, and neither holds a stage that the other needs.
 */
export function writeImport(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  { profile, stages, roles, snapshots }: DecidedImport,
  execution: ExecutionRow,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim},
    ${profileEntries(sql, owner, profile.row, profile.change)},
    ${stageEntries(sql, owner, stages)},
    role as (
      insert into identity_roles (owner_id, role_id, role, changed_at, reason, profile_revision,
                                  created_at, clocks)
      select ${owner}, role_id, role, changed_at, reason, profile_revision, created_at, clocks::json
        from claim, ${rowsOf(sql, roles)} as role (
             role_id text, role text, changed_at timestamptz, reason text,
             profile_revision integer, created_at timestamptz, clocks text)
       where verdict = 'GO'
    ),
    snapshot as (
      insert into identity_snapshots (owner_id, snapshot_id, label, as_of, profile_revision,
                                      created_at, clocks, ${namesOf(sql, FIELD_COLUMNS)})
      select ${owner}, snapshot_id, label, as_of, profile_revision, created_at, clocks::json,
             display_name, role, life_stage, started_at, ended_at, biography, public_summary,
             tags::json
        from claim, ${rowsOf(sql, snapshots)} as snapshot (
             snapshot_id text, label text, as_of timestamptz, profile_revision integer,
             created_at timestamptz, clocks text, ${fieldTypes(sql)})
       where verdict = 'GO'
    ),
    ${executionEntry(sql, owner, execution)},
    ${ledger.ctes}
    select verdict, envelope from claim`;
}

function stageEntries(sql: Sql, owner: string, stages: DecidedImport["stages"]): Query<object> {
  return sql`
    stage_root as (
      insert into identity_stages (owner_id, stage_id, revision, revision_id, created_at, updated_at,
                                   life_stage, title, started_at, ended_at, note, clocks)
      select ${owner}, stage_id, stage.revision, stage.revision_id, stage.created_at,
             stage.updated_at, stage.life_stage, title, stage.started_at, stage.ended_at, note,
             stage.clocks::json
        from written, ${rowsOf(sql, stages)} as stage (
             stage_id text, revision integer, revision_id text, created_at timestamptz,
             updated_at timestamptz, life_stage text, title text, started_at timestamptz,
             ended_at timestamptz, note text, clocks text)
      returning *
    ),
    stage_revision as (
      insert into identity_stage_revisions (owner_id, stage_id, revision, revision_id, change,
                                            created_at, life_stage, title, started_at, ended_at,
                                            note, clocks)
      select owner_id, stage_id, revision, revision_id, 'CREATED', updated_at, life_stage, title,
             started_at, ended_at, note, clocks
        from stage_root
    )`;
}

function rowsOf(sql: Sql, rows: readonly object[]): Query<object> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::text::json)`;
}

function fieldTypes(sql: Sql): Query<object> {
  return sql`display_name text, role text, life_stage text, started_at timestamptz,
    ended_at timestamptz, biography text, public_summary text, tags text`;
}
