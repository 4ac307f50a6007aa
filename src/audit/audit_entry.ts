import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../kit/columns.ts";
import { choice, id, revision, shortText, stamp } from "../kit/kinds.ts";
import { component, type JsonSchema, nullable, TEXT, ULID } from "../validate/json_schema.ts";

/** Columns of `audit_entries` that every entry shows: never a value (specification, Events). */
export const AUDIT_COLUMNS = {
  audit_id: id,
  actor_id: id,
  credential_kind: choice(["SESSION", "TOKEN", "ADMIN", "SYSTEM"]),
  credential_id: id,
  operation: shortText(),
  // Null if the subject does not belong to a module.
  module_code: orNull(shortText()),
  subject_id: orNull(id),
  // Null for a subject without revisions.
  revision: orNull(revision),
  request_id: shortText(),
  created_at: stamp,
};

export interface AuditRow extends RowOf<typeof AUDIT_COLUMNS> {
  /** Absent or null without one. */
  readonly via_assistant?: string | null;
}

export interface AuditEntry extends ShownOf<typeof AUDIT_COLUMNS> {
  /** The assistant whose proposal the write accepted; absent from all other entries. */
  readonly viaAssistant?: string;
  /** With `titles=true`: the present title of the record; null if there is none to show. */
  readonly title?: string | null;
}

export const AUDIT_ENTRY_SCHEMA: JsonSchema = component<AuditEntry>("AuditEntry", {
  ...membersOf(AUDIT_COLUMNS),
  viaAssistant: ULID,
  title: nullable(TEXT),
}, ["viaAssistant", "title"]);

export function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    ...showColumns(AUDIT_COLUMNS, row),
    ...(typeof row.via_assistant === "string" && { viaAssistant: row.via_assistant }),
  };
}
