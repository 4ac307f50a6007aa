import { Buffer } from "node:buffer";
import type { ClaimRow } from "../command/ledger.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Thumbnail } from "./thumbnail.ts";

export interface StoredThumbnail {
  readonly mediaType: Thumbnail["mediaType"];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function hasBytes({ bytes }: StoredThumbnail, others: Uint8Array): boolean {
  return Buffer.compare(bytes, others) === 0;
}

export async function findThumbnail(
  sql: Sql,
  owner: string,
  attachmentId: string,
): Promise<StoredThumbnail | null> {
  const [row] = await sql<StoredThumbnail>`
    select media_type as "mediaType", bytes from attachment_thumbnails
     where owner_id = ${owner} and attachment_id = ${attachmentId}`;
  return row ?? null;
}

/**
 * Claims and inserts in one statement. It writes no audit entry, because the person's own content
 * stays the same.
 */
export function insertThumbnail(
  sql: Sql,
  claim: Query<object>,
  attachmentId: string,
  { mediaType, width, height }: Thumbnail,
  bytes: Uint8Array,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${claim},
    thumbnail as (
      insert into attachment_thumbnails (owner_id, attachment_id, media_type, width, height, bytes,
                                         created_at)
      select owner_id, ${attachmentId}, ${mediaType}, ${width}::smallint, ${height}::smallint,
             ${Buffer.from(bytes)}::bytea, requested_at
        from claim where verdict = 'GO'
    )
    select verdict, envelope from claim`;
}

/** Returns the sum of the sizes of an owner's thumbnails. */
export async function readThumbnailBytes(sql: Sql, owner: string): Promise<number> {
  const [row] = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(bytes)), 0)::double precision as bytes
      from attachment_thumbnails where owner_id = ${owner}`;
  return row?.bytes ?? 0;
}
