import type { Sql } from "../database/sql.ts";

/** The bytes of attachments: one object per owner and content. */
export interface StoredObject {
  readonly owner: string;
  /** Hex. */
  readonly sha256: string;
  readonly size: number;
}

/** The objects of all owners. */
export async function listObjects(sql: Sql): Promise<StoredObject[]> {
  return await sql<StoredObject>`
    select distinct owner_id as owner, encode(sha256, 'hex') as sha256,
           size::double precision as size
      from attachments order by owner_id, encode(sha256, 'hex')`;
}
