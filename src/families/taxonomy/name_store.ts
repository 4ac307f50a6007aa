/**
 * Stored names: every used name and alias in compared form, once per owner and kind. Writes that
 * add or remove names lock those of the owner and kind, as their last lock, so that requests cannot
 * deadlock.
 */

import type { Query, Sql } from "../../database/sql.ts";
import { comparedForm } from "./name.ts";
import { termNamesOf, type TermRow, type TermType } from "./term.ts";

/** Locks the names of one kind until the transaction ends. */
export function lockNames(sql: Sql, owner: string, kind: TermType): Query<object> {
  return sql`select pg_advisory_xact_lock(taxonomy_names_lock(${owner}, ${kind}))`;
}

/** Finds the term with a name or alias, in any spelling. */
export async function findNamed(
  sql: Sql,
  owner: string,
  kind: TermType,
  name: string,
): Promise<string | null> {
  const [named] = await sql<{ term_id: string }>`
    select term_id from taxonomy_names
     where owner_id = ${owner} and kind = ${kind} and compared = ${comparedForm(name)}`;
  return named?.term_id ?? null;
}

/**
 * Selects the compared name of a term `t`, for a lateral join; no row for a merged tag. `offset 0`
 * prevents a join of two scans, which a planner without statistics prefers.
 */
export function comparedName(sql: Sql, owner: string): Query<object> {
  return sql`
    select compared from taxonomy_names
     where owner_id = ${owner} and term_id = t.term_id and position = 0 offset 0`;
}

/** CTE `taxonomy_name`: names of new terms, conditional on the claim. */
export function nameEntries(sql: Sql, owner: string, terms: readonly TermRow[]): Query<object> {
  return sql`
    taxonomy_name as (
      ${insertNames(sql, owner, terms)}
       where (select verdict from claim) = 'GO'
       order by kind, compared
    )`;
}

/**
 * Changes the names of terms. Deletes all former names first, because a name may change its
 * spelling or position, or move between the terms.
 */
export function renewNames(
  sql: Sql,
  owner: string,
  kind: TermType,
  terms: readonly TermRow[],
): readonly Query<object>[] {
  return [
    lockNames(sql, owner, kind),
    ...terms.map(({ term_id }) =>
      sql`delete from taxonomy_names where owner_id = ${owner} and term_id = ${term_id}`
    ),
    sql`${insertNames(sql, owner, terms)} order by kind, compared`,
  ];
}

/**
 * Locks, then inserts. The lock comes before condition and order, so that requests cannot deadlock.
 */
function insertNames(sql: Sql, owner: string, terms: readonly TermRow[]): Query<object> {
  const names = terms.flatMap((term) =>
    termNamesOf(term).map((spelling, position) => ({
      kind: term.kind,
      compared: comparedForm(spelling),
      term_id: term.term_id,
      position,
      spelling,
    }))
  );
  return sql`
    insert into taxonomy_names (owner_id, kind, compared, term_id, position, spelling)
    select ${owner}, kind, compared, term_id, position, spelling
      from json_to_recordset(${JSON.stringify(names)}::text::json) as name_row (
             kind text, compared text, term_id text, position integer, spelling text)
           cross join lateral (
             select pg_advisory_xact_lock(taxonomy_names_lock(${owner}, kind))) locked`;
}
