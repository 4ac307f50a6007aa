import { Buffer } from "node:buffer";
import type { ClaimRow, Ledger } from "../command/ledger.ts";
import type { Query, Sql } from "../database/sql.ts";
import {
  type Attachment,
  type AttachmentRow,
  type StoredAttachment,
  toStoredAttachment,
} from "./attachment.ts";
import type { Thumbnail } from "./thumbnail.ts";

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
  attachment: StoredAttachment,
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

/** Locks an attachment against concurrent writes of its thumbnail. */
export function lockAttachment(
  sql: Sql,
  owner: string,
  attachmentId: string,
): Query<AttachmentRow> {
  return sql<AttachmentRow>`
    select ${columns(sql)} from attachments a
     where a.owner_id = ${owner} and a.attachment_id = ${attachmentId} for no key update`;
}

export async function findAttachment(
  sql: Sql,
  owner: string,
  attachmentId: string,
): Promise<Attachment | null> {
  const [found = null] = await readAttachments(
    sql,
    sql`attachments a`,
    sql`where a.owner_id = ${owner} and a.attachment_id = ${attachmentId}`,
  );
  return found;
}

/** Returns those of the attachments that the owner has, in the order of their identifiers. */
export async function findAttachments(
  sql: Sql,
  owner: string,
  ids: readonly string[],
): Promise<Attachment[]> {
  return await readAttachments(
    sql,
    sql`
      json_array_elements_text(${JSON.stringify(ids)}::text::json) with ordinality as w (id, place)
      cross join lateral (
        select * from attachments where owner_id = ${owner} and attachment_id = w.id limit 1) a`,
    sql`order by w.place`,
  );
}

export async function listAttachments(
  sql: Sql,
  owner: string,
  cursor: string | null,
  limit: number,
): Promise<Attachment[]> {
  const before = cursor === null ? sql`` : sql`and a.attachment_id < ${cursor}`;
  return await readAttachments(
    sql,
    sql`attachments a`,
    sql`where a.owner_id = ${owner} ${before} order by a.attachment_id desc limit ${limit}`,
  );
}

type ShownRow = AttachmentRow & {
  readonly thumbnail_type: Thumbnail["mediaType"] | null;
  readonly thumbnail_size: number;
  readonly width: number;
  readonly height: number;
};

/**
 * A lateral query with a limit is a look-up for each row. Without it, a plan could read all rows of
 * the owner.
 *
 * @param attachments A source of rows with the alias `a`.
 */
async function readAttachments(
  sql: Sql,
  attachments: Query<object>,
  rest: Query<object>,
): Promise<Attachment[]> {
  const rows = await sql<ShownRow>`
    select ${
    columns(sql)
  }, t.media_type as thumbnail_type, t.size as thumbnail_size, t.width, t.height
      from ${attachments} left join lateral (
        select media_type, octet_length(bytes) as size, width, height from attachment_thumbnails t
         where t.owner_id = a.owner_id and t.attachment_id = a.attachment_id limit 1) t on true
     ${rest}`;
  return rows.map((row) => {
    const { thumbnail_type: mediaType, thumbnail_size: size, width, height } = row;
    const thumbnail = mediaType === null ? null : { mediaType, size, width, height };
    return { ...toStoredAttachment(row), thumbnail };
  });
}

function columns(sql: Sql): Query<object> {
  return sql`a.attachment_id, a.size::double precision as size, encode(a.sha256, 'hex') as sha256,
    a.media_type, a.filename, a.created_at`;
}
