import type { Query, Sql } from "../../database/sql.ts";
import { manyRootEntries } from "../../kit/many_roots.ts";
import { manyProjectionEntries, type SourceType } from "../../records/port.ts";
import { nameEntries } from "./name_store.ts";
import { termProjection } from "./term_store.ts";
import { TERM, type TermRow } from "./term.ts";

/**
 * CTEs that create any number of terms in one statement, with ledger, names and projections,
 * conditional on the claim.
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
  const projections = terms.map((term) =>
    termProjection(term, "CREATED", {
      sourceType,
      recordedAt: recordedAt.get(term.term_id) ?? term.created_at,
    })
  );
  return sql`
    ${manyRootEntries(sql, owner, TERM, terms)},
    ${nameEntries(sql, owner, terms)},
    ${manyProjectionEntries(sql, owner, projections)}`;
}
