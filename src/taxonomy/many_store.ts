/** Several terms in one statement, however many: their roots, their ledger and their projections. */

import type { Query, Sql } from "../database/sql.ts";
import { manyProjectionEntries, type SourceType } from "../records/port.ts";
import { changingColumns, toProjection } from "./store.ts";
import type { TermChange, TermRow } from "./term.ts";

/** What a statement of many writes of one term. */
export interface TermWrite {
  readonly row: TermRow;
  readonly change: TermChange | "CREATED";
  /** Whether it ends the use of a term that was active. */
  readonly endsUse?: boolean;
}

/**
 * The CTEs that write the next states of many terms, conditional on the claim. No term may be among them
 * twice. The names of the terms are the caller's to write.
 */
export function manyTermEntries(
  sql: Sql,
  owner: string,
  writes: readonly TermWrite[],
  sourceType: SourceType,
): Query<object> {
  const given = writes.map(({ row, change }) => ({ ...row, change }));
  const projections = writes.map(({ row, change, endsUse = false }) =>
    toProjection(row, projectedChange(change, endsUse), sourceType)
  );
  return sql`
    given_term as (
      select * from json_to_recordset(${JSON.stringify(given)}::text::json) as term (
        term_id text, kind text, revision integer, revision_id text, created_at timestamptz,
        updated_at timestamptz, deactivated_at timestamptz, merged_into text, parent_id text,
        color text, sort_order integer, name text, aliases text, description text, change text)
       where (select verdict from claim) = 'GO'
    ),
    term_created as (
      insert into taxonomy_terms (owner_id, term_id, kind, revision, revision_id, created_at,
                                  updated_at, ${changingColumns(sql)})
      select ${owner}, term_id, kind, revision, revision_id, created_at, updated_at,
             ${givenValues(sql)}
        from given_term where change = 'CREATED'
    ),
    term_changed as (
      update taxonomy_terms stored
         set (revision, revision_id, updated_at, ${changingColumns(sql)})
           = (select given_term.revision, given_term.revision_id, given_term.updated_at,
                     ${givenValues(sql)})
        from given_term
       where stored.owner_id = ${owner} and stored.term_id = given_term.term_id
         and given_term.change <> 'CREATED'
    ),
    term_revised as (
      insert into taxonomy_term_revisions (owner_id, term_id, revision, revision_id, change,
                                           created_at, ${changingColumns(sql)})
      select ${owner}, term_id, revision, revision_id, change, updated_at, ${givenValues(sql)}
        from given_term
    ),
    ${manyProjectionEntries(sql, owner, projections)}`;
}

/** The values of `changingColumns`, in their order. */
function givenValues(sql: Sql): Query<object> {
  return sql`given_term.deactivated_at, given_term.merged_into, given_term.parent_id,
    given_term.color, given_term.sort_order, given_term.name, given_term.aliases::json,
    given_term.description`;
}

function projectedChange(change: TermWrite["change"], endsUse: boolean) {
  if (change === "CREATED") return change;
  return endsUse ? "ARCHIVED" : "MODIFIED";
}
