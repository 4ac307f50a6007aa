import { PGlite } from "@electric-sql/pglite";
import postgres from "postgres";
import { type FileLock, takeFileLock } from "../core/file_lock.ts";
import { ignoreNotFound, moveSynced } from "../core/files.ts";
import { ExplainedError } from "../errors/operator_error.ts";
import type { Connect } from "./connection.ts";
import { createDatabase, type Database } from "./database.ts";
import { DurableFiles } from "./durable_files.ts";
import { EngineSocket } from "./engine_socket.ts";
import { writeInitialFiles } from "./initial_files.ts";
import { watchMemory } from "./memory_watch.ts";
import { PLANNER_SETTINGS } from "./planner_settings.ts";
import { ConnectionPool } from "./pool.ts";
import { RunningEngine } from "./running_engine.ts";
import { startVacuumAndCheckpoint } from "./vacuum_and_checkpoint.ts";

/** The files' version; another major version cannot open them. */
const POSTGRES_MAJOR = "18";
const SECONDS_TO_CLOSE = 5;

/** The message names the reason and the remedy. */
export class EmbeddedDatabaseError extends ExplainedError {
  override readonly name = "EmbeddedDatabaseError";
}

/**
 * Opens the embedded database, and creates it at first use. Every commit is one fsync of the
 * write-ahead log. A lock file next to the database excludes other processes until `close`.
 *
 * @throws EmbeddedDatabaseError if another process holds the directory, if it was written by
 *   another major version or is damaged, or if this PGlite cannot be made durable.
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(dataDir);
  try {
    const engine = await startEngine(`${dataDir}/postgres`);
    return serveEngine(new RunningEngine(engine), lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** True if a database was created in this directory. */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  return !await isEmpty(`${dataDir}/postgres`);
}

async function lockDirectory(dataDir: string): Promise<FileLock> {
  const lock = await takeFileLock(`${dataDir}/lock`);
  if ("heldBy" in lock) {
    throw new EmbeddedDatabaseError(`The data directory is in use by ${lock.heldBy}`);
  }
  return lock;
}

async function startEngine(directory: string): Promise<PGlite> {
  if (await isEmpty(directory)) await initialise(directory);
  await checkVersion(directory);
  // The engine makes world-writable files in this directory.
  if (Deno.build.os !== "windows") await Deno.chmod(directory, 0o700);
  return await createEngine(directory);
}

async function isEmpty(directory: string): Promise<boolean> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(directory));
    return entries.length === 0;
  } catch (error) {
    ignoreNotFound(error);
    return true;
  }
}

/** @throws EmbeddedDatabaseError if writes would not be synced to the disk. */
async function createEngine(directory: string): Promise<PGlite> {
  const files = new DurableFiles(directory);
  const engine = await PGlite.create({ fs: files, startParams: START_PARAMETERS });
  if (files.hasSynced) return engine;
  await engine.close();
  throw new EmbeddedDatabaseError("This PGlite cannot be made durable: its file system is unknown");
}

async function checkVersion(directory: string): Promise<void> {
  const found = await Deno.readTextFile(`${directory}/PG_VERSION`).catch(ignoreNotFound);
  if (found === undefined) {
    throw new EmbeddedDatabaseError(
      `The folder "${directory}" holds something, but no database: restore it from a backup, or ` +
        "move it away to begin anew",
    );
  }
  if (found.trim() === POSTGRES_MAJOR) return;
  throw new EmbeddedDatabaseError(
    `The data directory was written by PostgreSQL ${found.trim()}, this release needs ` +
      `${POSTGRES_MAJOR}: back it up with the release that wrote it and restore it with this one`,
    { isPermanent: true },
  );
}

/** Builds the database under a temporary name, in case of a crash. */
async function initialise(directory: string): Promise<void> {
  const building = `${directory}.new`;
  await Deno.remove(building, { recursive: true }).catch(ignoreNotFound);
  // The engine makes files with mode 666, so this excludes other users before the first one.
  await Deno.mkdir(building, { mode: 0o700 });
  await writeInitialFiles(building);
  await moveSynced(building, directory);
}

const SETTINGS: Readonly<Record<string, string>> = {
  fsync: "on",
  wal_sync_method: "fsync",
  // Each transaction begins READ WRITE; statements outside of a transaction cannot write.
  default_transaction_read_only: "on",
  timezone: "UTC",
  ...PLANNER_SETTINGS,
  // The engine's default is 160 MB: the system caches files too.
  shared_buffers: "4MB",
};

const START_PARAMETERS = [
  // PGlite turns fsync off by default: this removes `-F`.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
];

/** One session serves reads and transactions. */
function serveEngine(engine: RunningEngine, lock: FileLock): Database {
  // The driver's types do not declare `socket`.
  const undeclared = { socket: () => new EngineSocket(engine) };
  const connect: Connect = (options) =>
    postgres({
      ...options,
      host: "embedded",
      database: "postgres",
      username: "postgres",
      password: "",
      fetch_types: false,
      onnotice: () => {},
      ...undeclared,
    });
  const pool = new ConnectionPool(connect, 1);
  const stopVacuumAndCheckpoint = startVacuumAndCheckpoint(pool);
  const database = createDatabase({
    pool,
    writers: null,
    read: (use) => pool.borrow(use),
    connections: () => pool.use,
    stopped: engine.stopped,
    close: async () => {
      stopVacuumAndCheckpoint();
      await pool.close(SECONDS_TO_CLOSE);
      await engine.close();
      lock.release();
    },
  });
  return watchMemory(database, () => engine.stop({ error: "PostgresError", code: "53200" }));
}
