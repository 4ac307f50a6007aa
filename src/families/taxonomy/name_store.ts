/**
 * The stored names: every name and alias that is taken, in its compared form, once for each owner and
 * kind. Whatever gives or takes names locks those of the owner and kind, as the last of its locks: so two
 * requests never wait for each other's names.
 */

import type { Query, Sql } from "../../database/sql.ts";
import { comparedForm } from "./name.ts";
import { termNamesOf, type TermRow, type TermType } from "./term.ts";

/** Locks the names of an owner and kind until the transaction ends. */
export function lockNames(sql: Sql, owner: string, kind: TermType): Query<object> {
  return sql`select pg_advisory_xact_lock(taxonomy_names_lock(${owner}, ${kind}))`;
}

/** The term that has a name, in whatever spelling, as its name or as an alias. */
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
 * The name of a term `t` in compared form, for a lateral join; it has no row for a merged tag. `offset 0`
 * keeps it from becoming a join of two scans, which is what a planner without statistics makes of it.
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
 * The statements that give terms other names than they have. All former ones go first: a name may be
 * spelt anew, change its place, or go over from one of the terms to another one.
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

/** Locks and inserts. Behind it comes the condition, and the order: no two requests take names crosswise. */
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
