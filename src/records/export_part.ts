import { type Caller, noteSecretShown } from "../access/identity.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { Query, Sql } from "../database/sql.ts";
import { countFitting } from "../database/page_bytes.ts";
import { readWalk, type Walked } from "../database/walk.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { type Page, type PageQuery, toWalkedPage } from "../http/page.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import { createWalk, cursorStatement } from "./list_store.ts";
import { newestFirst } from "./list_query.ts";
import { CHANGES, contentOf, STORED_PAYLOAD } from "./record.ts";
import type { ReadServices } from "./record_store.ts";
import type { PublicRevision, RevisionRow } from "./revision.ts";

type ExportedRevision = Omit<
  PublicRevision,
  "revisionId" | "recordId" | "localTimes" | "redacted"
>;

/** A record with its revisions, oldest first. */
interface ExportedRecord {
  readonly recordId: string;
  readonly revisions: readonly ExportedRevision[];
}

const EXPORTED_REVISION: JsonSchema = component<ExportedRevision>("ExportedRevision", {
  revision: REVISION,
  change: enumOf(CHANGES),
  title: TEXT,
  summary: TEXT,
  payload: STORED_PAYLOAD,
  archivedAt: nullable(TIME),
  createdAt: TIME,
});

export const EXPORTED_RECORD_SCHEMA: JsonSchema = component<ExportedRecord>("ExportedRecord", {
  recordId: ULID,
  revisions: listOf(EXPORTED_REVISION),
});

/**
 * Reads one part's records, newest first, including archived ones. A part ends before `PAGE_BYTES`,
 * but has at least one record. Records guarded from the reader are omitted, so a part that is not
 * the last may be short or empty.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for a cursor of another owner or module.
 */
export async function readExportPart(
  { database }: Pick<ReadServices, "database">,
  reader: Caller,
  module: CatalogModule,
  page: PageQuery,
): Promise<Page<ExportedRecord>> {
  const { rows: chosen, more, examined, revisions } = await database.read(async (sql) => {
    const chosen = await choose(sql, reader, module, page);
    return { ...chosen, revisions: await readRevisions(sql, reader, chosen.rows) };
  });
  for (const { guard, record_id } of revisions) {
    if (guard !== null) noteSecretShown(reader, record_id);
  }
  const byRecord = Map.groupBy(revisions, (row) => row.record_id);
  // A record that was guarded after its selection has no rows, but still determines the start of
  // the next part.
  const { items, nextCursor } = toWalkedPage(
    { rows: chosen, more, examined },
    (id) => ({ recordId: id, revisions: (byRecord.get(id) ?? []).map(toRevision) }),
    (id) => id,
  );
  return { items: items.filter((item) => item.revisions.length > 0), nextCursor };
}

async function choose(
  sql: Sql,
  reader: Caller,
  module: CatalogModule,
  page: PageQuery,
): Promise<Walked<string>> {
  const owner = reader.account.accountId;
  const query = newestFirst(page, "include");
  const known = page.cursor === null
    ? null
    : cursorStatement(sql, owner, module, query, page.cursor);
  const { rows, more, examined } = await readWalk<{ record_id: string }>(
    sql,
    createWalk(sql, owner, module, query, known),
    {
      columns: sql`module_code, record_id`,
      long: null,
      conditions: sql`and ${isOpen(sql, reader)}`,
      limit: page.limit,
    },
  );
  if (rows.length === 0 && known !== null && (await known).length === 0) {
    throw payloadInvalid(["cursor.unknown"], ["cursor"]);
  }
  const ids = rows.map((row) => row.record_id);
  const fitting = countFitting(await readSizes(sql, owner, ids));
  return fitting === ids.length
    ? { rows: ids, more, examined }
    : { rows: ids.slice(0, fitting), more: true, examined: null };
}

/** Maximum bytes of a revision's members other than texts and payload. */
const REVISION_BYTES = 256;

/** Maximum size of each record with all revisions. JSON writes a byte with at most six. */
async function readSizes(sql: Sql, owner: string, ids: readonly string[]): Promise<number[]> {
  const rows = await sql<{ record_id: string; bytes: string }>`
    select record_id, sum(octet_length(payload::text) + ${REVISION_BYTES}::integer +
                          6 * (octet_length(title) + octet_length(summary)))::text as bytes
      from record_revisions
     where owner_id = ${owner} and record_id = any (${listOfIds(sql, ids)})
     group by record_id`;
  const sizes = new Map(rows.map((row) => [row.record_id, Number(row.bytes)]));
  return ids.map((id) => sizes.get(id) ?? 0);
}

type ExportedRow = Omit<RevisionRow, "revision_id">;

function readRevisions(
  sql: Sql,
  reader: Caller,
  ids: readonly string[],
): Query<ExportedRow> {
  const owner = reader.account.accountId;
  return sql<ExportedRow>`
    select record_id, v.revision, v.change, v.title, v.summary, v.payload::text as payload,
           v.archived_at, v.created_at, r.guard
      from records r join record_revisions v using (owner_id, record_id)
     where owner_id = ${owner} and record_id = any (${listOfIds(sql, ids)})
       and ${isOpen(sql, reader)}
     order by record_id, revision`;
}

/** True if no guard hides the record from the reader. */
function isOpen(sql: Sql, { permissions }: Caller): Query<object> {
  return sql`(guard is null or guard = any (string_to_array(${[...permissions].join(" ")}, ' ')))`;
}

function listOfIds(sql: Sql, ids: readonly string[]): Query<object> {
  return sql`string_to_array(${ids.join(" ")}, ' ')`;
}

function toRevision(row: ExportedRow): ExportedRevision {
  return {
    revision: row.revision,
    change: row.change,
    ...contentOf(row),
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
