import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { type LongColumns, wholeColumns } from "../database/page_bytes.ts";
import type { Query, Sql } from "../database/sql.ts";
import { memoryTime, unshownMemoryFields } from "../families/memory/port.ts";
import { isSealedPerson, lastContact, unshownPersonFields } from "../families/relationship/port.ts";
import type { Permission } from "../access/permissions.ts";
import type { IndexedRecord } from "../records/search_index/index_store.ts";
import { orderEntry } from "../records/search_index/order_entry.ts";
import {
  type Audience,
  audienceOf,
  type IndexedText,
  indexedTexts,
  type SearchedContent,
  searchedTexts,
} from "../records/search_index/texts.ts";

/**
 * For each module code: selects a JSON object of the root's fields that its record does not show.
 */
const UNSHOWN_FIELDS: Readonly<
  Record<string, (sql: Sql, owner: Query<object>, recordId: Query<object>) => Query<object>>
> = { memory: unshownMemoryFields, relationship: unshownPersonFields };

/** For each module code: selects the own time of a record whose payload does not have it. */
const OWN_TIMES: Readonly<
  Record<string, (sql: Sql, owner: Query<object>, recordId: Query<object>) => Query<object>>
> = { memory: memoryTime, relationship: lastContact };

/** A column `own_time`, null in other modules. */
export function ownTimeColumn(sql: Sql, owner: Query<object>): Query<object> {
  const cases = Object.entries(OWN_TIMES).map(([code, find]) =>
    sql`when ${code} then (${find(sql, owner, sql`record_id`)})`
  );
  const found = cases.reduce((all, one) => sql`${all} ${one}`, sql`case module_code`);
  return sql`${found} end as own_time`;
}

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

/** A column: no assistant sees the record, because it is guarded or that of a sealed person. */
export function isClosedColumn(sql: Sql, owner: Query<object>): Query<object> {
  const isSealed = isSealedPerson(sql, owner, sql`record_id`);
  return sql`(guard is not null or (module_code = 'relationship' and ${isSealed})) as is_closed`;
}

/** A record to index. */
export interface IndexedRow extends ContentRow {
  readonly owner_id: string;
  readonly record_id: string;
  readonly archived_at: Date | null;
  readonly guard: Permission | null;
  readonly clocks: string | null;
  readonly own_time: Date | null;
  readonly is_closed: boolean;
}

export function toIndexed(
  catalog: Catalog,
  row: IndexedRow,
): IndexedRecord & { readonly owner: string } {
  const module = catalog.module(row.module_code) ?? null;
  const time = Object.hasOwn(OWN_TIMES, row.module_code) ? row.own_time : undefined;
  return {
    owner: row.owner_id,
    recordId: row.record_id,
    title: row.title,
    texts: textsToIndex(catalog, row),
    order: orderEntry(module, row, JSON.parse(row.payload), time),
  };
}

/** The texts of a record for the index; only for its owner if its module has left the catalog. */
function textsToIndex(
  catalog: Catalog,
  row: ContentRow & { readonly is_closed: boolean },
): readonly IndexedText[] {
  const module = catalog.module(row.module_code);
  if (module === undefined) return searchedTexts(moduleOf(catalog, row), contentOf(row));
  return indexedTexts(module, contentOf(row), row.is_closed);
}

/**
 * A record's searched texts; title and summary if its module has left the catalog.
 *
 * @param audiences Those whose texts are searched; by default all texts are.
 */
export function textsOfRow(
  catalog: Catalog,
  row: ContentRow,
  audiences: readonly Audience[] | null = null,
): readonly string[] {
  const module = moduleOf(catalog, row);
  const content = contentOf(row);
  if (audiences === null) return searchedTexts(module, content);
  const isSearched = (name: string) => audiences.includes(audienceOf(module, name));
  const fields = module.fields.filter(({ name }) => isSearched(name));
  const title = isSearched("title") ? content.title : "";
  return searchedTexts({ ...module, fields }, { ...content, title });
}

function moduleOf(
  catalog: Catalog,
  { module_code: code }: ContentRow,
): Pick<CatalogModule, "code" | "fields"> {
  return catalog.module(code) ?? { code, fields: [] };
}

function contentOf({ title, summary, payload, unshown }: ContentRow): SearchedContent {
  return { title, summary, fields: { ...JSON.parse(payload), ...JSON.parse(unshown ?? "{}") } };
}
