/** The PostgreSQL server of a benchmark, with databases of the benchmark's own. */

import postgres from "postgres";
import { findPrograms, startCluster } from "../postgres_cluster.ts";
import { createServerDatabase } from "../../tests/support/template.ts";

/** A server with two empty databases. Disposing of it drops them, and ends the server if it is ours. */
export interface BenchServer extends AsyncDisposable {
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
  readonly version: string;
  readonly serviceUrl: string;
  readonly referenceUrl: string;
  /** Both databases are measured as grown ones: with statistics, their rows known to be visible. */
  vacuum(): Promise<void>;
  /**
   * Writes dirty pages to the disk, so that the next round does not pay for it. Does nothing on a server
   * that is not ours.
   */
  checkpoint(): Promise<void>;
}

/**
 * Opens the server of a URL, without touching the database in it; without a URL starts a cluster with
 * PostgreSQL's default durability.
 *
 * @returns null if PostgreSQL is not installed: `pgbench` is needed in both cases.
 */
export async function openServer(databaseUrl: string | null): Promise<BenchServer | null> {
  const programs = await findPrograms();
  if (programs === null) return null;
  await using opening = new AsyncDisposableStack();
  const url = databaseUrl ?? await startOwnCluster(opening);
  const makeDatabase = async () =>
    opening.adopt(
      await createServerDatabase({ empty: true, clusterUrl: url }),
      (made) => made.drop(),
    ).url;
  const [serviceUrl, referenceUrl] = [await makeDatabase(), await makeDatabase()];
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

/** Runs statements without parameters, each in its own transaction. */
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
