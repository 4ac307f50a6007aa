import { RawJson } from "../validate/json_output.ts";

/** A record as a client sees it (specification, Generic record). */
export interface PublicRecord {
  readonly recordId: string;
  readonly moduleCode: string;
  readonly title: string;
  readonly summary: string;
  readonly payload: RawJson;
  readonly revision: number;
  readonly sourceType: string;
  readonly recordedAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
}

/** A record, or one of its revisions, as read from the database. */
export interface RecordRow {
  readonly record_id: string;
  readonly module_code: string;
  readonly revision: number;
  readonly revision_id: string;
  readonly source_type: string;
  readonly recorded_at: Date;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly archived_at: Date | null;
  readonly title: string;
  readonly summary: string;
  /** JSON text, handed on without being parsed wherever only the client reads it. */
  readonly payload: string;
}

/** The public form of a row. */
export function toPublicRecord(row: RecordRow): PublicRecord {
  return {
    recordId: row.record_id,
    moduleCode: row.module_code,
    title: row.title,
    summary: row.summary,
    payload: new RawJson(row.payload),
    revision: row.revision,
    sourceType: row.source_type,
    recordedAt: row.recorded_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    archivedAt: row.archived_at?.toISOString() ?? null,
  };
}
