/** The PostgreSQL server of a benchmark, with its own databases. */

import postgres from "postgres";
import { findPrograms, startCluster } from "../postgres_cluster.ts";
import { createServerDatabase } from "../../tests/support/template.ts";

/** Two empty databases. Disposal drops them, and stops the server if it is ours. */
export interface BenchServer extends AsyncDisposable {
  /** PostgreSQL's programs. */
  readonly programs: string;
  readonly version: string;
  readonly serviceUrl: string;
  readonly referenceUrl: string;
  /** Brings statistics and visibility up to date, as in grown databases. */
  vacuum(): Promise<void>;
  /** So that the next round does not pay for dirty pages. Does nothing on a foreign server. */
  checkpoint(): Promise<void>;
}

/**
 * Uses the URL's server but not its database; without a URL starts a cluster with default
 * durability.
 *
 * @returns null if PostgreSQL, and so `pgbench`, is not installed.
 */
export async function openServer(databaseUrl: string | null): Promise<BenchServer | null> {
  const programs = await findPrograms();
  if (programs === null) return null;
  await using opening = new AsyncDisposableStack();
  const url = databaseUrl ?? await startOwnCluster(opening);
  const make = () => makeDatabaseOn(url, opening);
  const [serviceUrl, referenceUrl] = [await make(), await make()];
  const version = `PostgreSQL ${await readVersion(url)}`;
  const running = opening.move();
  return {
    programs,
    version,
    serviceUrl,
    referenceUrl,
    async vacuum() {
      for (const each of [serviceUrl, referenceUrl]) await runStatements(each, ["vacuum analyze"]);
    },
    async checkpoint() {
      if (databaseUrl === null) await runStatements(url, ["checkpoint"]);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Makes an empty database on the server of `DATABASE_URL`, or on a durable one of our own. */
export async function makeDatabase(opened: AsyncDisposableStack): Promise<string> {
  const clusterUrl = Deno.env.get("DATABASE_URL") || await startOwnCluster(opened);
  return await makeDatabaseOn(clusterUrl, opened);
}

async function makeDatabaseOn(clusterUrl: string, opened: AsyncDisposableStack): Promise<string> {
  const made = await createServerDatabase({ empty: true, clusterUrl });
  opened.defer(() => made.drop());
  return made.url;
}

async function startOwnCluster(opening: AsyncDisposableStack): Promise<string> {
  const cluster = await startCluster({ durable: true });
  if (cluster === null) throw new Error("PostgreSQL is not installed");
  opening.defer(() => cluster.stop());
  return cluster.url;
}

async function readVersion(url: string): Promise<string> {
  return await withClient(url, async (sql) => {
    const [row] = await sql<{ server_version: string }[]>`show server_version`;
    return row?.server_version ?? "";
  });
}

/** Each in its own transaction. */
export async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  await withClient(url, async (sql) => {
    for (const statement of statements) await sql.unsafe(statement).simple();
  });
}

async function withClient<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}
