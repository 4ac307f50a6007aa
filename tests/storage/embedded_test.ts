// engines: embedded
/** The embedded engine: one opener, durable commits, no service after a stop. */

import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { EmbeddedDatabaseError, openEmbedded } from "../../src/database/embedded.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { copyFolder, copyTemplate } from "../support/template.ts";
import { ENGINE } from "../support/world.ts";

interface DataFolder extends AsyncDisposable {
  readonly path: string;
}

async function createFolder(): Promise<DataFolder> {
  const path = await Deno.makeTempDir({ prefix: "prs-embedded-" });
  copyTemplate(path);
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

function embeddedTest(name: string, test: (folder: DataFolder) => Promise<void>): void {
  Deno.test({
    name,
    ignore: ENGINE !== "embedded",
    fn: async () => {
      await using folder = await createFolder();
      await test(folder);
    },
  });
}

interface HostStream {
  readonly nfd: number;
}

/** The hook as installed by the service. */
interface FsyncHook {
  stream_ops: { fsync: (stream: HostStream) => number };
}

type Create = (options: { readonly fs: object }) => Promise<PGlite>;

/** `create` makes the engine. */
async function openThrough(path: string, create: (original: Create) => Create): Promise<Database> {
  const original = PGlite.create;
  Object.assign(PGlite, { create: create(original.bind(PGlite) as Create) });
  try {
    return await openEmbedded(path);
  } finally {
    Object.assign(PGlite, { create: original });
  }
}

async function modesIn(path: string): Promise<number[]> {
  const { mode, isDirectory } = await Deno.stat(path);
  const entries = isDirectory ? await Array.fromAsync(Deno.readDir(path)) : [];
  const below = await Promise.all(entries.map(({ name }) => modesIn(`${path}/${name}`)));
  return [(mode ?? 0) & 0o777, ...below.flat()];
}

Deno.test({
  name: "openEmbedded() makes the files of one database, readable by its user only",
  ignore: ENGINE !== "embedded" || Deno.build.os === "windows",
  async fn() {
    const path = await Deno.makeTempDir({ prefix: "prs-embedded-" });
    await Deno.chmod(path, 0o755);
    try {
      const create = () => Promise.reject(new Error("The engine is not needed"));
      await assertRejects(() => openThrough(path, () => create), Error, "not needed");
      const databases = await Array.fromAsync(Deno.readDir(`${path}/postgres/base`));
      assertEquals(databases.map(({ name }) => name), ["5"]);
      const modes = await modesIn(`${path}/postgres`);
      assert(modes.length > 300);
      assertEquals([...new Set(modes)].sort(), [0o600, 0o700]);
    } finally {
      await Deno.remove(path, { recursive: true });
    }
  },
});

/** Every fsync passes through `fsync`, which receives the original. */
async function openWatched(
  path: string,
  fsync: (inForce: (stream: HostStream) => number) => (stream: HostStream) => number,
): Promise<Database> {
  return await openThrough(path, (create) => async (options) => {
    const engine = await create(options);
    const { NODEFS } = engine.Module as unknown as { NODEFS: FsyncHook };
    NODEFS.stream_ops.fsync = fsync(NODEFS.stream_ops.fsync);
    return engine;
  });
}

async function write(database: Database, name: string): Promise<void> {
  await database.transaction((tx) => tx.sql`insert into notes values (${name})`);
}

async function notes(database: Database): Promise<string[]> {
  const rows = await database.read((sql) =>
    sql<{ name: string }>`select name from notes order by name`
  );
  return rows.map(({ name }) => name);
}

async function createNotes(database: Database): Promise<void> {
  await database.transaction((tx) => tx.script("create table notes (name text primary key)"));
}

async function assertUnavailable(action: () => Promise<unknown>): Promise<void> {
  const error = await assertRejects(action);
  assert(error instanceof ServiceError && error.code === "HTTP_503", `${error}`);
}

embeddedTest("A second opener is rejected with the folder's holder", async ({ path }) => {
  const database = await openEmbedded(path);
  const error = await assertRejects(() => openEmbedded(path), EmbeddedDatabaseError);
  assertStringIncludes(error.message, `in use by process ${Deno.pid}`);
  await createNotes(database);
  await database.close();
  const again = await openEmbedded(path);
  assertEquals(await notes(again), []);
  await again.close();
  // The system frees an ended process's lock.
  await Deno.writeTextFile(`${path}/lock`, "process 1\n");
  await (await openEmbedded(path)).close();
});

embeddedTest("The lock excludes other processes too", async ({ path }) => {
  const lock = new URL("../../src/core/file_lock.ts", import.meta.url).href;
  const script = `
    import { takeFileLock } from ${JSON.stringify(lock)};
    const taken = await takeFileLock(${JSON.stringify(`${path}/lock`)});
    console.log("heldBy" in taken ? taken.heldBy : "free");`;
  const tryLock = async () => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-lock", script],
      stdin: "null",
    }).output();
    return new TextDecoder().decode(stdout).trim();
  };
  const database = await openEmbedded(path);
  assertEquals(await tryLock(), `process ${Deno.pid}`);
  await database.close();
  assertEquals(await tryLock(), "free");
});

embeddedTest("Files of another major version are rejected with advice", async ({ path }) => {
  const version = `${path}/postgres/PG_VERSION`;
  const own = await Deno.readTextFile(version);
  await Deno.writeTextFile(version, "17\n");
  const error = await assertRejects(() => openEmbedded(path), EmbeddedDatabaseError);
  assertStringIncludes(
    error.message,
    "written by PostgreSQL 17, this release needs 18: back it up",
  );
  // Unchanged and unlocked.
  await Deno.writeTextFile(version, own);
  await (await openEmbedded(path)).close();
});

embeddedTest("A folder without a database is not overwritten", async ({ path }) => {
  await Deno.remove(`${path}/postgres/PG_VERSION`);
  const before = await Array.fromAsync(Deno.readDir(`${path}/postgres`), ({ name }) => name);
  const error = await assertRejects(() => openEmbedded(path), EmbeddedDatabaseError);
  assertStringIncludes(error.message, "restore it from a backup");
  const after = await Array.fromAsync(Deno.readDir(`${path}/postgres`), ({ name }) => name);
  assertEquals(after.sort(), before.sort());
});

embeddedTest("A half-created database is created again", async ({ path }) => {
  await Deno.remove(`${path}/postgres`, { recursive: true });
  await Deno.mkdir(`${path}/postgres.new/base`, { recursive: true });
  await Deno.writeTextFile(`${path}/postgres.new/PG_VERSION`, "1");
  await Deno.writeTextFile(`${path}/postgres.new/base/left over`, "x");
  const database = await openEmbedded(path);
  await createNotes(database);
  await database.close();
  const names = await Array.fromAsync(Deno.readDir(path), ({ name }) => name);
  assertEquals(names.sort(), ["lock", "postgres"]);
  await assertRejects(() => Deno.stat(`${path}/postgres/base/left over`), Deno.errors.NotFound);
});

embeddedTest("Every commit writes the log to disk, and a read does not", async ({ path }) => {
  let synced = 0;
  const database = await openWatched(path, (inForce) => (stream) => {
    synced++;
    return inForce(stream);
  });
  await createNotes(database);
  for (let note = 1; note <= 5; note++) {
    synced = 0;
    await write(database, String(note));
    assert(synced >= 1, `commit ${note} made no fsync`);
    synced = 0;
    await database.transaction((tx) => tx.commitWith(tx.sql`update notes set name = name || 'x'`));
    assert(synced >= 1, `commitWith ${note} made no fsync`);
  }
  synced = 0;
  await notes(database);
  assertEquals(synced, 0);
  await database.close();
});

embeddedTest("An engine whose writes do not reach the disk does not start", async ({ path }) => {
  const error = await assertRejects(
    () =>
      openThrough(
        path,
        (create) => (options) => create({ ...options, fs: new NodeFS(`${path}/postgres`) }),
      ),
    EmbeddedDatabaseError,
  );
  assertStringIncludes(error.message, "cannot be made durable");
  await (await openEmbedded(path)).close();
});

embeddedTest("Committed data survives a crash", async ({ path }) => {
  await using crashed = await createFolder();
  const database = await openEmbedded(path);
  await createNotes(database);
  await write(database, "before the crash");
  await Deno.remove(crashed.path, { recursive: true });
  await database.transaction(async (tx) => {
    await tx.sql`insert into notes values ('never committed')`;
    // The files have the state that a crash leaves.
    copyFolder(path, crashed.path);
  });
  await database.close();
  const recovered = await openEmbedded(crashed.path);
  assertEquals(await notes(recovered), ["before the crash"]);
  await write(recovered, "after it");
  await recovered.close();
});

embeddedTest(
  "A write that does not reach the disk stops the engine until the next start",
  async ({ path }) => {
    let isBroken = false;
    const database = await openWatched(
      path,
      (inForce) => (stream) => inForce(isBroken ? { nfd: 2 ** 30 } : stream),
    );
    await createNotes(database);
    await write(database, "kept");
    isBroken = true;
    await assertUnavailable(() => write(database, "not kept"));
    isBroken = false;
    // The disk is not trusted again.
    await assertUnavailable(() => write(database, "too late"));
    await assertUnavailable(() => notes(database));
    await database.close();
    const again = await openEmbedded(path);
    assertEquals((await notes(again)).filter((name) => name !== "not kept"), ["kept"]);
    await write(again, "again");
    await again.close();
  },
);

embeddedTest(
  "An engine that breaks down in a statement answers 503",
  async ({ path }) => {
    const database = await openEmbedded(path);
    await createNotes(database);
    await write(database, "kept");
    await assertUnavailable(() =>
      database.transaction(async (tx) => {
        await tx.sql`insert into notes values ('not kept')`;
        // Deeper than the engine's stack.
        await tx.script(`
        create function sink() returns integer language plpgsql as $$
        begin
          return sink();
        end $$;
        select sink()`);
      })
    );
    await assertUnavailable(() => notes(database));
    await assertUnavailable(() => write(database, "too late"));
    await database.close();
    const again = await openEmbedded(path);
    assertEquals(await notes(again), ["kept"]);
    await again.close();
  },
);

embeddedTest(
  "Other users cannot read the engine's files, whoever created the folder",
  async ({ path }) => {
    for (const folder of [path, `${path}/postgres`]) await Deno.chmod(folder, 0o755);
    const database = await openEmbedded(path);
    await database.close();
    const { mode } = await Deno.stat(`${path}/postgres`);
    assertEquals((mode ?? 0) & 0o777, 0o700);
  },
);
