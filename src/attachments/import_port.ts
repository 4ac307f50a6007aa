/** Attachments for imports: by their bytes, and many new ones at once. */

import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { byteaArray } from "../database/sql.ts";
import { OWNER_QUOTA_ATTACHMENTS, type StoredAttachment } from "./attachment.ts";
import { addUsage, hasAttachments } from "./attachment_store.ts";
import { tooLarge } from "./create.ts";
import { lossOf } from "./loss.ts";
import type { ObjectStore } from "./object_store.ts";

export { MAX_ATTACHMENT_BYTES, type StoredAttachment } from "./attachment.ts";
export { writeToDisk } from "./disk_failure.ts";
export type { ObjectStore, ReceivedObject } from "./object_store.ts";
export { isFilename } from "./upload_head.ts";

/** An owner's oldest attachment of each digest, in hex. Its bytes may be lost. */
export async function findByDigest(
  sql: Sql,
  owner: string,
  digests: readonly string[],
): Promise<Map<string, string>> {
  if (digests.length === 0) return new Map();
  const rows = await sql<{ digest: string; attachment_id: string }>`
    select encode(wanted.sha256, 'hex') as digest, found.attachment_id
      from unnest(${byteaArray(digests)}::text::bytea[]) as wanted (sha256)
           cross join lateral (
             select a.attachment_id from attachments a
              where a.owner_id = ${owner} and a.sha256 = wanted.sha256
              order by a.attachment_id limit 1) found`;
  return new Map(rows.map(({ digest, attachment_id }) => [digest, attachment_id]));
}

/** The digests of an owner's attachments whose bytes are lost, among these. Reads all bytes. */
export async function findLostDigests(
  { database, objects }: { readonly database: Database; readonly objects: ObjectStore },
  owner: string,
  digests: readonly string[],
): Promise<Set<string>> {
  if (digests.length === 0) return new Set();
  const found = await database.read((sql) =>
    sql<{ sha256: string; size: number }>`
    select distinct encode(sha256, 'hex') as sha256, size::double precision as size
      from attachments
     where owner_id = ${owner} and sha256 = any(${byteaArray(digests)}::text::bytea[])`
  );
  const lost = new Set<string>();
  for (const object of found) {
    if (await lossOf(objects, { owner, ...object }) !== null) lost.add(object.sha256);
  }
  return lost;
}

/** Returns the identifiers that belong to the owner's attachments. */
export async function findPresentAttachments(
  sql: Sql,
  owner: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql<{ attachment_id: string }>`
    select attachment_id from attachments
     where owner_id = ${owner}
       and attachment_id in (select json_array_elements_text(${JSON.stringify(ids)}::text::json))`;
  return new Set(rows.map(({ attachment_id }) => attachment_id));
}

/**
 * Adds attachments whose bytes are in their places, within the owner's quota.
 *
 * @throws ServiceError `HTTP_413` beyond the maximum number; the error of `attachment_quota` beyond
 * the maximum bytes.
 */
export async function addAttachments(
  sql: Sql,
  owner: string,
  attachments: readonly StoredAttachment[],
): Promise<void> {
  if (attachments.length === 0) return;
  await addUsage(sql, owner, attachments.reduce((total, { size }) => total + size, 0));
  const last = OWNER_QUOTA_ATTACHMENTS - attachments.length + 1;
  if (last < 1 || await hasAttachments(sql, owner, last)) throw tooLarge(OWNER_QUOTA_ATTACHMENTS);
  await insertAttachments(sql, owner, attachments);
}

function insertAttachments(
  sql: Sql,
  owner: string,
  attachments: readonly StoredAttachment[],
): Query<object> {
  return sql`
    insert into attachments (owner_id, attachment_id, size, sha256, media_type, filename, created_at)
    select ${owner}, "attachmentId", size, decode(sha256, 'hex'), "mediaType", filename, "createdAt"
      from json_to_recordset(${JSON.stringify(attachments)}::text::json) as attachment (
        "attachmentId" text, size bigint, sha256 text, "mediaType" text, filename text,
        "createdAt" timestamptz)`;
}
