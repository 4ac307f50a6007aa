import { PGlite } from "@electric-sql/pglite";
import { fsyncSync } from "node:fs";
import { Duplex } from "node:stream";
import postgres from "postgres";
import { type FileLock, takeFileLock } from "../core/file_lock.ts";
import { createDatabase, type Database } from "./database.ts";
import { createLane, LanePool } from "./lane.ts";

/** The major version of PostgreSQL inside PGlite; its files cannot be opened by another. */
const POSTGRES_MAJOR = "18";

/** The data directory cannot be used; the message says why and what to do. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = "EmbeddedDatabaseError";
}

/**
 * Opens the embedded PostgreSQL under `dataDir`, creating it at first use (about four seconds).
 *
 * Durable: every commit is one fsync of the write-ahead log, as on a PostgreSQL server. One process
 * at a time: a lock file beside the database is held until `close`.
 *
 * @throws EmbeddedDatabaseError when another process holds the directory, when it was written by
 * another major version, or when this PGlite cannot be made durable.
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(dataDir);
  try {
    const engine = await startEngine(`${dataDir}/postgres`);
    return await serveEngine(engine, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function lockDirectory(dataDir: string): Promise<FileLock> {
  const lock = await takeFileLock(`${dataDir}/lock`);
  if ("heldBy" in lock) {
    throw new EmbeddedDatabaseError(`The data directory is in use by ${lock.heldBy}`);
  }
  return lock;
}

async function startEngine(directory: string): Promise<PGlite> {
  await checkVersion(directory);
  if (!await exists(`${directory}/PG_VERSION`)) await initialise(directory);
  const engine = await PGlite.create({ dataDir: directory, startParams: durableStartParams() });
  try {
    makeDurable(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return engine;
}

async function checkVersion(directory: string): Promise<void> {
  const found = await Deno.readTextFile(`${directory}/PG_VERSION`).catch(() => null);
  if (found === null || found.trim() === POSTGRES_MAJOR) return;
  throw new EmbeddedDatabaseError(
    `The data directory was written by PostgreSQL ${found.trim()}, this release needs ` +
      `${POSTGRES_MAJOR}: back it up with the release that wrote it and restore it with this one`,
  );
}

/** Builds the database beside its place and moves it there whole: a crash leaves nothing half-made. */
async function initialise(directory: string): Promise<void> {
  const building = `${directory}.new`;
  await Deno.remove(building, { recursive: true }).catch(ignoreNotFound);
  const engine = await PGlite.create({ dataDir: building, startParams: durableStartParams() });
  await engine.close();
  await syncTree(building);
  await Deno.rename(building, directory);
}

/** PGlite turns fsync off by default: `-F` goes, and the write-ahead log is synced by fsync. */
function durableStartParams(): string[] {
  return [
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
    ...["-c", "fsync=on", "-c", "wal_sync_method=fsync"],
  ];
}

/** Emscripten's view of the host's files: its fsync does nothing unless it is given one. */
interface HostFileSystem {
  readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => void };
}

function makeDurable(engine: PGlite): void {
  const { NODEFS } = engine.Module as unknown as { NODEFS?: HostFileSystem };
  if (NODEFS?.stream_ops === undefined) {
    throw new EmbeddedDatabaseError(
      "This PGlite cannot be made durable: its file system is unknown",
    );
  }
  NODEFS.stream_ops.fsync = (stream) => fsyncSync(stream.nfd);
}

async function serveEngine(engine: PGlite, lock: FileLock): Promise<Database> {
  const lane = createLane((options) =>
    postgres({
      ...options,
      host: "embedded",
      database: "postgres",
      username: "postgres",
      password: "",
      fetch_types: false,
      onnotice: () => {},
      // `socket` is missing from the driver's types.
      ...{ socket: () => new EngineStream(engine) },
    })
  );
  await lane.client`set default_transaction_read_only = on`;
  await lane.client`set timezone = 'UTC'`;
  const lanes = new LanePool([lane]);
  return createDatabase({
    lanes,
    // One session serves reads and transactions alike.
    read: (use) => lanes.borrow((borrowed) => use(borrowed.client)),
    close: async () => {
      await lanes.close(5);
      await engine.close();
      lock.release();
    },
  });
}

const TERMINATE = 0x58;

/** The driver's socket: what is written goes to the engine, what the engine answers can be read. */
class EngineStream extends Duplex {
  readonly #engine: PGlite;

  constructor(engine: PGlite) {
    super();
    this.#engine = engine;
  }

  /** The driver says goodbye only to an open socket, and waits for its close. */
  get readyState(): "open" | "closed" {
    return this.destroyed ? "closed" : "open";
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error) => void): void {
    if (chunk[0] === TERMINATE) {
      // The session is the engine's own; only the stream ends.
      done();
      this.destroy();
      return;
    }
    this.#engine.execProtocolRaw(chunk, { syncToFs: false }).then((answer) => {
      this.push(answer);
      done();
    }, done);
  }
}

/** Brings a new directory tree to the disk, files and directories. */
async function syncTree(directory: string): Promise<void> {
  for await (const entry of Deno.readDir(directory)) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory) await syncTree(path);
    else await syncPath(path);
  }
  await syncPath(directory);
}

async function syncPath(path: string): Promise<void> {
  using file = await Deno.open(path);
  await file.sync();
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
