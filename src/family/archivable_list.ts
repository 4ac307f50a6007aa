/** GET of an owner's roots of one kind, newest first; archived ones where they are asked for. */

import type { Query, Sql } from "../database/sql.ts";
import { PAGE_LIMIT, PAGE_QUERY, pageOf, readPage, toWalkedPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { oneOf, optional, readQuery } from "../validate/schema.ts";
import type { ArchivableRow } from "./root.ts";
import { readRoots, type StoredRoot } from "./tables.ts";
import type { FamilyServices, RootTypes } from "./write.ts";

const LIST_QUERY = { ...PAGE_QUERY, archived: optional(oneOf("exclude", "only", "include")) };

/** The list of roots that are archived and restored. Each of the three choices walks an index. */
export function archivableListEndpoint<
  T extends RootTypes & { readonly row: ArchivableRow },
>(
  { database }: Pick<FamilyServices, "database">,
  { root, tables }: StoredRoot<T>,
  summary: string,
): Endpoint {
  return endpoint({
    contract: {
      summary,
      query: LIST_QUERY,
      responses: { 200: { data: pageOf(root.schema) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readQuery(LIST_QUERY, query),
    async handle({ parsed, identity }) {
      const { limit = PAGE_LIMIT.standard, cursor = null, archived = "exclude" } = parsed;
      const owner = identity.account.accountId;
      const walked = await readPage(database, (sql) => {
        const condition = isArchived(sql, archived);
        return {
          cursor: cursor === null ? null : sql`
                select 1 from ${tables(sql).root} where owner_id = ${owner} and ${
            tables(sql).id
          } = ${cursor}`,
          rows: readRoots<T["row"]>(sql, tables(sql), identity, condition, { cursor, limit }),
        };
      });
      return ok(toWalkedPage(walked, (row) => root.show(row, identity), root.idOf));
    },
  });
}

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
