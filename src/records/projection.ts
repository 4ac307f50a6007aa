/**
 * Projections: what a typed family shows of its roots through the Record Kernel's generic reads. The
 * family writes them with its own rows, in the same statement (specification, Processing order;
 * decisions, Projections).
 */

import type { Permission } from "../access/permissions.ts";
import type { JsonObject } from "../core/json.ts";
import type { Query, Sql } from "../database/sql.ts";
import { serialiseJson } from "../validate/json_output.ts";
import type { Change, RecordRow, SourceType } from "./record.ts";
import { recordEntries } from "./store.ts";

/** A root's present state as the Record Kernel keeps it, under the root's own numbers. */
export interface Projection {
  /** The root's identifier, which is the record's too. */
  readonly recordId: string;
  readonly moduleCode: string;
  /** Where a new record comes from; later revisions keep it. */
  readonly sourceType?: SourceType;
  readonly change: Change;
  /** 1 for a creation, then one more each time. */
  readonly revision: number;
  readonly revisionId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly archivedAt: Date | null;
  readonly title: string;
  readonly summary: string;
  /** Normal fields only: sensitive ones stay with the family. */
  readonly payload: JsonObject;
  /** The permission that a generic reader of the content needs from now on, in every revision. */
  readonly guard: Permission | null;
}

/**
 * The CTEs that write a projection: to be put between `${ledger.claim}` and `${ledger.entries}` of the
 * family's statement. They are named `record_root` and `record_revision`.
 */
export function projectionEntries(sql: Sql, owner: string, projection: Projection): Query<object> {
  return recordEntries(sql, owner, toRow(projection), projection.change);
}

function toRow(projection: Projection): RecordRow {
  return {
    record_id: projection.recordId,
    module_code: projection.moduleCode,
    revision: projection.revision,
    revision_id: projection.revisionId,
    source_type: projection.sourceType ?? "USER_INPUT",
    recorded_at: projection.createdAt,
    created_at: projection.createdAt,
    updated_at: projection.updatedAt,
    archived_at: projection.archivedAt,
    title: projection.title,
    summary: projection.summary,
    payload: serialiseJson(projection.payload),
    guard: projection.guard,
  };
}
