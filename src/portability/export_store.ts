import { Buffer } from "node:buffer";
import type { ClaimRow, Ledger } from "../command/ledger.ts";
import type { Query, Sql } from "../database/sql.ts";
import {
  component,
  COUNT,
  type JsonSchema,
  SHA256,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import type { RowCounts } from "./export_format.ts";

export interface AccountExport {
  readonly exportId: string;
  readonly filename: string;
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  readonly counts: RowCounts;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export const COUNTS_SCHEMA: JsonSchema = { type: "object", additionalProperties: COUNT };

export const ACCOUNT_EXPORT_SCHEMA: JsonSchema = component<AccountExport>("AccountExportFile", {
  exportId: ULID,
  filename: TEXT,
  mediaType: TEXT,
  size: COUNT,
  sha256: SHA256,
  counts: COUNTS_SCHEMA,
  createdAt: TIME,
  expiresAt: TIME,
});

interface AccountExportRow {
  readonly export_id: string;
  readonly filename: string;
  readonly media_type: string;
  readonly size: number;
  readonly sha256: string;
  readonly counts: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

export function insertAccountExport(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  session: string,
  made: AccountExport,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim},
    export as (
      insert into account_exports (owner_id, export_id, session_id, filename, media_type, size,
                                   sha256, counts, created_at, expires_at)
      select ${owner}, ${made.exportId}, ${session}, ${made.filename}, ${made.mediaType},
             ${made.size}::bigint, ${Buffer.from(made.sha256, "hex")}::bytea,
             ${JSON.stringify(made.counts)}::text::json, ${made.createdAt}::text::timestamptz,
             ${made.expiresAt}::text::timestamptz
        from claim where verdict = 'GO'
    ),
    ${ledger.ctes}
    select verdict, envelope from claim`;
}

/** Finds an export, even an expired one. */
export async function findAccountExport(
  sql: Sql,
  owner: string,
  exportId: string,
): Promise<AccountExport | null> {
  const [row] = await sql<AccountExportRow>`
    select ${columns(sql)} from account_exports
     where owner_id = ${owner} and export_id = ${exportId}`;
  return row === undefined ? null : toExport(row);
}

/** Finds an export that its session may read now. */
export async function findOpenAccountExport(
  sql: Sql,
  owner: string,
  session: string,
  exportId: string,
  now: Date,
): Promise<AccountExport | null> {
  const [row] = await sql<AccountExportRow>`
    select ${columns(sql)} from account_exports
     where owner_id = ${owner} and export_id = ${exportId} and session_id = ${session}
       and expires_at > ${now}`;
  return row === undefined ? null : toExport(row);
}

function columns(sql: Sql): Query<object> {
  return sql`export_id, filename, media_type, size::double precision as size,
    encode(sha256, 'hex') as sha256, counts::text as counts, created_at, expires_at`;
}

function toExport(row: AccountExportRow): AccountExport {
  return {
    exportId: row.export_id,
    filename: row.filename,
    mediaType: row.media_type,
    size: row.size,
    sha256: row.sha256,
    counts: JSON.parse(row.counts),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}
