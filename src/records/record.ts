import { isoText } from "../core/clock.ts";
import { type Caller, hidesSecret } from "../access/identity.ts";
import type { Permission } from "../access/permissions.ts";
import { quote, RawJson } from "../validate/json_output.ts";
import {
  ANY_OBJECT,
  component,
  enumOf,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import { string } from "../validate/schema.ts";

/** Maximum code points of a title. */
export const TITLE_LENGTH = 200;

/** The shapes of title and summary (specification, Limits). */
export const RECORD_TITLE = string({ maximum: TITLE_LENGTH });
export const RECORD_SUMMARY = string({ maximum: 1000, blank: true, multiline: true });

/** The source of a record. A client cannot set it (decisions, Record Kernel). */
export const SOURCE_TYPES = ["USER_INPUT", "IMPORT", "SEED", "SYSTEM"] as const;

export type SourceType = (typeof SOURCE_TYPES)[number];

/** The kinds of revisions of a record. */
export const CHANGES = ["CREATED", "MODIFIED", "ARCHIVED", "RESTORED"] as const;

export type Change = (typeof CHANGES)[number];

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
  readonly redacted?: true;
}

/** A stored payload, with its module's fields. */
export const STORED_PAYLOAD: JsonSchema = {
  ...ANY_OBJECT,
  description: "The fields of the module, as RecordPayload_{moduleCode} lists them. Empty where " +
    "`redacted` is true; of a module with dedicated routes, its normal fields only.",
};

export const RECORD_SCHEMA: JsonSchema = component<PublicRecord>("Record", {
  recordId: ULID,
  moduleCode: TEXT,
  title: TEXT,
  summary: TEXT,
  payload: STORED_PAYLOAD,
  revision: REVISION,
  sourceType: enumOf(SOURCE_TYPES),
  recordedAt: TIME,
  createdAt: TIME,
  updatedAt: TIME,
  archivedAt: nullable(TIME),
  redacted: { const: true },
}, ["redacted"]);

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
  /** The permission that a reader of the content currently needs; null for none. */
  readonly guard: Permission | null;
}

/** The permissions of a credential. */
export type Permissions = ReadonlySet<Permission>;

/** True if a reader lacks the guard's permission, which applies to every revision. */
export function isHidden(guard: Permission | null, permissions: Permissions): boolean {
  return guard !== null && !permissions.has(guard);
}

/**
 * Whether a record's guard hides its content from a reader, in any revision. If the content is shown
 * although there is a guard, the read is noted.
 */
export function hides(guard: Permission | null, reader: Caller, recordId: string): boolean {
  return guard !== null && hidesSecret(reader, guard, recordId);
}

/** The content of a hidden record or revision. */
export const HIDDEN_CONTENT = { title: "", summary: "", payload: new RawJson("{}") } as const;

/** The public form of a row, without its content if the reader lacks the guard's permission. */
export function toPublicRecord(row: RecordRow, permissions: Permissions): PublicRecord {
  const hidden = isHidden(row.guard, permissions);
  const { title, summary, payload } = hidden ? HIDDEN_CONTENT : contentOf(row);
  const record = {
    recordId: row.record_id,
    moduleCode: row.module_code,
    title,
    summary,
    payload,
    revision: row.revision,
    sourceType: row.source_type,
    recordedAt: isoText(row.recorded_at),
    createdAt: isoText(row.created_at),
    updatedAt: isoText(row.updated_at),
    archivedAt: row.archived_at === null ? null : isoText(row.archived_at),
  };
  return hidden ? { ...record, redacted: true } : record;
}

/** The public form of a row for its reader. If it shows guarded content, the read is noted. */
export function showRecord(row: RecordRow, reader: Caller): PublicRecord {
  hides(row.guard, reader, row.record_id);
  return toPublicRecord(row, reader.permissions);
}

/**
 * A record as `serialiseJson` writes it, in a fraction of the time: a page has fifty. Identifiers, names
 * and moments are spliced as they are, since the checks of the tables leave nothing in them to escape.
 *
 * @throws UnsafeOutputError for a lone surrogate.
 */
export function toRecordJson(record: PublicRecord): RawJson {
  const archivedAt = record.archivedAt === null ? "null" : `"${record.archivedAt}"`;
  const redacted = record.redacted === true ? ',"redacted":true' : "";
  return new RawJson(
    `{"recordId":"${record.recordId}","moduleCode":"${record.moduleCode}",` +
      `"title":${quote(record.title)},"summary":${quote(record.summary)},` +
      `"payload":${record.payload.text},"revision":${record.revision},` +
      `"sourceType":"${record.sourceType}","recordedAt":"${record.recordedAt}",` +
      `"createdAt":"${record.createdAt}","updatedAt":"${record.updatedAt}",` +
      `"archivedAt":${archivedAt}${redacted}}`,
  );
}

/** The content of a stored row as it is. */
export function contentOf(row: Pick<RecordRow, "title" | "summary" | "payload">): {
  readonly title: string;
  readonly summary: string;
  readonly payload: RawJson;
} {
  const { title, summary, payload } = row;
  return { title, summary, payload: new RawJson(payload) };
}
