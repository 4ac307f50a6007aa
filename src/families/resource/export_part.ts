import type { Database } from "../../database/database.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { cutPart, PART } from "../../kit/export.ts";
import { rootColumns } from "../../kit/tables.ts";
import type { Dataset, ExportedRow } from "./export_format.ts";
import { type ResourceRow, showResource } from "./resource.ts";
import { type ResourceSnapshotRow, showSnapshot } from "./snapshot.ts";
import { snapshotColumns, snapshotsWithUnits } from "./snapshot_store.ts";
import { STORED_RESOURCES } from "./resource_store.ts";

interface ExportPart {
  readonly rows: readonly ExportedRow[];
  /** Start of the next part; null after the last. */
  readonly next: string | null;
}

interface Candidate {
  readonly id: string;
  readonly bytes: number;
}

/** Reads the part after `after`, with no more texts than it holds. */
export async function readPart(
  database: Database,
  owner: string,
  dataset: Dataset,
  after: string | null,
): Promise<ExportPart> {
  const { candidates, read } = DATASET_READS[dataset];
  return await database.read(async (sql) => {
    const found = await candidates(sql, owner, after);
    const chosen = cutPart(found).map(({ id }) => id);
    const next = chosen.length < found.length ? chosen.at(-1) ?? null : null;
    if (chosen.length === 0) return { rows: [], next };
    return { rows: await read(sql, owner, sql`string_to_array(${chosen.join(" ")}, ' ')`), next };
  });
}

/** The two reads of a dataset: the candidates of a part, plus one; then the part. */
interface DatasetReads {
  readonly candidates: (sql: Sql, owner: string, after: string | null) => Query<Candidate>;
  readonly read: (
    sql: Sql,
    owner: string,
    ids: Query<object>,
  ) => Promise<readonly ExportedRow[]>;
}

const DATASET_READS: Readonly<Record<Dataset, DatasetReads>> = {
  RESOURCES: {
    candidates: (sql, owner, after) =>
      sql<Candidate>`
        select resource_id as id,
               octet_length(name) + coalesce(octet_length(notes), 0) as bytes
          from resources
         where owner_id = ${owner} ${after === null ? sql`` : sql`and resource_id < ${after}`}
         order by resource_id desc limit ${PART.rows + 1}`,
    async read(sql, owner, ids) {
      const rows = await sql<ResourceRow>`
        select ${rootColumns(sql, STORED_RESOURCES.tables(sql))} from resources
         where owner_id = ${owner} and resource_id = any (${ids})
         order by resource_id desc`;
      return rows.map(showResource);
    },
  },
  SNAPSHOTS: {
    candidates: (sql, owner, after) =>
      sql<Candidate>`
        select snapshot_id as id, coalesce(octet_length(note), 0) as bytes
          from resource_snapshots
         where owner_id = ${owner} ${after === null ? sql`` : sql`and snapshot_id < ${after}`}
         order by snapshot_id desc limit ${PART.rows + 1}`,
    async read(sql, owner, ids) {
      const rows = await sql<ResourceSnapshotRow>`
        select ${snapshotColumns(sql)} from ${snapshotsWithUnits(sql)}
         where owner_id = ${owner} and snapshot_id = any (${ids})
         order by snapshot_id desc`;
      return rows.map(showSnapshot);
    },
  },
};
