/** TAX-007: how many records carry each term, computed on request. */

import type { Caller } from "../../access/identity.ts";
import type { Database } from "../../database/database.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readWalk, type Walk, type Walked } from "../../database/walk.ts";
import { PAGE_LIMIT, readPage, toWalkedPage } from "../../http/page.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import {
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import type { InferObject } from "../../validate/schema.ts";
import { listCursors, readSortedQuery, signedPageOf } from "../../http/signed_page.ts";
import { type OrderPosition, readPosition, toSignedPage } from "../../records/port.ts";
import { inModules } from "./assignment_store.ts";
import { childIds } from "./place_store.ts";
import { type TermSort, USAGE_QUERY } from "./taxonomy_schema.ts";
import { TERM_TYPES, type TermRow, type TermType } from "./term.ts";
import { readSortedTerms } from "./term_order.ts";
import { isListed, type TermListServices } from "./term_routes.ts";
import { STORED_TAGS } from "./term_store.ts";

interface Usage {
  readonly termId: string;
  readonly kind: TermType;
  readonly name: string;
  readonly active: boolean;
  /** Records that carry the term itself, of the modules that the credential reaches. */
  readonly direct: number;
  /** Records that carry the term or a category below it, each counted once. */
  readonly total: number;
  readonly lastAssignedAt: string | null;
  readonly modules: readonly ModuleUsage[];
}

interface ModuleUsage {
  readonly moduleCode: string;
  readonly count: number;
}

const USAGE_SCHEMA: JsonSchema = component<Usage>("TermUsage", {
  termId: ULID,
  kind: enumOf(TERM_TYPES),
  name: TEXT,
  active: { type: "boolean" },
  direct: COUNT,
  total: COUNT,
  lastAssignedAt: nullable(TIME),
  modules: listOf(objectOf({ moduleCode: TEXT, count: COUNT })),
});

type UsedTerm = Pick<TermRow, "term_id" | "kind" | "name" | "deactivated_at">;

interface Counted {
  readonly term_id: string;
  readonly total: number;
  readonly last_assigned_at: Date | null;
  /** JSON of `ModuleUsage[]`. */
  readonly modules: string;
}

type UsageQuery = InferObject<typeof USAGE_QUERY>;

export function createUsageEndpoint({ database, serverSecret }: TermListServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List how many records carry each term, newest term first, by name or by use",
      query: USAGE_QUERY,
      responses: { 200: { data: signedPageOf(USAGE_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readSortedQuery(USAGE_QUERY, query),
    async handle(call) {
      const { parsed, caller } = call;
      const { limit: _limit, cursor, sort, ...filter } = parsed;
      const owner = caller.account.accountId;
      if (sort !== undefined) {
        const cursors = listCursors(serverSecret, call, { inactive: "exclude", ...filter, sort });
        const after = readPosition(cursors, cursor);
        const walked = await readSortedUse(database, caller, { ...parsed, sort }, after);
        return ok(toSignedPage(cursors, walked, await usageOf(database, caller, walked)));
      }
      const walked = await readPage(database, (sql) => ({
        cursor: cursor === undefined ? null : sql`
          select 1 from taxonomy_terms
           where owner_id = ${owner} and term_id = ${cursor}`,
        rows: readTerms(sql, owner, parsed),
      }));
      const show = await usageOf(database, caller, walked);
      return ok(toWalkedPage(walked, show, ({ term_id }) => term_id));
    },
  });
}

function readSortedUse(
  database: Database,
  reader: Caller,
  { sort, inactive = "exclude", kind, limit = PAGE_LIMIT.standard }: UsageQuery & {
    readonly sort: TermSort;
  },
  after: OrderPosition | null,
) {
  return readSortedTerms(database, reader, STORED_TAGS.tables, {
    sort,
    inactive,
    part: (sql) => kind === undefined ? sql`true` : sql`kind = ${kind}`,
    conditions: (sql) => sql`and merged_into is null and ${isListed(sql, inactive)}`,
    after,
    limit,
  });
}

/** Counts the uses of some terms, and returns how to show one of them. */
async function usageOf(
  database: Database,
  reader: Caller,
  { rows }: Walked<UsedTerm>,
): Promise<(term: UsedTerm) => Usage> {
  const ids = rows.map(({ term_id }) => term_id);
  const counts = await database.read((sql) => countUses(sql, reader, ids));
  const countsOf = new Map(counts.map((counted) => [counted.term_id, counted]));
  return (term) => showUsage(term, countsOf.get(term.term_id));
}

/** Reads terms, without merged tags. */
function readTerms(
  sql: Sql,
  owner: string,
  { limit = PAGE_LIMIT.standard, cursor, kind, inactive = "exclude" }: UsageQuery,
): Promise<Walked<UsedTerm>> {
  const order = sql`order by term_id desc`;
  const walk: Walk = {
    key: sql`term_id`,
    ordered: sql`term_id`,
    order,
    rows: (columns, limit) =>
      sql`
        select ${columns} from taxonomy_terms
         where owner_id = ${owner} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
           ${cursor === undefined ? sql`` : sql`and term_id < ${cursor}`}
         ${order} limit ${limit}`,
  };
  return readWalk<UsedTerm>(sql, walk, {
    columns: sql`term_id, kind, name, deactivated_at`,
    long: null,
    conditions: sql`and merged_into is null and ${isListed(sql, inactive)}`,
    limit,
  });
}

/**
 * Counts records of the terms, and of categories below them, in the modules that the credential
 * reaches.
 */
function countUses(sql: Sql, reader: Caller, ids: readonly string[]): Query<Counted> {
  const owner = reader.account.accountId;
  const reached = inModules(sql, reader);
  return sql<Counted>`
    select asked.term_id, total.total, direct.last_assigned_at,
           coalesce(direct.modules, '[]') as modules
      from json_array_elements_text(${JSON.stringify(ids)}::text::json) as asked (term_id)
           cross join lateral (
             with recursive below as (
               select asked.term_id::ulid as term_id
               union all
               select child.term_id
                 from below cross join lateral (${childIds(sql, owner)}) child
             )
             select count(distinct carrying.record_id)::integer as total
               from below cross join lateral (
                 select record_id from taxonomy_assignments
                  where owner_id = ${owner} and term_id = below.term_id and removed_at is null
                    ${reached} offset 0) carrying
           ) total
           cross join lateral (
             select max(last_assigned_at) as last_assigned_at,
                    json_agg(json_build_object('moduleCode', module_code, 'count', count)
                             order by module_code)::text as modules
               from (select module_code, count(*) as count, max(assigned_at) as last_assigned_at
                       from taxonomy_assignments
                      where owner_id = ${owner} and term_id = asked.term_id and removed_at is null
                        ${reached}
                      group by module_code) by_module
           ) direct`;
}

function showUsage(term: UsedTerm, counted: Counted | undefined): Usage {
  const modules: readonly ModuleUsage[] = JSON.parse(counted?.modules ?? "[]");
  return {
    termId: term.term_id,
    kind: term.kind,
    name: term.name,
    active: term.deactivated_at === null,
    direct: modules.reduce((sum, { count }) => sum + count, 0),
    total: counted?.total ?? 0,
    lastAssignedAt: counted?.last_assigned_at?.toISOString() ?? null,
    modules,
  };
}
