/** The content that is searched, as it is read from the stored rows. */

import type { Catalog } from "../catalog/catalog.ts";
import { type LongColumns, wholeColumns } from "../database/page_bytes.ts";
import type { Query, Sql } from "../database/sql.ts";
import { unshownMemoryFields } from "../families/memory/port.ts";
import { unshownPersonFields } from "../families/relationship/port.ts";
import { searchedTexts } from "../records/search_index/texts.ts";

/**
 * By the codes of their modules, what selects the fields of a root that its record does not show, as one JSON
 * object. A root's other fields are those of its record.
 */
const UNSHOWN_FIELDS: Readonly<
  Record<string, (sql: Sql, owner: Query<object>, recordId: Query<object>) => Query<object>>
> = { memory: unshownMemoryFields, relationship: unshownPersonFields };

/** A record's content as it is stored. */
export interface ContentRow {
  readonly module_code: string;
  readonly title: string;
  readonly summary: string;
  /** JSON text. */
  readonly payload: string;
  /** JSON text; null in a module without such fields. */
  readonly unshown: string | null;
}

/** The columns `payload` and `unshown` of records, which can be large. */
export function longContentColumns(sql: Sql, owner: Query<object>): LongColumns {
  const cases = Object.entries(UNSHOWN_FIELDS).map(([code, find]) =>
    sql`when ${code} then (${find(sql, owner, sql`record_id`)})`
  );
  const found = cases.reduce((all, one) => sql`${all} ${one}`, sql`case module_code`);
  return {
    kind: "json",
    columns: { payload: sql`payload`, unshown: sql`${found} end` },
    hidden: null,
  };
}

/** The same columns for a select list, however large they are. */
export function contentColumns(sql: Sql, owner: Query<object>): Query<object> {
  return wholeColumns(sql, longContentColumns(sql, owner));
}

/** The searched texts of a record; of a module that has left the catalog, title and summary. */
export function textsOfRow(catalog: Catalog, row: ContentRow): readonly string[] {
  const { module_code: code, title, summary } = row;
  const module = catalog.module(code) ?? { code, fields: [] };
  const fields = { ...JSON.parse(row.payload), ...JSON.parse(row.unshown ?? "{}") };
  return searchedTexts(module, { title, summary, fields });
}
