import { Buffer } from "node:buffer";
import type { ClaimRow, Ledger } from "../command/ledger.ts";
import type { Query, Sql } from "../database/sql.ts";
import { type Attachment, type AttachmentRow, toAttachment } from "./attachment.ts";

/**
 * Adds to the owner's sum, on which the quota is a CHECK. It stays locked until the transaction
 * ends, so that concurrent uploads of one owner take turns.
 */
export async function addUsage(sql: Sql, owner: string, size: number): Promise<void> {
  await sql`
    insert into attachment_usage (owner_id, bytes) values (${owner}, ${size}::bigint)
    on conflict (owner_id) do update set bytes = attachment_usage.bytes + excluded.bytes`;
}

/** Returns the sum of the owner's sizes. */
export async function readUsage(sql: Sql, owner: string): Promise<number> {
  const [row] = await sql<{ bytes: number }>`
    select bytes::double precision as bytes from attachment_usage where owner_id = ${owner}`;
  return row?.bytes ?? 0;
}

/**
 * Call this after `addUsage`, in a later statement, so that it sees the commits that `addUsage`
 * waited for.
 */
export async function hasAttachments(sql: Sql, owner: string, count: number): Promise<boolean> {
  const last = await sql`
    select 1 from attachments where owner_id = ${owner}
     order by attachment_id offset ${count - 1}::bigint limit 1`;
  return last.length > 0;
}

export function insertAttachment(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  attachment: Attachment,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim},
    attachment as (
      insert into attachments (owner_id, attachment_id, size, sha256, media_type, filename,
                               created_at)
      select ${owner}, ${attachment.attachmentId}, ${attachment.size}::bigint,
             ${Buffer.from(attachment.sha256, "hex")}::bytea, ${attachment.mediaType},
             ${attachment.filename}, ${attachment.createdAt}::text::timestamptz
        from claim where verdict = 'GO'
    ),
    ${ledger.ctes}
    select verdict, envelope from claim`;
}

export async function findAttachment(
  sql: Sql,
  owner: string,
  attachmentId: string,
): Promise<Attachment | null> {
  const [row] = await sql<AttachmentRow>`
    select ${columns(sql)} from attachments
     where owner_id = ${owner} and attachment_id = ${attachmentId}`;
  return row === undefined ? null : toAttachment(row);
}

export async function listAttachments(
  sql: Sql,
  owner: string,
  cursor: string | null,
  limit: number,
): Promise<Attachment[]> {
  const before = cursor === null ? sql`` : sql`and attachment_id < ${cursor}`;
  const rows = await sql<AttachmentRow>`
    select ${columns(sql)} from attachments
     where owner_id = ${owner} ${before} order by attachment_id desc limit ${limit}`;
  return rows.map(toAttachment);
}

function columns(sql: Sql): Query<object> {
  return sql`attachment_id, size::double precision as size, encode(sha256, 'hex') as sha256,
    media_type, filename, created_at`;
}
