import { identifier, type Query, type Sql } from "../database/sql.ts";
import { namesOf, readColumns } from "./columns.ts";
import type { RootDeclaration, RootRowOf } from "./declaration.ts";

/**
 * CTEs that create any number of roots and their first revisions in one statement, conditional on
 * the claim: `root_created` and `root_revised`.
 */
export function manyRootEntries<D extends RootDeclaration>(
  sql: Sql,
  owner: string,
  { table, ledger, fixed, fields, state }: D,
  rows: readonly RootRowOf<D>[],
): Query<object> {
  const columns = { ...fixed, ...state, ...fields };
  const id = identifier(sql, Object.keys(fixed)[0] ?? "");
  const changing = namesOf(sql, { ...state, ...fields });
  return sql`
    root_created as (
      insert into ${
    identifier(sql, table)
  } (owner_id, revision, revision_id, created_at, updated_at,
                                             ${namesOf(sql, columns)})
      select ${owner}, revision, revision_id, created_at, updated_at,
             ${readColumns(sql, columns)}
        from json_populate_recordset(null::${identifier(sql, table)},
                                     ${JSON.stringify(rows)}::text::json)
       where (select verdict from claim) = 'GO'
      returning *
    ),
    root_revised as (
      insert into ${identifier(sql, ledger)} (owner_id, ${id}, revision, revision_id, change,
                                              created_at, ${changing})
      select owner_id, ${id}, revision, revision_id, 'CREATED', updated_at, ${changing}
        from root_created
    )`;
}
