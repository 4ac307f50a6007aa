import type { Sql } from "../database/sql.ts";

/** One object per owner and content. */
export interface StoredObject {
  readonly owner: string;
  /** Hex. */
  readonly sha256: string;
  readonly size: number;
}

export interface ListedObject extends StoredObject {
  /** The attachments with this content, oldest first. */
  readonly attachmentIds: readonly string[];
}

/** @param owner Null for the objects of all accounts. */
export async function listObjects(sql: Sql, owner: string | null = null): Promise<ListedObject[]> {
  const ofOwner = owner === null ? sql`` : sql`where owner_id = ${owner}`;
  const rows = await sql<StoredObject & { readonly ids: string }>`
    select owner_id as owner, encode(sha256, 'hex') as sha256,
           size::double precision as size, string_agg(attachment_id, ' ' order by attachment_id) as ids
      from attachments ${ofOwner}
     group by owner_id, sha256, size order by owner_id, attachments.sha256`;
  return rows.map(({ ids, ...object }) => ({ ...object, attachmentIds: ids.split(" ") }));
}
