/** TAX-008: all terms as one file, without identifiers and times. */

import type { FamilyServices } from "../../kit/write.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { COUNT, type JsonSchema, listOf, objectOf } from "../../validate/json_schema.ts";
import { describeObject, refuseQuery } from "../../validate/schema.ts";
import { FILE_TERM, type FileTerm, FORMAT, VERSION } from "./taxonomy_schema.ts";
import { aliasesOf, type TermRow } from "./term.ts";
import { childrenOf, inNameOrder } from "./tree.ts";
import { readWhole } from "./whole_store.ts";

const EXPORT_SCHEMA: JsonSchema = objectOf({
  format: { const: FORMAT },
  version: { const: VERSION },
  count: COUNT,
  terms: listOf({ component: "TaxonomyFileTerm", ...describeObject(FILE_TERM) }),
});

/** Maximum names and aliases of an export; in its response each has about ten values. */
const MAX_NAMES = 50_000;

export function createExportEndpoint({ database }: Pick<FamilyServices, "database">): Endpoint {
  return endpoint({
    contract: {
      summary: "Export all tags and categories; the same terms give the same bytes",
      responses: { 200: { data: EXPORT_SCHEMA } },
      errors: ["TAXONOMY_STATE_CONFLICT"],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle({ caller }) {
      const rows = await readWhole(database, caller.account.accountId, {
        condition: (sql) => sql`true`,
        fits: ({ names }) => names <= MAX_NAMES,
      });
      const terms = toFile(rows);
      return ok({ format: FORMAT, version: VERSION, count: terms.length, terms });
    },
  });
}

/** Categories depth first in tree order, then tags by name. */
export function toFile(rows: readonly TermRow[]): readonly FileTerm[] {
  const categories = childrenOf(rows.filter(({ kind }) => kind === "CATEGORY"));
  const below = (parent: TermRow | null): FileTerm[] =>
    (categories.get(parent?.term_id ?? null) ?? []).flatMap((row) => [
      toFileTerm(row, parent),
      ...below(row),
    ]);
  const tags = inNameOrder(rows.filter(({ kind }) => kind === "TAG"));
  return [...below(null), ...tags.map((row) => toFileTerm(row, null))];
}

function toFileTerm(row: TermRow, parent: TermRow | null): FileTerm {
  return {
    kind: row.kind,
    name: row.name,
    ...(parent !== null && { parent: parent.name }),
    aliases: aliasesOf(row),
    ...(row.description !== null && { description: row.description }),
    ...(row.color !== null && { color: row.color }),
    ...(row.sort_order !== null && { sortOrder: row.sort_order }),
    active: row.deactivated_at === null,
  };
}
