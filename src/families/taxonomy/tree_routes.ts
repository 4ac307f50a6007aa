/** TAX-002: the whole tree of categories. */

import type { FamilyServices } from "../../kit/write.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { listOf, objectOf } from "../../validate/json_schema.ts";
import { readQuery } from "../../validate/schema.ts";
import { MAX_CATEGORIES } from "./term_rules.ts";
import { TREE_QUERY } from "./taxonomy_schema.ts";
import { isListed } from "./term_routes.ts";
import { buildTree, TREE_NODE_SCHEMA } from "./tree.ts";
import { readWhole } from "./whole_store.ts";

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
    async handle({ parsed: { inactive = "exclude" }, caller }) {
      const rows = await readWhole(database, caller.account.accountId, {
        condition: (sql) => sql`t.kind = 'CATEGORY' and ${isListed(sql, inactive)}`,
        fits: ({ terms }) => terms <= MAX_CATEGORIES,
      });
      return ok({ items: buildTree(rows) });
    },
  });
}
