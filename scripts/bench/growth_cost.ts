import type postgres from "postgres";
import type { Askers } from "./growth_rates.ts";
import { CREATE_BODY, creation } from "./growth_rates.ts";
import { MODULE, RECORDS } from "./growth_seed.ts";
import type { LoadProcess, RequestTemplate } from "./load.ts";
import { TITLE } from "./operations.ts";

const TABLES = ["records", "record_revisions", "audit_entries", "idempotency_envelopes"] as const;

/** In bytes per row of the table. */
export interface RelationSize {
  readonly table: string;
  /** `heap` or `toast` (with their maps), or an index. */
  readonly part: string;
  readonly bytesPerRow: number;
}

/** One row of each table, with its share of the indexes. */
export interface DiskCost {
  readonly parts: readonly RelationSize[];
  readonly bytesPerRecord: number;
  /** UTF-8 bytes of payload, title and summary. */
  readonly contentBytes: number;
}

/** Vacuum the tables first. */
export async function readDiskCost(sql: postgres.Sql): Promise<DiskCost> {
  await sql`vacuum (analyze)`;
  const parts: RelationSize[] = [];
  for (const table of TABLES) parts.push(...await sizesOf(sql, table));
  const [content] = await sql<{ bytes: number }[]>`
    select avg(octet_length(payload::text) + octet_length(title) + octet_length(summary))::float8
             as bytes
      from records where module_code = ${MODULE}`;
  return {
    parts,
    bytesPerRecord: parts.reduce((sum, { bytesPerRow }) => sum + bytesPerRow, 0),
    contentBytes: content?.bytes ?? NaN,
  };
}

async function sizesOf(sql: postgres.Sql, table: string): Promise<RelationSize[]> {
  return await sql<RelationSize[]>`
    with sized as (
      select 'heap' as part, 0 as place,
             pg_table_size(oid) - coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0) as bytes
        from pg_class where oid = ${table}::regclass
      union all
      select 'toast', 1, coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0)
        from pg_class where oid = ${table}::regclass
      union all
      select indexrelid::regclass::text, 2, pg_relation_size(indexrelid)
        from pg_index where indrelid = ${table}::regclass
    )
    select ${table} as table, part,
           bytes::float8 / (select count(*) from ${sql(table)}) as "bytesPerRow"
      from sized order by place, part`;
}

export interface LogCost {
  readonly request: "create" | "patch";
  readonly bodyBytes: number;
  /** Includes full images of pages first touched after a checkpoint. */
  readonly afterCheckpoint: number;
  readonly later: number;
  /** Without full-page images; null if server settings cannot be changed. */
  readonly withoutPages: number | null;
}

const REQUESTS = 500;
/** For checkpoints and background work to end. */
const REST_MS = 500;

/**
 * Logs of creations and of title changes.
 *
 * @param isOurs Whether server settings may be changed.
 */
export async function measureLogCost(
  sql: postgres.Sql,
  load: LoadProcess,
  askers: Askers,
  isOurs: boolean,
): Promise<LogCost[]> {
  const body = JSON.stringify({ title: TITLE });
  const patch: RequestTemplate = {
    method: "PATCH",
    path: `${RECORDS}/{value}`,
    headers: askers.headers,
    values: askers.ids,
    body,
    status: 200,
  };
  const costs: LogCost[] = [];
  for (
    const [request, template, text] of [
      ["create", creation(askers), CREATE_BODY],
      ["patch", patch, body],
    ] as const
  ) {
    const log = () => logOf(sql, load, askers.port, template);
    await sql`checkpoint`;
    const afterCheckpoint = await log();
    const later = await log();
    const withoutPages = isOurs ? await withoutWholePages(sql, log) : null;
    const bodyBytes = new TextEncoder().encode(text).length;
    costs.push({ request, bodyBytes, afterCheckpoint, later, withoutPages });
  }
  return costs;
}

async function withoutWholePages(sql: postgres.Sql, log: () => Promise<number>): Promise<number> {
  const set = async (value: "on" | "off") => {
    await sql.unsafe(`alter system set full_page_writes = ${value}`);
    await sql`select pg_reload_conf()`;
    await sql`checkpoint`;
  };
  await set("off");
  try {
    return await log();
  } finally {
    await set("on");
  }
}

async function logOf(
  sql: postgres.Sql,
  load: LoadProcess,
  port: number,
  template: RequestTemplate,
): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const before = await endOfLog(sql);
  const { errors, firstError } = await load.run({
    port,
    template,
    connections: 1,
    requests: REQUESTS,
  });
  if (errors > 0) throw new Error(`${template.method} was refused: ${firstError}`);
  return (await endOfLog(sql) - before) / REQUESTS;
}

export async function endOfLog(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ position: number }[]>`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as position`;
  return row?.position ?? NaN;
}
