import { type Caller, hidesSecret } from "../access/identity.ts";
import type { Permission } from "../access/permissions.ts";
import { payloadAttachmentIds } from "../catalog/attachment_fields.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { isoText } from "../core/clock.ts";
import { ATTACHMENT_IDS } from "../validate/attachment_ids.ts";
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
import { LOCAL_TIME, type LocalTimes, localTimesOf, parseClocks } from "../validate/local_time.ts";
import { string } from "../validate/schema.ts";

/** In code points. */
export const TITLE_LENGTH = 200;

/** Specification, Limits. */
export const RECORD_TITLE = string({ maximum: TITLE_LENGTH });
export const RECORD_SUMMARY = string({ maximum: 1000, blank: true, multiline: true });

/** Clients cannot set it (decisions, Record Kernel). */
export const SOURCE_TYPES = ["USER_INPUT", "IMPORT", "SEED", "SYSTEM"] as const;

export type SourceType = (typeof SOURCE_TYPES)[number];

export const CHANGES = ["CREATED", "MODIFIED", "ARCHIVED", "RESTORED"] as const;

export type Change = (typeof CHANGES)[number];

/** A record as shown (specification, Generic record). */
export interface PublicRecord {
  readonly recordId: string;
  readonly moduleCode: string;
  readonly title: string;
  readonly summary: string;
  readonly payload: RawJson;
  readonly localTimes: LocalTimes;
  /** Absent in a read of a revision and in version 1. */
  readonly attachmentIds?: readonly string[];
  readonly revision: number;
  readonly sourceType: string;
  readonly recordedAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly redacted?: true;
}

export const STORED_PAYLOAD: JsonSchema = {
  ...ANY_OBJECT,
  description: "The fields of the module, as RecordPayload_{moduleCode} lists them. Empty if " +
    "`redacted` is true; of a module with dedicated routes, its normal fields only.",
};

/** The times of a payload that have a clock. */
export const LOCAL_TIMES: JsonSchema = { type: "object", additionalProperties: LOCAL_TIME };

export const RECORD_SCHEMA: JsonSchema = component<PublicRecord>("Record", {
  recordId: ULID,
  moduleCode: TEXT,
  title: TEXT,
  summary: TEXT,
  payload: STORED_PAYLOAD,
  localTimes: LOCAL_TIMES,
  attachmentIds: ATTACHMENT_IDS,
  revision: REVISION,
  sourceType: enumOf(SOURCE_TYPES),
  recordedAt: TIME,
  createdAt: TIME,
  updatedAt: TIME,
  archivedAt: nullable(TIME),
  redacted: { const: true },
}, ["attachmentIds", "redacted"]);

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
  /** JSON text, parsed only if someone other than the client reads it. */
  readonly payload: string;
  /** JSON text of `Clocks`; null without any. */
  readonly clocks: string | null;
  /** Permission that a reader of the content currently needs; or null. */
  readonly guard: Permission | null;
}

export type Permissions = ReadonlySet<Permission>;

/** True if the reader lacks the guard's permission, which applies to every revision. */
export function isHidden(guard: Permission | null, permissions: Permissions): boolean {
  return guard !== null && !permissions.has(guard);
}

/** Like `isHidden`; notes the read of guarded content that is shown. */
export function hides(guard: Permission | null, reader: Caller, recordId: string): boolean {
  return guard !== null && hidesSecret(reader, guard, recordId);
}

export const HIDDEN_CONTENT = {
  title: "",
  summary: "",
  payload: new RawJson("{}"),
  localTimes: {},
} as const;

/**
 * Shows a record, without its content if the reader lacks the guard's permission.
 *
 * @param module The record's module; null to leave out `attachmentIds`.
 */
export function toPublicRecord(
  row: RecordRow,
  permissions: Permissions,
  module: CatalogModule | null,
): PublicRecord {
  const hidden = isHidden(row.guard, permissions);
  const content = hidden ? HIDDEN_CONTENT : contentWithLocalTimes(row);
  const record = {
    recordId: row.record_id,
    moduleCode: row.module_code,
    ...content,
    ...(module && {
      attachmentIds: hidden ? [] : payloadAttachmentIds(module, JSON.parse(row.payload)),
    }),
    revision: row.revision,
    sourceType: row.source_type,
    recordedAt: isoText(row.recorded_at),
    createdAt: isoText(row.created_at),
    updatedAt: isoText(row.updated_at),
    archivedAt: row.archived_at === null ? null : isoText(row.archived_at),
  };
  return hidden ? { ...record, redacted: true } : record;
}

/** Like `toPublicRecord`; notes the read of guarded content. */
export function showRecord(
  row: RecordRow,
  reader: Caller,
  module: CatalogModule | null,
): PublicRecord {
  hides(row.guard, reader, row.record_id);
  return toPublicRecord(row, reader.permissions, module);
}

/**
 * Returns the same text as `serialiseJson`, but much faster: a page has fifty records. Identifiers,
 * names and moments are inserted unescaped, because the tables' checks leave nothing to escape.
 *
 * @throws UnsafeOutputError for a lone surrogate.
 */
export function toRecordJson(record: PublicRecord): RawJson {
  const archivedAt = record.archivedAt === null ? "null" : `"${record.archivedAt}"`;
  const redacted = record.redacted === true ? ',"redacted":true' : "";
  const { attachmentIds } = record;
  const files = attachmentIds ? `"attachmentIds":${JSON.stringify(attachmentIds)},` : "";
  return new RawJson(
    `{"recordId":"${record.recordId}","moduleCode":"${record.moduleCode}",` +
      `"title":${quote(record.title)},"summary":${quote(record.summary)},` +
      `"payload":${record.payload.text},"localTimes":${JSON.stringify(record.localTimes)},` +
      `${files}"revision":${record.revision},` +
      `"sourceType":"${record.sourceType}","recordedAt":"${record.recordedAt}",` +
      `"createdAt":"${record.createdAt}","updatedAt":"${record.updatedAt}",` +
      `"archivedAt":${archivedAt}${redacted}}`,
  );
}

/** The content of a stored row, unchanged. */
export function contentOf(row: Pick<RecordRow, "title" | "summary" | "payload">): {
  readonly title: string;
  readonly summary: string;
  readonly payload: RawJson;
} {
  const { title, summary, payload } = row;
  return { title, summary, payload: new RawJson(payload) };
}

/** Like `contentOf`, with `localTimes`. */
export function contentWithLocalTimes(
  row: Pick<RecordRow, "title" | "summary" | "payload" | "clocks">,
): Pick<PublicRecord, "title" | "summary" | "payload" | "localTimes"> {
  const { payload, clocks } = row;
  const localTimes = clocks === null ? {} : localTimesOf(JSON.parse(payload), parseClocks(clocks));
  return { ...contentOf(row), localTimes };
}
