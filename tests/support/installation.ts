/** The environment of server processes: a data folder, and on PostgreSQL a database. */

import type { Database } from "../../src/database/database.ts";
import { openEmbedded } from "../../src/database/embedded.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { parseArguments, readCommand } from "../../src/operator/admin/command.ts";
import { configOf, operate, type OwnService, startOwn } from "./own_service.ts";
import { openOwner, type Owner } from "./owner.ts";
import { copyTemplate, createServerDatabase } from "./template.ts";
import { asTemplate, ENGINE, type Json } from "./world.ts";

/** A place for one server process after another. */
export interface Installation extends AsyncDisposable {
  /** On any free port. */
  readonly env: Readonly<Record<string, string>>;
  readonly dataDir: string;
  /**
   * Runs a script on the database, not through the service; on the embedded engine only while no
   * server runs.
   */
  raw(script: string): Promise<void>;
  /** As `raw` does. */
  withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T>;
  /** As `raw` does. */
  rows(query: string): Promise<Json[]>;
  /** Opens a session of `OWNER`, as `raw` does; a set-up or sign-in costs a hashed password. */
  settle(): Promise<Owner>;
  /** Starts the service in this process, which is cheaper than one that a test can kill. */
  serve(settings?: Readonly<Record<string, string>>): Promise<OwnService>;
  /**
   * Runs an operator's command in this process, as `raw` does, and returns its lines. Files are
   * named from `dataDir`.
   */
  operate(...words: string[]): Promise<string[]>;
}

/** Installs the schema, which shortens the first start, unless `untouched`. */
export async function createInstallation({ untouched = false } = {}): Promise<Installation> {
  const folder = await Deno.makeTempDir({ prefix: "prs-installation-" });
  // Folder names may contain spaces.
  const dataDir = `${folder}/the data`;
  const base = { PORT: "0", DATA_DIR: dataDir };
  const finish = () => Deno.remove(folder, { recursive: true });
  if (ENGINE === "embedded") {
    if (!untouched) copyTemplate(dataDir);
    return installation(base, dataDir, () => openEmbedded(dataDir), finish);
  }
  // A served installation has it.
  if (!untouched) await Deno.mkdir(`${dataDir}/objects`, { recursive: true, mode: 0o700 });
  const copy = await createServerDatabase({ empty: untouched });
  const env = {
    ...base,
    DATABASE_URL: copy.url,
    SERVER_SECRET: "a server secret that only tests know",
    // Tests do not need durability, which is slower.
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
    settle: () => withDatabase(openOwner),
    serve: (settings) => startOwn(configOf(dataDir, { ...env, ...settings })),
    operate: (...words) =>
      operate(configOf(dataDir, env), readCommand(parseArguments(words).given)),
    raw: (script) => withDatabase((database) => database.transaction((tx) => tx.script(script))),
    rows: (query) =>
      withDatabase((database) => database.read(async (sql) => [...await sql(asTemplate(query))])),
    [Symbol.asyncDispose]: dispose,
  };
}
