/**
 * The two export documents of an identity.
 *
 * **JSON**: `{ "version": 1, "profile", "stages", "roles", "snapshots" }`, the body of an import
 * without its `conflictMode`. It has no identifiers and no fields without a value. The same state
 * gives the same bytes; so does an export after an import into an empty account.
 *
 * **CSV** (RFC 4180, CRLF): a summary for spreadsheets, not importable. A cell that would be read
 * as a formula begins with an apostrophe.
 *
 * Both write a time that has a clock as its local time, and others in UTC.
 */

import { Buffer } from "node:buffer";
import { sha256Hex } from "../../core/digest.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import {
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  SHA256,
  TEXT,
} from "../../validate/json_schema.ts";
import { JSON_CEILINGS } from "../../validate/json_limits.ts";
import { type Clocks, joinLocalTimes, NO_CLOCKS } from "../../validate/local_time.ts";
import type { IdentityFields } from "./fields.ts";

export const IDENTITY_EXPORT_FORMATS = ["json", "csv"] as const;
export type IdentityExportFormat = (typeof IDENTITY_EXPORT_FORMATS)[number];

interface IdentityExport {
  readonly format: IdentityExportFormat;
  readonly filename: string;
  readonly mediaType: string;
  /** Hex, of the content's UTF-8. */
  readonly sha256: string;
  readonly content: string;
  /** The number of oldest snapshots that would not fit an import. */
  readonly snapshotsLeftOut: number;
}

export const IDENTITY_EXPORT_SCHEMA: JsonSchema = component<IdentityExport>("IdentityExport", {
  format: enumOf(IDENTITY_EXPORT_FORMATS),
  filename: TEXT,
  mediaType: TEXT,
  sha256: SHA256,
  content: TEXT,
  snapshotsLeftOut: COUNT,
});

/** Times are in UTC. */
interface Clocked {
  readonly clocks: Clocks | null;
}

type Nullable<Names extends string> = Clocked & { readonly [Name in Names]: string | null };

export interface ExportedIdentity {
  readonly profile: IdentityFields & Clocked;
  /** Stages by their start, without archived ones. */
  readonly stages: readonly Nullable<"lifeStage" | "title" | "startedAt" | "endedAt" | "note">[];
  /** Roles by `changedAt`, then in the order of their entry. */
  readonly roles: readonly Nullable<"role" | "changedAt" | "reason">[];
  /** The newest snapshots, the newest last: at least as many as fit an import. */
  readonly snapshots: readonly ExportedSnapshot[];
  readonly snapshotCount: number;
}

interface ExportedSnapshot extends Nullable<"label" | "asOf"> {
  readonly fields?: IdentityFields;
}

export function writeExport(
  format: IdentityExportFormat,
  identity: ExportedIdentity,
): IdentityExport {
  const { mediaType, write } = SHAPES[format];
  const { content, snapshotsLeftOut } = write(identity);
  return {
    format,
    filename: `identity.${format}`,
    mediaType,
    sha256: sha256Hex(content),
    content,
    snapshotsLeftOut,
  };
}

type Written = Pick<IdentityExport, "content" | "snapshotsLeftOut">;

const SHAPES = {
  json: { mediaType: "application/json", write: writeJson },
  csv: { mediaType: "text/csv; charset=utf-8", write: writeCsv },
} as const;

/** Size limits of an importable document: below those of a body, with room for its mode. */
export const IMPORTABLE = {
  bytes: 2 * 1024 * 1024 - 1024,
  values: JSON_CEILINGS.nodes - 10,
} as const;

/** Writes as many of the newest snapshots as fit an import. */
function writeJson(identity: ExportedIdentity): Written {
  const base = {
    version: 1,
    profile: present(identity.profile),
    stages: identity.stages.map(present),
    roles: identity.roles.map(present),
    snapshots: [],
  };
  const snapshots = identity.snapshots.map(({ fields, ...about }) => ({
    ...present(about),
    fields: present({ ...fields, clocks: about.clocks }),
  }));
  const kept = newestFitting(base, snapshots);
  return {
    content: JSON.stringify({ ...base, snapshots: kept }),
    snapshotsLeftOut: identity.snapshotCount - kept.length,
  };
}

/** The longest end of the list that still fits an import; may be empty. */
function newestFitting(base: JsonObject, snapshots: readonly JsonObject[]): readonly JsonObject[] {
  let bytes = bytesOf(base);
  let values = valuesIn(base);
  const oldest = snapshots.findLastIndex((snapshot, index) => {
    bytes += bytesOf(snapshot) + (index === snapshots.length - 1 ? 0 : 1);
    values += valuesIn(snapshot);
    return bytes > IMPORTABLE.bytes || values > IMPORTABLE.values;
  });
  return snapshots.slice(oldest + 1);
}

function bytesOf(value: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function valuesIn(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + valuesIn(inner), 1);
}

/** The members that have a value. */
function present({ clocks, ...members }: Clocked): JsonObject {
  const values = Object.entries<JsonValue>(members).filter(([, value]) => value !== null);
  return joinLocalTimes(Object.fromEntries(values), clocks ?? NO_CLOCKS);
}

const CSV_HEADER = ["section", "name", "value", "from", "to"];

function writeCsv({ profile, stages, roles, snapshots }: ExportedIdentity): Written {
  const rows = [
    CSV_HEADER,
    ...Object.entries(present(profile)).map(([name, value]) => [
      "profile",
      name,
      Array.isArray(value) ? value.join("; ") : value,
    ]),
    ...stages.map(present).map((stage) => [
      "stage",
      stage.title,
      stage.lifeStage,
      stage.startedAt,
      stage.endedAt,
    ]),
    ...roles.map(present).map(({ role, reason, changedAt }) => ["role", role, reason, changedAt]),
    ...snapshots.map(present).map(({ label, asOf }) => ["snapshot", label, null, asOf]),
  ];
  const lines = rows.map((row) => CSV_HEADER.map((_, index) => cell(row[index] ?? "")).join(","));
  return { content: lines.map((line) => `${line}\r\n`).join(""), snapshotsLeftOut: 0 };
}

function cell(value: JsonValue): string {
  const text = String(value);
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
