/** Reads of all terms at once, for the tree and the export. */

import type { Database } from "../../database/database.ts";
import { wholeColumns } from "../../database/page_bytes.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { stateConflict } from "./term_rules.ts";
import { longTermColumns, shortTermColumns } from "./term_store.ts";
import type { TermRow } from "./term.ts";

interface WholeSize {
  readonly terms: number;
  readonly names: number;
  /** Stored size of aliases and descriptions. */
  readonly bytes: number;
}

/** Maximum bytes read at once, to limit the memory of one response. */
const MAX_BYTES = 16 * 1024 * 1024;

interface Whole {
  /** Condition on terms `t`, without merged tags. */
  readonly condition: (sql: Sql) => Query<object>;
  readonly fits: (size: WholeSize) => boolean;
}

/**
 * Reads the terms in no particular order.
 *
 * @throws ServiceError `TAXONOMY_STATE_CONFLICT` above the limit, or 16 MiB.
 */
export async function readWhole(
  database: Database,
  owner: string,
  { condition, fits }: Whole,
): Promise<readonly TermRow[]> {
  return await database.read(async (sql) => {
    const isRead = sql`t.owner_id = ${owner} and t.merged_into is null and ${condition(sql)}`;
    const [size] = await sql<WholeSize>`
      select count(*)::integer as terms,
             coalesce(sum(1 + json_array_length(t.aliases)), 0)::integer as names,
             coalesce(sum(octet_length(t.aliases::text) + coalesce(octet_length(t.description), 0)),
                      0)::double precision as bytes
        from taxonomy_terms t where ${isRead}`;
    if (size === undefined || size.bytes > MAX_BYTES || !fits(size)) throw stateConflict();
    return await sql<TermRow>`
      select ${shortTermColumns(sql)}, ${wholeColumns(sql, longTermColumns(sql))}
        from taxonomy_terms t where ${isRead}`;
  });
}
