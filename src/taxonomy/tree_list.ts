/** TAX-002: GET of the whole tree of categories. */

import type { FamilyServices } from "../family/write.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { listOf, objectOf } from "../validate/json_schema.ts";
import { readQuery } from "../validate/schema.ts";
import { MAXIMUM_CATEGORIES } from "./rules.ts";
import { TREE_QUERY } from "./schema.ts";
import { isListed } from "./terms.ts";
import { buildTree, TREE_NODE_SCHEMA } from "./tree.ts";
import { readWhole } from "./whole_store.ts";

/** The endpoint of `/categories/tree`. */
export function createTreeEndpoint({ database }: Pick<FamilyServices, "database">): Endpoint {
  return endpoint({
    contract: {
      summary: "Read the tree of all categories",
      query: TREE_QUERY,
      responses: { 200: { data: objectOf({ items: listOf(TREE_NODE_SCHEMA) }) } },
      errors: ["TAXONOMY_STATE_CONFLICT"],
    },
    body: "none",
    parse: ({ query }) => readQuery(TREE_QUERY, query),
    async handle({ parsed: { inactive = "exclude" }, identity }) {
      const rows = await readWhole(database, identity.account.accountId, {
        condition: (sql) => sql`t.kind = 'CATEGORY' and ${isListed(sql, inactive)}`,
        fits: ({ terms }) => terms <= MAXIMUM_CATEGORIES,
      });
      return ok({ items: buildTree(rows) });
    },
  });
}
