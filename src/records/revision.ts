import type { Permission } from "../access/permissions.ts";
import type { RawJson } from "../validate/json_output.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import { type Change, CHANGES, contentOf, HIDDEN_CONTENT, STORED_PAYLOAD } from "./record.ts";

export interface PublicRevision {
  readonly revisionId: string;
  readonly recordId: string;
  readonly revision: number;
  readonly change: Change;
  readonly title: string;
  readonly summary: string;
  readonly payload: RawJson;
  readonly archivedAt: string | null;
  readonly createdAt: string;
  readonly redacted?: true;
}

export const REVISION_SCHEMA: JsonSchema = component<PublicRevision>("RecordRevision", {
  revisionId: ULID,
  recordId: ULID,
  revision: REVISION,
  change: enumOf(CHANGES),
  title: TEXT,
  summary: TEXT,
  payload: STORED_PAYLOAD,
  archivedAt: nullable(TIME),
  createdAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

export interface HistoryRow {
  /** Read in the same statement as the content. */
  readonly guard: Permission | null;
}

export interface RevisionRow extends HistoryRow {
  readonly revision_id: string;
  readonly record_id: string;
  readonly revision: number;
  readonly change: Change;
  readonly title: string;
  readonly summary: string;
  readonly payload: string;
  readonly archived_at: Date | null;
  readonly created_at: Date;
}

/** Shows a revision; `hidden` depends on the record's current guard, for old revisions too. */
export function toPublicRevision(row: RevisionRow, hidden: boolean): PublicRevision {
  const { title, summary, payload } = hidden ? HIDDEN_CONTENT : contentOf(row);
  return {
    revisionId: row.revision_id,
    recordId: row.record_id,
    revision: row.revision,
    change: row.change,
    title,
    summary,
    payload,
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    ...(hidden && { redacted: true }),
  };
}
