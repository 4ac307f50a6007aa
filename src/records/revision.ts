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
import type { LocalTimes } from "../validate/local_time.ts";
import {
  type Change,
  CHANGES,
  contentWithLocalTimes,
  HIDDEN_CONTENT,
  LOCAL_TIMES,
  STORED_PAYLOAD,
} from "./record.ts";

export interface PublicRevision {
  readonly revisionId: string;
  readonly recordId: string;
  readonly revision: number;
  readonly change: Change;
  readonly title: string;
  readonly summary: string;
  readonly payload: RawJson;
  readonly localTimes: LocalTimes;
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
  localTimes: LOCAL_TIMES,
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
  readonly clocks: string | null;
  readonly archived_at: Date | null;
  readonly created_at: Date;
}

/** Shows a revision; `hidden` depends on the record's current guard, for old revisions too. */
export function toPublicRevision(row: RevisionRow, hidden: boolean): PublicRevision {
  return {
    revisionId: row.revision_id,
    recordId: row.record_id,
    revision: row.revision,
    change: row.change,
    ...(hidden ? HIDDEN_CONTENT : contentWithLocalTimes(row)),
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    ...(hidden && { redacted: true }),
  };
}
