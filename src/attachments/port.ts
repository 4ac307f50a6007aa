import type { AttachmentReference } from "../catalog/policy.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid } from "../errors/service_error.ts";

export interface AttachmentReferences {
  /**
   * Checks that every reference is to an attachment of the owner. Attachments are never removed, so the
   * result stays valid.
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
