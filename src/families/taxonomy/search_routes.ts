/** TAX-003: search in names and aliases of terms. */

import type { Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { PAGE_LIMIT } from "../../http/page.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  listOf,
  objectOf,
  TEXT,
} from "../../validate/json_schema.ts";
import { readBody, refuseQuery } from "../../validate/schema.ts";
import { comparedName } from "./name_store.ts";
import { comparedForm } from "./name.ts";
import { SEARCH_BODY, type SearchBody } from "./taxonomy_schema.ts";
import { longTermColumns, shortTermColumns } from "./term_store.ts";
import { showTerm, type Term, TERM_MEMBERS, type TermRow } from "./term.ts";
import { isListed } from "./term_routes.ts";

/** A term's best match; the first of equal ones. */
interface Match {
  readonly field: "name" | "aliases";
  readonly text: string;
}

interface FoundTerm extends Term {
  readonly matched: Match;
}

interface FoundRow extends TermRow {
  /** 0 for the name, 1 and more for an alias. */
  readonly matched_position: number;
  readonly matched_spelling: string;
}

const FOUND_SCHEMA: JsonSchema = component<FoundTerm>("TaxonomyFoundTerm", {
  ...TERM_MEMBERS,
  matched: objectOf({ field: enumOf(["name", "aliases"]), text: TEXT }),
});

export function createSearchEndpoint({ database }: Pick<FamilyServices, "database">): Endpoint {
  return endpoint({
    contract: {
      summary: "Find tags and categories by part of a name or alias, best match first",
      body: bodyOf(SEARCH_BODY, { q: "gard" }),
      responses: {
        200: { data: objectOf({ items: listOf(FOUND_SCHEMA), nextCursor: { type: "null" } }) },
      },
      errors: [],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle({ body, caller }) {
      const wish = readBody(SEARCH_BODY, body);
      const owner = caller.account.accountId;
      const { rows } = await database.read((sql) => findTerms(sql, owner, wish));
      return ok({ items: rows.map(showFound), nextCursor: null });
    },
  });
}

/**
 * Finds terms: equal names first, then those that begin with the text, then those that contain it.
 * Scans all names of an owner, because no index finds a text inside a name.
 */
function findTerms(
  sql: Sql,
  owner: string,
  { q, kind, inactive = "exclude", limit = PAGE_LIMIT.standard }: SearchBody,
): Promise<Walked<FoundRow>> {
  const compared = comparedForm(q);
  const best = sql`
    select distinct on (term_id) term_id, position, spelling, rank
      from (select term_id, position, spelling,
                   case when compared = ${compared} then 0
                        when starts_with(compared, ${compared}) then 1 else 2 end as rank
              from taxonomy_names
             where owner_id = ${owner} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
               and strpos(compared, ${compared}) > 0) matching
     order by term_id, rank, position`;
  return readRows<FoundRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns}
          from (${best}) best
               cross join lateral (
                 select * from taxonomy_terms
                  where owner_id = ${owner} and term_id = best.term_id offset 0) t
               cross join lateral (${comparedName(sql, owner)}) n
         where ${isListed(sql, inactive)}
         order by best.rank, n.compared, t.term_id limit ${limit}`,
    {
      columns: sql`${shortTermColumns(sql)}, best.position as matched_position,
        best.spelling as matched_spelling`,
      long: longTermColumns(sql),
      limit,
    },
  );
}

function showFound(row: FoundRow): FoundTerm {
  const field = row.matched_position === 0 ? "name" : "aliases";
  return { ...showTerm(row), matched: { field, text: row.matched_spelling } };
}
