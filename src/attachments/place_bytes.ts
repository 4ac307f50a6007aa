import type { Clock } from "../core/clock.ts";
import { waitUpTo } from "../core/deadline.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";

/** Bytes of stored objects by place. Lost ones count as files. */
export interface PlaceBytes {
  readonly files: number;
  readonly database: number;
}

/** Reading takes a second for a million attachments. */
const MAX_AGE_MS = 5 * 60_000;
const TIMEOUT_MS = 2_000;

/** The function reads at most every five minutes; null if the database does not respond. */
export function createPlaceBytesReader(
  database: Database,
  clock: Clock,
): () => Promise<PlaceBytes | null> {
  let known: { readonly bytes: PlaceBytes; readonly at: number } | null = null;
  return async () => {
    const at = clock().getTime();
    if (known !== null && Math.abs(at - known.at) < MAX_AGE_MS) return known.bytes;
    const reading = database.read(readPlaceBytes).catch(() => null);
    const bytes = await waitUpTo(TIMEOUT_MS, reading);
    if (bytes === null) return null;
    known = { bytes, at };
    return bytes;
  };
}

async function readPlaceBytes(sql: Sql): Promise<PlaceBytes> {
  const [bytes = { files: 0, database: 0 }] = await sql<PlaceBytes>`
    select coalesce(sum(size) filter (where not is_chunked), 0)::double precision as files,
           coalesce(sum(size) filter (where is_chunked), 0)::double precision as database
      from (
        select a.size, exists (
                 select from attachment_chunks c
                  where c.sha256 = a.sha256 and c.owner_id = a.owner_id and c.number = 0) as is_chunked
          from (select distinct owner_id, sha256, size from attachments) a) objects`;
  return bytes;
}
