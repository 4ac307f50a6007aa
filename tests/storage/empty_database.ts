/** Databases without a schema, on the suite's engine. */

import type { Database } from "../../src/database/database.ts";
import { openEmbedded } from "../../src/database/embedded.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { copyTemplate, createServerDatabase } from "../support/template.ts";
import { asTemplate, ENGINE, type Json } from "../support/world.ts";

export interface EmptyDatabase extends AsyncDisposable {
  readonly database: Database;
  /** As of another process; the same connection if the engine allows one process only. */
  another(): Database;
  rows(query: string): Promise<Json[]>;
}

/** For a test file: `const empty = emptyDatabases();` */
export function emptyDatabases(): () => Promise<EmptyDatabase> {
  return ENGINE === "postgres" ? openOnServer : openCopy;
}

async function openOnServer(): Promise<EmptyDatabase> {
  const created = await createServerDatabase({ empty: true });
  const opened: Database[] = [];
  const another = () => {
    const database = openPostgres(created.url, 2);
    opened.push(database);
    return database;
  };
  const database = another();
  return {
    database,
    another,
    rows: (query) => rowsOf(database, query),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((one) => one.close()));
      await created.drop();
    },
  };
}

async function openCopy(): Promise<EmptyDatabase> {
  const folder = await Deno.makeTempDir({ prefix: "prs-empty-" });
  copyTemplate(folder, { empty: true });
  const database = await openEmbedded(folder);
  return {
    database,
    another: () => database,
    rows: (query) => rowsOf(database, query),
    async [Symbol.asyncDispose]() {
      await database.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function rowsOf(database: Database, query: string): Promise<Json[]> {
  return await database.read(async (sql) => [...await sql(asTemplate(query))]);
}
