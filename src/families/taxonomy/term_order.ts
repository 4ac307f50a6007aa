/** Lists of terms by name, and by the number of records that carry the term itself. */

import type { Caller } from "../../access/identity.ts";
import { TAXONOMY } from "../../catalog/modules/taxonomy.ts";
import type { Database } from "../../database/database.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { FILTERED_PAGE_BUDGET, readWalk, type Walked } from "../../database/walk.ts";
import { tooMany } from "../../errors/service_error.ts";
import {
  newestFirst,
  readNamedRoots,
  type RootTables,
  shortRootColumns,
} from "../../kit/tables.ts";
import {
  assertOrdered,
  type OrderPosition,
  orderWalk,
  type Placed,
  readPlaced,
} from "../../records/port.ts";
import { countDirectUses } from "./assignment_store.ts";
import type { Inactive, TermSort } from "./taxonomy_schema.ts";
import type { TermRow } from "./term.ts";

/** Terms whose uses are compared. */
const MAX_TERMS = 10_000;

interface TermPart {
  readonly sort: TermSort;
  readonly inactive: Inactive;
  /** A condition that an index covers. */
  readonly part: (sql: Sql) => Query<object>;
  /** Further conditions, each starting with `and`. */
  readonly conditions?: (sql: Sql) => Query<object>;
  readonly after: OrderPosition | null;
  readonly limit: number;
}

/**
 * @throws ServiceError `HTTP_503` for an order by name while the order is being built;
 *   `PAYLOAD_INVALID`, rule `sort.rows`, for an order by use of too many terms or assignments.
 */
export async function readSortedTerms(
  database: Database,
  reader: Caller,
  tables: (sql: Sql) => RootTables,
  part: TermPart,
): Promise<Walked<Placed<TermRow>>> {
  if (part.sort === "use" || part.sort === "-use") {
    return await readByUse(database, reader, tables, part);
  }
  return await database.read((sql) => readByName(sql, reader, tables(sql), part));
}

async function readByName(
  sql: Sql,
  { account: { accountId: owner }, permissions }: Caller,
  tables: RootTables,
  { sort, inactive, part, conditions, after, limit }: TermPart,
): Promise<Walked<Placed<TermRow>>> {
  const order = {
    owner,
    moduleCode: TAXONOMY.code,
    by: "title",
    isDescending: sort === "-name",
    archived: inactive,
    permissions,
    after,
  } as const;
  const walk = orderWalk(sql, order, (id) =>
    sql`
    select * from taxonomy_terms where owner_id = ${owner} and term_id = ${id} offset 0`);
  const [walked] = await Promise.all([
    readPlaced<TermRow>(sql, walk, {
      columns: shortRootColumns(sql, tables),
      long: tables.long,
      conditions: sql`and ${part(sql)} ${conditions?.(sql) ?? sql``}`,
      limit,
    }),
    assertOrdered(sql),
  ]);
  return walked;
}

interface UsedTerm {
  readonly id: string;
  readonly count: number;
}

async function readByUse(
  database: Database,
  reader: Caller,
  tables: (sql: Sql) => RootTables,
  part: TermPart,
): Promise<Walked<Placed<TermRow>>> {
  const ids = await readTermIds(database, reader, part);
  const counts = await countDirectUses(database, reader);
  const sign = part.sort === "-use" ? -1 : 1;
  const { after } = part;
  const last = after && { id: after[2], count: Number(after[1]) };
  const terms = ids.map((id) => ({ id, count: counts.get(id) ?? 0 }))
    .filter((term) => last === null || sign * byUse(term, last) > 0)
    .sort((one, other) => sign * byUse(one, other));
  const page = terms.slice(0, part.limit);
  const rows = await database.read((sql) =>
    readNamedRoots<TermRow>(sql, tables(sql), reader, page.map(({ id }) => id))
  );
  const countsOf = new Map(page.map(({ id, count }) => [id, count]));
  return {
    rows: rows.map((row) => ({
      ...row,
      position: JSON.stringify([false, String(countsOf.get(row.term_id)), row.term_id]),
    })),
    more: rows.length < terms.length,
    examined: null,
  };
}

function byUse(one: UsedTerm, other: UsedTerm): number {
  return one.count - other.count || (one.id < other.id ? -1 : Number(one.id > other.id));
}

async function readTermIds(
  database: Database,
  { account: { accountId: owner } }: Caller,
  { part, conditions }: TermPart,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const walked: Walked<Pick<TermRow, "term_id">> = await database.read((sql) => {
      const id = sql`term_id`;
      const from = sql`taxonomy_terms`;
      const walk = newestFirst(sql, { from, id, owner, part: part(sql), cursor });
      return readWalk(sql, walk, {
        columns: id,
        long: null,
        conditions: conditions?.(sql) ?? null,
        limit: FILTERED_PAGE_BUDGET - 1,
      });
    });
    ids.push(...walked.rows.map(({ term_id }) => term_id));
    if (ids.length > MAX_TERMS) throw tooMany("sort.rows", MAX_TERMS);
    cursor = walked.more ? ids.at(-1) ?? null : walked.examined;
  } while (cursor !== null);
  return ids;
}
