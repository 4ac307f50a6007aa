/** The report on each item of an import. */

import type { Query, Sql } from "../database/sql.ts";
import type { Outcome } from "./import.ts";

/** The outcome of an item, planned or final. */
export interface ItemReport {
  readonly place: number;
  readonly key: string;
  readonly target: string | null;
  readonly outcome: Outcome;
  readonly recordId: string | null;
  readonly attachmentIds: readonly string[];
  readonly rules: readonly string[];
  readonly unmapped: readonly string[];
  /** People who share an email or number; only in formats that compare people. */
  readonly matches?: readonly string[];
}

type ItemRow = Pick<ItemReport, "place" | "key" | "target" | "outcome" | "recordId"> & {
  /** JSON. */
  readonly lists: string;
};

export interface ItemsQuery {
  readonly after: number;
  readonly outcome: Outcome | null;
  readonly limit: number;
}

/** The items of an import that are done, in the order of their places. */
export async function listItems(
  sql: Sql,
  owner: string,
  importId: string,
  { after, outcome, limit }: ItemsQuery,
): Promise<ItemReport[]> {
  const rows = await sql<ItemRow>`
    select place, key, target, outcome, record_id as "recordId",
           json_strip_nulls(json_build_object('attachmentIds', attachment_ids, 'rules', rules,
             'unmapped', unmapped, 'matches', matches))::text as lists
      from import_items
     where owner_id = ${owner} and import_id = ${importId} and place > ${after}
       ${outcome === null ? sql`` : sql`and outcome = ${outcome}`}
     order by place limit ${limit}`;
  return rows.map(({ lists, ...row }) => ({ ...row, ...JSON.parse(lists) }));
}

export function insertItems(
  sql: Sql,
  owner: string,
  importId: string,
  items: readonly ItemReport[],
): Query<object> {
  return sql`
    insert into import_items (owner_id, import_id, place, key, target, outcome, record_id,
                              attachment_ids, rules, unmapped, matches)
    select ${owner}, ${importId}, place, key, target, outcome, "recordId", "attachmentIds", rules,
           unmapped, matches
      from json_to_recordset(${JSON.stringify(items)}::text::json) as item (
        place integer, key text, target text, outcome text, "recordId" text, "attachmentIds" json,
        rules json, unmapped json, matches json)`;
}
