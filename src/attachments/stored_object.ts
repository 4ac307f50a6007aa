import type { Sql } from "../database/sql.ts";

/** One object per owner and content. */
export interface StoredObject {
  readonly owner: string;
  /** Hex. */
  readonly sha256: string;
  readonly size: number;
}

export async function listObjects(sql: Sql): Promise<StoredObject[]> {
  return await sql<StoredObject>`
    select distinct owner_id as owner, encode(sha256, 'hex') as sha256,
           size::double precision as size
      from attachments order by owner_id, encode(sha256, 'hex')`;
}
