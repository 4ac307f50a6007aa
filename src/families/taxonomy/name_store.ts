/**
 * The stored names: every used name and alias, in its compared form, once per owner and kind. Every write
 * that adds or removes names locks those of the owner and kind, as the last of its locks, so two requests
 * never wait for each other's names.
 */

import type { Query, Sql } from "../../database/sql.ts";
import { comparedForm } from "./name.ts";
import { termNamesOf, type TermRow, type TermType } from "./term.ts";

/** Locks the names of an owner and kind until the transaction ends. */
export function lockNames(sql: Sql, owner: string, kind: TermType): Query<object> {
  return sql`select pg_advisory_xact_lock(taxonomy_names_lock(${owner}, ${kind}))`;
}

/** The term with a name or alias, in any spelling. */
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
 * The name of a term `t` in compared form, for a lateral join; no row for a merged tag. `offset 0` keeps it
 * from becoming a join of two scans, which a planner without statistics prefers.
 */
export function comparedName(sql: Sql, owner: string): Query<object> {
  return sql`
    select compared from taxonomy_names
     where owner_id = ${owner} and term_id = t.term_id and position = 0 offset 0`;
}

/** The CTE `taxonomy_name`: the names of new terms, conditional on the claim. */
export function nameEntries(sql: Sql, owner: string, terms: readonly TermRow[]): Query<object> {
  return sql`
    taxonomy_name as (
      ${insertNames(sql, owner, terms)}
       where (select verdict from claim) = 'GO'
       order by kind, compared
    )`;
}

/**
 * The statements that change the names of terms. All former names are deleted first: a name may change its
 * spelling or position, or move from one of the terms to another.
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
 * Locks and inserts. The lock comes before the condition and the order, so no two requests take names
 * crosswise.
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
