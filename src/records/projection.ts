/**
 * Projections: records that show a typed family's roots in generic reads. The family writes them
 * with its own rows, in the same statement (specification, Processing order; decisions,
 * Projections).
 */

import type { Permission } from "../access/permissions.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { JsonObject } from "../core/json.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { ArchivableRow } from "../kit/root.ts";
import { serialiseJson } from "../validate/json_output.ts";
import { type Change, CHANGES, type RecordRow, type SourceType } from "./record.ts";
import { recordEntries } from "./record_store.ts";
import { type IndexedRecord, indexRows } from "./search_index/index_store.ts";
import { orderEntry } from "./search_index/order_entry.ts";
import { indexedTexts } from "./search_index/texts.ts";

/** A root's current state as a record, with the root's revision numbers. */
export interface Projection {
  readonly recordId: string;
  readonly module: CatalogModule;
  /** Source of a new record; later revisions keep it. */
  readonly sourceType?: SourceType;
  readonly change: Change;
  /** The revision's number: 1 for a creation, then one more each time. */
  readonly revision: number;
  readonly revisionId: string;
  /** When another product recorded it; by default `createdAt`. */
  readonly recordedAt?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly archivedAt: Date | null;
  readonly title: string;
  readonly summary: string;
  /** The payload without sensitive fields, which stay with the family. */
  readonly payload: JsonObject;
  /** Those of the payload's times, as in a column `clocks`. */
  readonly clocks: string | null;
  /** The own time, if the payload does not have it; null for none. */
  readonly ownTime?: Date | null;
  /** Fields that only the family shows; they are searched like the payload. */
  readonly unshown: JsonObject;
  /** Permission that a generic reader of any revision's content needs from now on. */
  readonly guard: Permission | null;
  /** True if no assistant sees the record, although it is not guarded. */
  readonly isSealed?: boolean;
}

/** Source of a new record, and its time if another product recorded it. */
export type RecordOrigin = Pick<Projection, "sourceType" | "recordedAt">;

/** The members of a projection that a root's row does not give. */
type ProjectedParts =
  & Pick<Projection, "recordId" | "module" | "title" | "summary" | "payload">
  & Partial<Pick<Projection, "clocks" | "ownTime" | "unshown" | "guard" | "isSealed">>
  & RecordOrigin;

/**
 * @param change The root's kind of change; `MODIFIED` for kinds that records do not have.
 * @param parts By default no time has a clock, and nothing is unshown or guarded.
 */
export function toProjection(
  row: ArchivableRow,
  change: string,
  parts: ProjectedParts,
): Projection {
  return {
    change: CHANGES.find((known) => known === change) ?? "MODIFIED",
    revision: row.revision,
    revisionId: row.revision_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    clocks: null,
    unshown: {},
    guard: null,
    ...parts,
  };
}

/**
 * CTEs of a projection, between `${ledger.claim}` and `${ledger.ctes}`, as `recordEntries`.
 */
export function projectionEntries(sql: Sql, owner: string, projection: Projection): Query<object> {
  const { change } = projection;
  return recordEntries(sql, owner, [
    { row: toRow(projection), change, indexed: toIndexed(projection) },
  ]);
}

/**
 * CTEs of many projections in one statement, new ones and next revisions: `projected`,
 * `record_created`, `record_changed`, `record_revision`, `indexed` and `ordered`. No record may
 * occur twice. Place them like those of `projectionEntries`.
 */
export function manyProjectionEntries(
  sql: Sql,
  owner: string,
  projections: readonly Projection[],
): Query<object> {
  return sql`
    projected as (${projectedRows(sql, projections)}),
    record_created as (
      insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                           recorded_at, created_at, updated_at, archived_at, title, summary, payload,
                           clocks, guard)
      select ${owner}, record_id, module_code, revision, revision_id, source_type, recorded_at,
             created_at, updated_at, archived_at, title, summary, payload::json, clocks::json,
             guard
        from claim, projected where verdict = 'GO' and change = 'CREATED'
    ),
    record_changed as (
      update records
         set revision = projected.revision, revision_id = projected.revision_id,
             updated_at = projected.updated_at, archived_at = projected.archived_at,
             title = projected.title, summary = projected.summary,
             payload = projected.payload::json, clocks = projected.clocks::json,
             clocks_revision = projected.revision, guard = projected.guard
        from claim, projected
       where records.owner_id = ${owner} and records.record_id = projected.record_id
         and verdict = 'GO' and change <> 'CREATED'
    ),
    record_revision as (
      insert into record_revisions (owner_id, record_id, revision, revision_id, module_code, change,
                                    title, summary, payload, clocks, archived_at, created_at)
      select ${owner}, record_id, revision, revision_id, module_code, change, title, summary,
             payload::json, clocks::json, archived_at, updated_at
        from claim, projected where verdict = 'GO'
    ),
    ${
    indexRows(sql, owner, projections.map(toIndexed), sql`where (select verdict from claim) = 'GO'`)
  }`;
}

function projectedRows(sql: Sql, projections: readonly Projection[]): Query<object> {
  const rows = projections.map((projection) => ({
    ...toRow(projection),
    change: projection.change,
  }));
  return sql`
    select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as projection (
      record_id text, module_code text, revision integer, revision_id text, source_type text,
      recorded_at timestamptz, created_at timestamptz, updated_at timestamptz,
      archived_at timestamptz, title text, summary text, payload text, clocks text,
      guard text, change text)`;
}

function toRow(projection: Projection): RecordRow {
  return {
    record_id: projection.recordId,
    module_code: projection.module.code,
    revision: projection.revision,
    revision_id: projection.revisionId,
    source_type: projection.sourceType ?? "USER_INPUT",
    recorded_at: projection.recordedAt ?? projection.createdAt,
    created_at: projection.createdAt,
    updated_at: projection.updatedAt,
    archived_at: projection.archivedAt,
    title: projection.title,
    summary: projection.summary,
    payload: serialiseJson(projection.payload),
    clocks: projection.clocks,
    guard: projection.guard,
  };
}

function toIndexed(projection: Projection): IndexedRecord {
  const { recordId, module, title, summary, payload, unshown, isSealed = false } = projection;
  const row = toRow(projection);
  const content = { title, summary, fields: { ...payload, ...unshown } };
  const texts = indexedTexts(module, content, row.guard !== null || isSealed);
  return { recordId, title, texts, order: orderEntry(module, row, payload, projection.ownTime) };
}
