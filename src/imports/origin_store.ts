/** The ledger of origins: the record of each item of a source. */

import type { Query, Sql } from "../database/sql.ts";

/** The object of an item, or of a file or tag that an item named; or a further UID of a card. */
export interface Origin {
  readonly origin_id: string;
  readonly import_id: string;
  readonly kind: "ITEM" | "TAG" | "FILE" | "UID";
  readonly source: string;
  readonly key: string;
  /** The target of the item; `tag` or `attachment` for a named one. */
  readonly target: string;
  readonly record_id: string;
  /** Null for a file. */
  readonly revision: number | null;
  /** Hex; null for a named tag or file. */
  readonly digest: string | null;
  readonly change: "NEW" | "CHANGED" | "WITHDRAWN";
}

/**
 * The newest origins of items by key, or of named tags by identifier. The revision of each is the
 * last one that any import left of the record.
 */
export async function findOrigins(
  sql: Sql,
  owner: string,
  source: string,
  keys: readonly string[],
  kind: "ITEM" | "TAG" = "ITEM",
): Promise<ReadonlyMap<string, Origin>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<Origin>`
    select o.origin_id, o.import_id, o.kind, o.source, o.key, o.target, o.record_id,
           (select max(l.revision) from import_origins l
             where l.owner_id = ${owner} and l.record_id = o.record_id) as revision,
           encode(o.digest, 'hex') as digest, o.change
      from json_array_elements_text(${JSON.stringify(keys)}::text::json) as wanted (key)
           cross join lateral (
             select * from import_origins found
              where found.owner_id = ${owner} and found.source = ${source} and found.kind = ${kind}
                and found.key = wanted.key collate "C"
              order by found.origin_id desc limit 1) o`;
  return new Map(rows.map((row) => [row.key, row]));
}

/** An origin of an object that an import made or changed. */
export type MadeOrigin = Origin & { readonly kind: Exclude<Origin["kind"], "UID"> };

/** The first origin of each key in an import, in the order of identifiers, after one of them. */
export function listMade(
  sql: Sql,
  owner: string,
  importId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Query<MadeOrigin> {
  return sql<MadeOrigin>`
    select o.origin_id, o.import_id, o.kind, o.source, o.key, o.target, o.record_id, o.revision,
           encode(o.digest, 'hex') as digest, o.change
      from import_origins o
     where o.owner_id = ${owner} and o.import_id = ${importId} and o.origin_id > ${after}
       and o.change <> 'WITHDRAWN' and o.kind <> 'UID'
       and not exists (
         select from import_origins earlier
          where earlier.owner_id = ${owner} and earlier.source = o.source and earlier.key = o.key
            and earlier.kind = o.kind and earlier.import_id = ${importId}
            and earlier.origin_id < o.origin_id)
     order by o.origin_id limit ${limit}`;
}

export function insertOrigins(
  sql: Sql,
  owner: string,
  origins: readonly Origin[],
  at: Date,
): Query<object> {
  return sql`
    insert into import_origins (owner_id, origin_id, import_id, kind, source, key, target,
                                record_id, revision, digest, change, created_at)
    select ${owner}, origin_id, import_id, kind, source, key, target, record_id, revision,
           decode(digest, 'hex'), change, ${at}::timestamptz
      from json_to_recordset(${JSON.stringify(origins)}::text::json) as origin (
        origin_id text, import_id text, kind text, source text, key text, target text,
        record_id text, revision integer, digest text, change text)`;
}

/** The records among these that an import has withdrawn. */
export async function findWithdrawn(
  sql: Sql,
  owner: string,
  importId: string,
  recordIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ record_id: string }>`
    select o.record_id from import_origins o
     where o.owner_id = ${owner} and o.import_id = ${importId} and o.change = 'WITHDRAWN'
       and o.record_id in (
         select json_array_elements_text(${JSON.stringify(recordIds)}::text::json))`;
  return new Set(rows.map(({ record_id }) => record_id));
}
