/** A database on PostgreSQL that a test opens itself and observes from outside. */

import postgres from "postgres";
import type { Database } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import type { ConnectOptions } from "../../src/database/connect.ts";
import { createServerDatabase } from "../support/template.ts";
import { ENGINE, type Json } from "../support/world.ts";
import { waitUntil } from "../support/wait.ts";

/** Connection settings in addition to the service's. */
export type Settings = Readonly<Record<string, string>>;

/** Migrated, with a table `notes (name text primary key)`. */
export interface ServerDatabase extends AsyncDisposable {
  readonly url: URL;
  /** Optionally at another URL; closes with the test. */
  open(
    poolSize: number,
    settings?: Settings,
    url?: URL,
    settle?: ConnectOptions["settle"],
  ): Database;
  /** One statement on a separate connection. */
  rows(statement: string): Promise<Json[]>;
  notes(): Promise<string[]>;
  /** Waits until the server has removed the session. */
  terminate(pid: number): Promise<void>;
}

export async function createServer(): Promise<ServerDatabase> {
  const created = await createServerDatabase();
  const console = postgres(created.url, { max: 1, fetch_types: false, onnotice: () => {} });
  const opened: Database[] = [];
  const rows = async (statement: string) => [...await console.unsafe(statement)];
  await rows("create table notes (name text primary key)");
  return {
    url: new URL(created.url),
    rows,
    open(poolSize, settings = {}, url = new URL(created.url), settle = "start") {
      const database = openPostgres(url.href, poolSize, { settings, settle });
      opened.push(database);
      return database;
    },
    notes: async () => (await rows("select name from notes order by name")).map(({ name }) => name),
    async terminate(pid) {
      await rows(`select pg_terminate_backend(${pid})`);
      await waitUntil("the session is gone", async () => {
        const sessions = await rows(`select 1 from pg_stat_activity where pid = ${pid}`);
        return sessions.length === 0;
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((database) => database.close()));
      await console.end();
      await created.drop();
    },
  };
}

/** A test of several sessions at once, which the embedded engine lacks. */
export function serverTest(name: string, test: (server: ServerDatabase) => Promise<void>): void {
  Deno.test({
    name,
    ignore: ENGINE !== "postgres",
    fn: async () => {
      await using server = await createServer();
      await test(server);
    },
  });
}
