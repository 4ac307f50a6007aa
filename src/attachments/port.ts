import type { Sql } from "../database/sql.ts";
import { payloadInvalid } from "../errors/service_error.ts";

/** What other families may ask of attachments. */
export interface AttachmentReferences {
  /**
   * Checks inside the caller's transaction that every id is an attachment of the owner. Attachments
   * are never removed, so what holds here holds for ever.
   *
   * @throws ServiceError `PAYLOAD_INVALID`, rule `attachment.exists`.
   */
  assertExist(sql: Sql, owner: string, attachmentIds: readonly string[]): Promise<void>;
}

/** The port over the attachments table. */
export const attachmentReferences: AttachmentReferences = {
  async assertExist(sql, owner, attachmentIds) {
    const ids = [...new Set(attachmentIds)];
    const [row] = await sql<{ found: number }>`
      select count(*)::integer as found
        from attachments
       where owner_id = ${owner}
         and attachment_id in (select json_array_elements_text(${
      JSON.stringify(ids)
    }::text::json))`;
    if (row?.found !== ids.length) throw payloadInvalid(["attachment.exists"]);
  },
};
