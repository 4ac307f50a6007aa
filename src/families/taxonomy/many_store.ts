import type { Query, Sql } from "../../database/sql.ts";
import { manyProjectionEntries, type SourceType } from "../../records/port.ts";
import { namesOf } from "../../kit/columns.ts";
import { nameEntries } from "./name_store.ts";
import { termProjection } from "./term_store.ts";
import { TERM, type TermRow } from "./term.ts";

/**
 * CTEs that create any number of terms in one statement, with ledger, names and projections, conditional on
 * the claim.
 *
 * @param recordedAt When another product recorded a term, by its identifier.
 */
export function manyTermEntries(
  sql: Sql,
  owner: string,
  terms: readonly TermRow[],
  sourceType: SourceType,
  recordedAt: ReadonlyMap<string, Date> = new Map(),
): Query<object> {
  const changing = namesOf(sql, { ...TERM.state, ...TERM.fields });
  const projections = terms.map((term) =>
    termProjection(term, "CREATED", {
      sourceType,
      recordedAt: recordedAt.get(term.term_id) ?? term.created_at,
    })
  );
  return sql`
    given_term as (
      select term_id, kind, revision, revision_id, created_at, updated_at, deactivated_at,
             merged_into, parent_id, color, sort_order, name, aliases::json as aliases, description
        from json_to_recordset(${JSON.stringify(terms)}::text::json) as term (
        term_id text, kind text, revision integer, revision_id text, created_at timestamptz,
        updated_at timestamptz, deactivated_at timestamptz, merged_into text, parent_id text,
        color text, sort_order integer, name text, aliases text, description text)
       where (select verdict from claim) = 'GO'
    ),
    term_created as (
      insert into taxonomy_terms (owner_id, term_id, kind, revision, revision_id, created_at,
                                  updated_at, ${changing})
      select ${owner}, term_id, kind, revision, revision_id, created_at, updated_at,
             ${changing}
        from given_term
    ),
    term_revised as (
      insert into taxonomy_term_revisions (owner_id, term_id, revision, revision_id, change,
                                           created_at, ${changing})
      select ${owner}, term_id, revision, revision_id, 'CREATED', updated_at, ${changing}
        from given_term
    ),
    ${nameEntries(sql, owner, terms)},
    ${manyProjectionEntries(sql, owner, projections)}`;
}
