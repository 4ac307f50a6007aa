import type { AttachmentReference } from "../catalog/policy.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { findAttachment } from "./attachment_store.ts";
import { lossOf } from "./loss.ts";
import type { ObjectStore } from "./object_store.ts";

export interface AttachmentReferences {
  /**
   * Checks that every reference is to an attachment of the owner. Attachments are never removed, so
   * the result stays valid.
   *
   * @throws ServiceError `PAYLOAD_INVALID`, rule `attachment.exists`, with the fields concerned.
   */
  assertExist(sql: Sql, owner: string, references: readonly AttachmentReference[]): Promise<void>;
}

export const attachmentReferences: AttachmentReferences = {
  async assertExist(sql, owner, references) {
    const ids = JSON.stringify(references.map(({ attachmentId }) => attachmentId));
    const rows = await sql<{ attachment_id: string }>`
      select attachment_id from attachments
       where owner_id = ${owner}
         and attachment_id in (select json_array_elements_text(${ids}::text::json))`;
    const found = new Set(rows.map((row) => row.attachment_id));
    const missing = references.filter(({ attachmentId }) => !found.has(attachmentId));
    if (missing.length === 0) return;
    throw payloadInvalid(["attachment.exists"], [...new Set(missing.map(({ field }) => field))]);
  },
};

export interface SmallFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Null if the owner has no such attachment, it is larger, or its bytes are lost. */
export type ReadSmallFile = (
  owner: string,
  attachmentId: string,
  maximumBytes: number,
) => Promise<SmallFile | null>;

export function createSmallFileReader(database: Database, objects: ObjectStore): ReadSmallFile {
  return async (owner, attachmentId, maximumBytes) => {
    const found = await database.read((sql) => findAttachment(sql, owner, attachmentId));
    if (found === null || found.size > maximumBytes) return null;
    const { size, sha256, mediaType } = found;
    const object = { owner, sha256, size };
    if (await lossOf(objects, object) !== null) return null;
    const stream = await objects.read(object);
    return { mediaType, bytes: new Uint8Array(await new Response(stream).arrayBuffer()) };
  };
}
