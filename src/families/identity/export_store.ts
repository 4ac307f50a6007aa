/** Reads an export in one statement, from one point in time. */

import type { Query, Sql } from "../../database/sql.ts";
import { parseClocks } from "../../validate/local_time.ts";
import { type ExportedIdentity, type IdentityExportFormat, IMPORTABLE } from "./export_document.ts";
import { type FieldColumns, showFields, timeText } from "./fields.ts";
import { frozenClocks, frozenFields } from "./snapshot_store.ts";
import { liveStages } from "./stage_store.ts";

/** More snapshots than fit an import: each has at least four values. */
const MAX_SNAPSHOTS = Math.ceil(IMPORTABLE.values / 4);

interface ExportRow extends FieldColumns {
  readonly clocks: string | null;
  readonly stages: string;
  readonly roles: string;
  readonly snapshots: string;
  readonly snapshot_count: number;
}

/** Undefined without a profile. */
export async function readExported(
  sql: Sql,
  owner: string,
  format: IdentityExportFormat,
): Promise<ExportedIdentity | undefined> {
  const snapshots = format === "json" ? wholeSnapshots(sql, owner) : namedSnapshots(sql, owner);
  const [row] = await sql<ExportRow>`
    select display_name, role, life_stage, started_at, ended_at, biography, public_summary,
           tags::text as tags, clocks::text as clocks, (${stages(sql, owner)}) as stages,
           (${roles(sql, owner)}) as roles, (${snapshots}) as snapshots,
           (select count(*)::integer from identity_snapshots where owner_id = ${owner})
             as snapshot_count
      from identity_profiles where owner_id = ${owner}`;
  return row && {
    profile: { ...showFields(row), clocks: parseClocks(row.clocks) },
    stages: JSON.parse(row.stages),
    roles: JSON.parse(row.roles),
    snapshots: JSON.parse(row.snapshots),
    snapshotCount: row.snapshot_count,
  };
}

function stages(sql: Sql, owner: string): Query<object> {
  return sql`
    select coalesce(json_agg(json_build_object(
             'lifeStage', life_stage, 'title', title, 'startedAt', ${
    timeText(sql, sql`started_at`)
  }, 'endedAt', ${timeText(sql, sql`ended_at`)}, 'note', note, 'clocks', clocks)
             order by started_at), '[]')::text
      from ${liveStages(sql, owner)} live`;
}

function roles(sql: Sql, owner: string): Query<object> {
  return sql`
    select coalesce(json_agg(json_build_object(
             'role', role, 'changedAt', ${timeText(sql, sql`changed_at`)}, 'reason', reason,
             'clocks', clocks)
             order by changed_at, role_id), '[]')::text
      from identity_roles where owner_id = ${owner}`;
}

function namedSnapshots(sql: Sql, owner: string): Query<object> {
  return sql`
    select coalesce(json_agg(json_build_object(
             'label', label, 'asOf', ${
    timeText(sql, sql`as_of`)
  }, 'clocks', clocks) order by snapshot_id), '[]')::text
      from identity_snapshots where owner_id = ${owner}`;
}

/**
 * The newest snapshots whose texts together are not larger than an import may be; in JSON they only
 * grow. The server knows a text's size without reading it.
 */
function wholeSnapshots(sql: Sql, owner: string): Query<object> {
  return sql`
    select coalesce(json_agg(json_build_object(
             'label', s.label, 'asOf', ${timeText(sql, sql`s.as_of`)}, 'fields', ${
    frozenFields(sql)
  }, 'clocks', ${frozenClocks(sql)}) order by s.snapshot_id), '[]')::text
      from (
        select snapshot_id, sum(bytes) over (order by snapshot_id desc) as total
          from (
            select s.snapshot_id, ${textBytes(sql)} as bytes
              from identity_snapshots s left join identity_profile_revisions v
                on v.owner_id = s.owner_id and v.revision = s.profile_revision
             where s.owner_id = ${owner}
             order by s.snapshot_id desc limit ${MAX_SNAPSHOTS}::integer
          ) newest
      ) sized
      join identity_snapshots s on s.owner_id = ${owner} and s.snapshot_id = sized.snapshot_id
      left join identity_profile_revisions v
        on v.owner_id = s.owner_id and v.revision = s.profile_revision
     where sized.total <= ${IMPORTABLE.bytes}::integer`;
}

function textBytes(sql: Sql): Query<object> {
  const bytes = (column: Query<object>) => sql`coalesce(octet_length(${column}), 0)`;
  return sql`octet_length(s.label) + ${bytes(sql`coalesce(s.display_name, v.display_name)`)}
    + ${bytes(sql`coalesce(s.role, v.role)`)} + ${bytes(sql`coalesce(s.biography, v.biography)`)}
    + ${bytes(sql`coalesce(s.public_summary, v.public_summary)`)}
    + ${bytes(sql`coalesce(s.tags, v.tags)::text`)}`;
}
