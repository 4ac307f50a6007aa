import type { CatalogModule } from "../catalog/module.ts";
import { newId, nextId } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Change } from "./record.ts";
import { type IndexedRecord, indexRows } from "./search_index/index_store.ts";
import { orderEntry } from "./search_index/order_entry.ts";
import { indexedTexts } from "./search_index/texts.ts";

interface ImportedRevision {
  readonly revision: number;
  readonly change: Change;
  readonly title: string;
  readonly summary: string;
  /** JSON text that the module's policy has accepted. */
  readonly payload: string;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
}

/** Revisions 1, 2, 3 and so on; at least one. */
export interface ImportedRecord {
  readonly recordId: string;
  readonly revisions: readonly ImportedRevision[];
}

interface PresentRecord {
  readonly record_id: string;
  /** True if module and revisions are the same. */
  readonly is_equal: boolean;
}

/** Finds existing records. Payloads are compared as JSON. */
export async function findPresentRecords(
  sql: Sql,
  owner: string,
  moduleCode: string,
  records: readonly ImportedRecord[],
): Promise<readonly PresentRecord[]> {
  const ids = records.map(({ recordId }) => recordId).join(" ");
  const rows = await sql<{ record_id: string }>`
    select record_id from records
     where owner_id = ${owner} and record_id = any (string_to_array(${ids}, ' '))`;
  if (rows.length === 0) return [];
  const present = new Set(rows.map((row) => row.record_id));
  const compared = records.filter(({ recordId }) => present.has(recordId));
  return await compareRecords(sql, owner, moduleCode, compared);
}

/**
 * Compares records, and finds each revision by its own key (`offset 0`): in a plan made while the
 * table is small, part of the key would look as good, and lead through the owner's other records.
 */
function compareRecords(
  sql: Sql,
  owner: string,
  moduleCode: string,
  records: readonly ImportedRecord[],
): Query<PresentRecord> {
  return sql<PresentRecord>`
    with ${givenRevisions(sql, records)}
    select record_id,
           root.module_code = ${moduleCode} and root.revision = count(*)
             and count(stored.revision) = count(*) as is_equal
      from given
      cross join lateral (
        select r.module_code, r.revision from records r
         where r.owner_id = ${owner} and r.record_id = given.record_id offset 0
      ) root
      left join lateral (
        select v.revision from record_revisions v
         where v.owner_id = ${owner} and v.record_id = given.record_id
           and v.revision = given.revision
           and (v.change, v.title, v.summary, v.archived_at, v.created_at)
                 is not distinct from
               (given.change, given.title, given.summary, given.archived_at, given.created_at)
           and v.payload::jsonb = given.payload::jsonb
        offset 0
      ) stored on true
     group by record_id, root.module_code, root.revision`;
}

/** Inserts records that do not exist, with all revisions unchanged. */
export function insertImportedRecords(
  sql: Sql,
  owner: string,
  module: CatalogModule,
  records: readonly ImportedRecord[],
  importedAt: Date,
): Query<object> {
  const moduleCode = module.code;
  const indexed = records.map((record) => toIndexed(module, record));
  return sql`
    with ${givenRevisions(sql, records)},
    record_root as (
      insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                           recorded_at, created_at, updated_at, archived_at, title, summary, payload,
                           guard)
      select ${owner}, record_id, ${moduleCode}, revision, revision_id, 'IMPORT',
             ${importedAt}::timestamptz, begun_at, created_at, archived_at, title, summary,
             payload::json, null
        from given where is_newest
    ),
    ${indexRows(sql, owner, indexed)}
    insert into record_revisions (owner_id, record_id, revision, revision_id, module_code, change,
                                  title, summary, payload, archived_at, created_at)
    select ${owner}, record_id, revision, revision_id, ${moduleCode}, change, title, summary,
           payload::json, archived_at, created_at
      from given`;
}

function toIndexed(module: CatalogModule, { recordId, revisions }: ImportedRecord): IndexedRecord {
  const newest = revisions.at(-1);
  if (newest === undefined) throw new TypeError("An imported record has a revision");
  const { title, summary, archivedAt } = newest;
  const fields = JSON.parse(newest.payload);
  const row = { module_code: module.code, archived_at: archivedAt, guard: null, clocks: null };
  return {
    recordId,
    title,
    texts: indexedTexts(module, { title, summary, fields }),
    order: orderEntry(module, row, fields),
  };
}

/** CTE `given`: every revision of the records, each with a new identifier from its time. */
function givenRevisions(sql: Sql, records: readonly ImportedRecord[]): Query<object> {
  const rows = records.flatMap(({ recordId, revisions }) => {
    const ids = risingIds(revisions);
    return revisions.map((revision, index) => ({
      record_id: recordId,
      revision: revision.revision,
      revision_id: ids[index],
      change: revision.change,
      title: revision.title,
      summary: revision.summary,
      payload: revision.payload,
      archived_at: revision.archivedAt,
      created_at: revision.createdAt,
      begun_at: revisions[0]?.createdAt,
      is_newest: index === revisions.length - 1,
    }));
  });
  return sql`
    given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as revision (
        record_id text, revision integer, revision_id text, change text, title text, summary text,
        payload text, archived_at timestamptz, created_at timestamptz, begun_at timestamptz,
        is_newest boolean)
    )`;
}

/** Ascending identifiers with the times of the revisions. */
function risingIds(revisions: readonly ImportedRevision[]): string[] {
  const ids: string[] = [];
  for (const { createdAt } of revisions) {
    const last = ids.at(-1);
    ids.push(last === undefined ? newId(createdAt) : nextId(last, createdAt));
  }
  return ids;
}
