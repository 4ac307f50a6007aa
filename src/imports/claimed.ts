import type { ClaimRow } from "../command/ledger.ts";
import type { Query, Sql } from "../database/sql.ts";

/** Runs the CTEs of a write whose transaction was claimed. */
export function claimed(sql: Sql, entries: Query<object>): Query<ClaimRow> {
  return sql<ClaimRow>`
    with claim as materialized (select 'GO'::text as verdict, null::text as envelope), ${entries}
    select verdict, envelope from claim`;
}
