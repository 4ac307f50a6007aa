/** Terms that are read all at once: the tree of categories, and the terms of an export. */

import type { Database } from "../../database/database.ts";
import { wholeColumns } from "../../database/page_bytes.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { stateConflict } from "./term_rules.ts";
import { longTermColumns, shortTermColumns } from "./term_store.ts";
import type { TermRow } from "./term.ts";

/** How much there is to read. */
interface WholeSize {
  readonly terms: number;
  /** Names and aliases together. */
  readonly names: number;
  /** The stored size of aliases and descriptions. */
  readonly bytes: number;
}

/** Maximum bytes read at once, so that no response uses the memory of all others. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A read of all terms. */
export interface Whole {
  /** The condition of the terms `t`; merged tags are left out. */
  readonly condition: (sql: Sql) => Query<object>;
  readonly fits: (size: WholeSize) => boolean;
}

/**
 * Reads terms of an owner, unordered.
 *
 * @throws ServiceError `TAXONOMY_STATE_CONFLICT` if there are more than the limit, or more than 16 MiB.
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
