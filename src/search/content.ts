import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { type LongColumns, wholeColumns } from "../database/page_bytes.ts";
import type { Query, Sql } from "../database/sql.ts";
import { unshownMemoryFields } from "../families/memory/port.ts";
import { unshownPersonFields } from "../families/relationship/port.ts";
import { searchedTexts } from "../records/search_index/texts.ts";

/**
 * For each module code: selects a JSON object of the root's fields that its record does not show.
 */
const UNSHOWN_FIELDS: Readonly<
  Record<string, (sql: Sql, owner: Query<object>, recordId: Query<object>) => Query<object>>
> = { memory: unshownMemoryFields, relationship: unshownPersonFields };

export interface ContentRow {
  readonly module_code: string;
  readonly title: string;
  readonly summary: string;
  /** JSON text. */
  readonly payload: string;
  /** JSON text; null in a module without such fields. */
  readonly unshown: string | null;
}

/** `payload` and `unshown`, which can be large. */
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

/** The same columns for a select list, of any size. */
export function contentColumns(sql: Sql, owner: Query<object>): Query<object> {
  return wholeColumns(sql, longContentColumns(sql, owner));
}

/** Whether a reader may find words in the title, or in the field of a name. */
export type ShowsText = (
  module: Pick<CatalogModule, "code" | "fields">,
  name: string,
) => boolean;

/** A record's searched texts; title and summary if its module has left the catalog. */
export function textsOfRow(
  catalog: Catalog,
  row: ContentRow,
  shows: ShowsText = () => true,
): readonly string[] {
  const { module_code: code, summary } = row;
  const module = catalog.module(code) ?? { code, fields: [] };
  const fields = { ...JSON.parse(row.payload), ...JSON.parse(row.unshown ?? "{}") };
  const title = shows(module, "title") ? row.title : "";
  const shown = module.fields.filter(({ name }) => shows(module, name));
  return searchedTexts({ code, fields: shown }, { title, summary, fields });
}
