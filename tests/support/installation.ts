/** The environment of a server process: a data folder, and on PostgreSQL a database. */

import type { Database } from "../../src/database/database.ts";
import { openEmbedded } from "../../src/database/embedded.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { copyTemplate, createServerDatabase } from "./template.ts";
import { asTemplate, ENGINE, type Json } from "./world.ts";

/** A place in which server processes can run, one after the other. */
export interface Installation extends AsyncDisposable {
  /** The settings that a server process needs to run here, on any free port. */
  readonly env: Readonly<Record<string, string>>;
  readonly dataDir: string;
  /** Runs a script past the service; on the embedded engine only while no server runs. */
  raw(script: string): Promise<void>;
  /** Opens the database past the service, as `raw` does. */
  withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T>;
  /** Reads rows past the service; on the embedded engine only while no server runs. */
  rows(query: string): Promise<Json[]>;
}

/**
 * Prepares an installation. It contains the schema, which shortens the first start, unless it is
 * `untouched`.
 */
export async function createInstallation({ untouched = false } = {}): Promise<Installation> {
  const folder = await Deno.makeTempDir({ prefix: "prs-installation-" });
  // A space, because a folder's name may hold one.
  const dataDir = `${folder}/the data`;
  const base = { PORT: "0", DATA_DIR: dataDir };
  const finish = () => Deno.remove(folder, { recursive: true });
  if (ENGINE === "embedded") {
    if (!untouched) copyTemplate(dataDir);
    return installation(base, dataDir, () => openEmbedded(dataDir), finish);
  }
  const copy = await createServerDatabase({ empty: untouched });
  const env = {
    ...base,
    DATABASE_URL: copy.url,
    SERVER_SECRET: "a server secret that only tests know",
    // Tests do not need a durable server, which is slower.
    ALLOW_UNSAFE_DATABASE: "true",
  };
  return installation(env, dataDir, () => Promise.resolve(openPostgres(copy.url, 2)), async () => {
    await copy.drop();
    await finish();
  });
}

function installation(
  env: Record<string, string>,
  dataDir: string,
  open: () => Promise<Database>,
  dispose: () => Promise<void>,
): Installation {
  const withDatabase = async <T>(use: (database: Database) => Promise<T>): Promise<T> => {
    const database = await open();
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  };
  return {
    env,
    dataDir,
    withDatabase,
    raw: (script) => withDatabase((database) => database.transaction((tx) => tx.script(script))),
    rows: (query) =>
      withDatabase((database) => database.read(async (sql) => [...await sql(asTemplate(query))])),
    [Symbol.asyncDispose]: dispose,
  };
}
