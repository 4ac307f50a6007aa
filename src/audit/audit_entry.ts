import type { AuditRow } from "./audit_trail.ts";
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

/** An audit entry as shown: what happened, never a value (specification, Events). */
export interface AuditEntry {
  readonly auditId: string;
  readonly actorId: string;
  readonly credentialKind: string;
  readonly credentialId: string;
  readonly operation: string;
  /** Null if the subject does not belong to a module. */
  readonly moduleCode: string | null;
  readonly subjectId: string | null;
  /** Null for a subject without revisions. */
  readonly revision: number | null;
  readonly requestId: string;
  readonly createdAt: string;
  /** The assistant whose proposal the write accepted; absent from all other entries. */
  readonly viaAssistant?: string;
  /** With `titles=true`: the present title of the record; null if there is none to show. */
  readonly title?: string | null;
}

export const AUDIT_ENTRY_SCHEMA: JsonSchema = component<AuditEntry>("AuditEntry", {
  auditId: ULID,
  actorId: ULID,
  credentialKind: enumOf(["SESSION", "TOKEN", "ADMIN", "SYSTEM"]),
  credentialId: ULID,
  operation: TEXT,
  moduleCode: nullable(TEXT),
  subjectId: nullable(ULID),
  revision: nullable(REVISION),
  requestId: TEXT,
  createdAt: TIME,
  viaAssistant: ULID,
  title: nullable(TEXT),
}, ["viaAssistant", "title"]);

export function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    auditId: row.audit_id,
    actorId: row.actor_id,
    credentialKind: row.credential_kind,
    credentialId: row.credential_id,
    operation: row.operation,
    moduleCode: row.module_code,
    subjectId: row.subject_id,
    revision: row.revision,
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
    ...(typeof row.via_assistant === "string" && { viaAssistant: row.via_assistant }),
  };
}
