/** GET of an owner's roots of one kind, newest first; archived ones on request. */

import type { Query, Sql } from "../database/sql.ts";
import { pageEndpoint } from "../http/define_endpoint.ts";
import { PAGE_LIMIT, PAGE_QUERY, pageOf, readPage, toWalkedPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import type { Endpoint } from "../http/route.ts";
import {
  type InferObject,
  type ObjectSchema,
  oneOf,
  optional,
  readQuery,
} from "../validate/schema.ts";
import type { ArchivableRow } from "./root.ts";
import { readRoots, type StoredRoot } from "./tables.ts";
import type { FamilyServices, RootTypes } from "./write.ts";

const LIST_QUERY = { ...PAGE_QUERY, archived: optional(oneOf("exclude", "only", "include")) };

export interface ListFilter<S extends ObjectSchema> {
  readonly query: S;
  /** Conditions, each starting with `and`; null if the query has none. */
  readonly conditions: (sql: Sql, query: InferObject<S>) => Query<object> | null;
}

const NO_FILTER: ListFilter<Record<never, never>> = { query: {}, conditions: () => null };

/**
 * Defines the list of archivable roots. Each choice of `archived` walks an index; a filter examines
 * part of the walk (`readWalk`).
 */
export function archivableListEndpoint<
  T extends RootTypes & { readonly row: ArchivableRow },
  S extends ObjectSchema = Record<never, never>,
>(
  { database }: Pick<FamilyServices, "database">,
  { root, tables }: StoredRoot<T>,
  summary: string,
  filter?: ListFilter<S>,
): Endpoint {
  const { query, conditions } = filter ?? NO_FILTER;
  const listQuery = { ...LIST_QUERY, ...query };
  return pageEndpoint({
    contract: {
      summary,
      query: listQuery,
      responses: { 200: { data: pageOf(root.schema) } },
      errors: [],
    },
    parse: (call) => readQuery(listQuery, call.query) as ReadQuery<S>,
    async handle({ parsed, caller }) {
      const { limit = PAGE_LIMIT.standard, cursor = null, archived = "exclude" } = parsed;
      const owner = caller.account.accountId;
      const walked = await readPage(database, (sql) => {
        const part = isArchived(sql, archived);
        const page = { cursor, limit, conditions: conditions(sql, parsed) };
        return {
          cursor: cursor === null ? null : sql`
                select 1 from ${tables(sql).root} where owner_id = ${owner} and ${
            tables(sql).id
          } = ${cursor}`,
          rows: readRoots<T["row"]>(sql, tables(sql), caller, part, page),
        };
      });
      return ok(toWalkedPage(walked, (row) => root.show(row, caller), root.idOf));
    },
  });
}

type ReadQuery<S extends ObjectSchema> = InferObject<typeof LIST_QUERY> & InferObject<S>;

function isArchived(sql: Sql, archived: "exclude" | "only" | "include"): Query<object> {
  switch (archived) {
    case "exclude":
      return sql`archived_at is null`;
    case "only":
      return sql`archived_at is not null`;
    case "include":
      return sql`true`;
  }
}
