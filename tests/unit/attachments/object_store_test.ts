import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { ChunkDatabase } from "../../../src/attachments/chunk_place.ts";
import { CheckedObjects, lossOf } from "../../../src/attachments/loss.ts";
import {
  LostObjectError,
  type ObjectStore,
  ObjectTooLargeError,
  openObjectStore,
} from "../../../src/attachments/object_store.ts";
import type { Sql } from "../../../src/database/sql.ts";
import { broken, filesUnder, generated } from "../../support/attachments.ts";
import { seededRandom } from "../../support/random.ts";
import { waitUntil } from "../../support/wait.ts";

const OWNER = "01JD5A0000000000000000WNER";

/** Statements of a database without chunks. */
const NO_SQL = (() => ({ execute: () => Promise.resolve([]) })) as unknown as Sql;
const NO_CHUNKS = { read: () => Promise.resolve({ chunks: 0 }) } as unknown as ChunkDatabase;

interface Opened extends AsyncDisposable {
  readonly store: ObjectStore;
  readonly folder: string;
}

async function openStore(): Promise<Opened> {
  const parent = await Deno.makeTempDir({ prefix: "prs-objects-" });
  const folder = `${parent}/objects`;
  const store = await openObjectStore(folder, NO_CHUNKS, "files");
  return {
    store,
    folder,
    async [Symbol.asyncDispose]() {
      await store.close();
      await Deno.remove(parent, { recursive: true });
    },
  };
}

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream();
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(stream));
}

Deno.test("receive() counts and hashes, and store() puts the bytes in their place", async () => {
  await using opened = await openStore();
  const bytes = new TextEncoder().encode("a note");
  const received = await opened.store.receive(OWNER, streamOf(bytes), 6);
  assertEquals(received.size, 6);
  assertEquals(received.sha256, sha256Of(bytes));
  assertEquals((await filesUnder(opened.folder)).length, 1);
  await received.store(NO_SQL);
  const { sha256 } = received;
  assertEquals(await filesUnder(opened.folder), [`${OWNER}/${sha256.slice(0, 2)}/${sha256}`]);
});

Deno.test("receive() accepts an empty stream", async () => {
  await using opened = await openStore();
  const received = await opened.store.receive(OWNER, streamOf(new Uint8Array()), 0);
  assertEquals(received.size, 0);
  await received.store(NO_SQL);
  const read = await opened.store.read({ owner: OWNER, sha256: received.sha256, size: 0 });
  assertEquals((await readAll(read)).length, 0);
});

Deno.test("receive() stops at the limit, cancels the stream and stores nothing", async () => {
  await using opened = await openStore();
  const exact = await opened.store.receive(OWNER, generated(1000, 100).stream, 1000);
  assertEquals(exact.size, 1000);
  await exact.discard();
  const endless = generated(Infinity, 100);
  await assertRejects(() => opened.store.receive(OWNER, endless.stream, 1000), ObjectTooLargeError);
  assert(endless.cancelled());
  assert(endless.sent() <= 1300, `read ahead to ${endless.sent()}`);
  assertEquals(await filesUnder(opened.folder), []);
});

Deno.test("receive() stores nothing of a broken stream", async () => {
  await using opened = await openStore();
  const stream = broken(new Uint8Array(1000), new Uint8Array(1000));
  await assertRejects(() => opened.store.receive(OWNER, stream, 1e6), Error, "The stream broke");
  assertEquals(await filesUnder(opened.folder), []);
});

Deno.test("discard() removes received content, but nothing stored", async () => {
  await using opened = await openStore();
  const bytes = new TextEncoder().encode("a note");
  const unwanted = await opened.store.receive(OWNER, streamOf(bytes), 10);
  await unwanted.discard();
  await unwanted.discard();
  assertEquals(await filesUnder(opened.folder), []);
  const wanted = await opened.store.receive(OWNER, streamOf(bytes), 10);
  await wanted.store(NO_SQL);
  await wanted.discard();
  assertEquals((await filesUnder(opened.folder)).length, 1);
});

Deno.test("store() may be called again, and stores equal content once per owner", async () => {
  await using opened = await openStore();
  const bytes = new TextEncoder().encode("a note");
  for (let time = 0; time < 3; time++) {
    const received = await opened.store.receive(OWNER, streamOf(bytes), 10);
    await received.store(NO_SQL);
    await received.store(NO_SQL);
  }
  assertEquals((await filesUnder(opened.folder)).length, 1);
  const other = await opened.store.receive("01JD5A0000000000000000THER", streamOf(bytes), 10);
  await other.store(NO_SQL);
  assertEquals((await filesUnder(opened.folder)).length, 2);
});

Deno.test("store() moves synced bytes, and syncs every folder on the way", async () => {
  await using opened = await openStore();
  const events: string[] = [];
  const sync = Deno.FsFile.prototype.sync;
  const rename = Deno.rename;
  try {
    Deno.FsFile.prototype.sync = async function (this: Deno.FsFile) {
      const { isDirectory, ino } = await this.stat();
      await sync.call(this);
      events.push(isDirectory ? `folder ${ino}` : "bytes");
    };
    Deno.rename = async (from, to) => {
      await rename(from, to);
      events.push("moved");
    };
    const received = await opened.store.receive(OWNER, streamOf(new Uint8Array(10)), 10);
    await received.store(NO_SQL);
    const owner = `${opened.folder}/${OWNER}`;
    const folders = [`${owner}/${received.sha256.slice(0, 2)}`, owner, opened.folder];
    const synced = await Promise.all(folders.map(async (path) => (await Deno.stat(path)).ino));
    assertEquals(events, ["bytes", "moved", ...synced.map((ino) => `folder ${ino}`)]);
  } finally {
    Deno.FsFile.prototype.sync = sync;
    Deno.rename = rename;
  }
});

Deno.test("read() returns any slice of stored content", async () => {
  await using opened = await openStore();
  const seed = 11;
  const random = seededRandom(seed);
  const bytes = Uint8Array.from({ length: 200_000 }, () => random.integer(0, 255));
  const received = await opened.store.receive(OWNER, streamOf(bytes), bytes.length);
  await received.store(NO_SQL);
  for (let run = 0; run < 30; run++) {
    const start = random.integer(0, bytes.length);
    const length = random.integer(0, bytes.length - start);
    const object = { owner: OWNER, sha256: received.sha256, size: bytes.length };
    const slice = await opened.store.read(object, start, start + length);
    const expected = bytes.subarray(start, start + length);
    assert(
      Buffer.compare(await readAll(slice), expected) === 0,
      `seed ${seed}: ${start}, ${length}`,
    );
  }
});

/** Including files being opened. */
function countOpenFiles(): Disposable & { readonly count: () => number } {
  const { open } = Deno;
  let count = 0;
  Deno.open = async (...args) => {
    count++;
    try {
      const file = await open(...args);
      const close = () => {
        file.close();
        count--;
      };
      return Object.assign(file, { [Symbol.dispose]: close });
    } catch (error) {
      count--;
      throw error;
    }
  };
  return { count: () => count, [Symbol.dispose]: () => void (Deno.open = open) };
}

Deno.test({
  name: "read() closes its file in every case",
  sanitizeResources: true,
  async fn() {
    await using opened = await openStore();
    using files = countOpenFiles();
    const received = await opened.store.receive(OWNER, generated(300_000, 50_000).stream, 300_000);
    await received.store(NO_SQL);
    const object = { owner: OWNER, sha256: received.sha256, size: 300_000 };
    const open = (end: number) => opened.store.read(object, 0, end);
    for (const end of [0, 1, 65_536, 300_000]) await (await open(end)).pipeTo(devNull());
    await (await open(300_000)).cancel();
    const reader = (await open(300_000)).getReader();
    await reader.read();
    const pending = reader.read();
    await reader.cancel();
    await pending;
    const { read } = opened.store;
    assertEquals(await lossIn(read({ ...object, sha256: "ab".repeat(32) })), "missing");
    assertEquals(await lossIn(read({ ...object, size: 299_999 })), "size");
    assertEquals(await lossIn(read({ ...object, size: 300_001 })), "size");
    // A cancelled stream closes its file after the pending read.
    await waitUntil("every file is closed", () => files.count() === 0);
  },
});

Deno.test("read() fails if a file became shorter meanwhile", async () => {
  await using opened = await openStore();
  const received = await opened.store.receive(OWNER, generated(300_000, 50_000).stream, 300_000);
  await received.store(NO_SQL);
  const [path] = await filesUnder(opened.folder);
  const object = { owner: OWNER, sha256: received.sha256, size: 300_000 };
  const stream = await opened.store.read(object);
  await Deno.truncate(`${opened.folder}/${path}`, 100_000);
  assertEquals(await lossIn(stream.pipeTo(devNull())), "size");
});

Deno.test("lossOf() tells a whole object from each kind of loss", async () => {
  await using opened = await openStore();
  const received = await opened.store.receive(
    OWNER,
    streamOf(new TextEncoder().encode("a note")),
    6,
  );
  await received.store(NO_SQL);
  const object = { owner: OWNER, sha256: received.sha256, size: 6 };
  const [file] = await filesUnder(opened.folder);
  const path = `${opened.folder}/${file}`;
  const found = [await lossOf(opened.store, object)];
  for (const text of ["a not", "a note.", "A note"]) {
    await Deno.writeTextFile(path, text);
    found.push(await lossOf(opened.store, object));
  }
  await Deno.remove(path);
  found.push(await lossOf(opened.store, object));
  await Deno.mkdir(path);
  found.push(await lossOf(opened.store, object));
  assertEquals(found, [null, "size", "size", "content", "missing", "missing"]);
});

Deno.test("lossOf() treats a disk that cannot read as a loss, and a forbidden file as a failure", async () => {
  await using opened = await openStore();
  const received = await opened.store.receive(
    OWNER,
    streamOf(new TextEncoder().encode("a note")),
    6,
  );
  await received.store(NO_SQL);
  const object = { owner: OWNER, sha256: received.sha256, size: 6 };
  const { open } = Deno;
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  try {
    Deno.open = failing("EIO");
    assertEquals(await lossOf(opened.store, object), "unreadable");
    for (const code of ["EACCES", "EMFILE"]) {
      Deno.open = failing(code);
      await assertRejects(() => lossOf(opened.store, object), Error, code);
    }
  } finally {
    Deno.open = open;
  }
});

Deno.test("CheckedObjects reads an unchanged file once, also for concurrent requests", async () => {
  await using opened = await openStore();
  const received = await opened.store.receive(
    OWNER,
    streamOf(new TextEncoder().encode("a note")),
    6,
  );
  await received.store(NO_SQL);
  const object = { owner: OWNER, sha256: received.sha256, size: 6 };
  let reads = 0;
  const checked = new CheckedObjects({
    ...opened.store,
    read: (...asked) => {
      reads++;
      return opened.store.read(...asked);
    },
  });
  const found = await Promise.all([1, 2, 3].map(() => checked.lossOf(object)));
  assertEquals([found, await checked.lossOf(object), reads], [[null, null, null], null, 1]);
  const [file] = await filesUnder(opened.folder);
  await Deno.writeTextFile(`${opened.folder}/${file}`, "A note");
  await Deno.utime(`${opened.folder}/${file}`, 1, 1);
  assertEquals([await checked.lossOf(object), reads], ["content", 2]);
  await Deno.remove(`${opened.folder}/${file}`);
  assertEquals(await lossIn(checked.lossOf(object)), "missing");
});

Deno.test("noteLost() is read by another store of the folder", async () => {
  await using opened = await openStore();
  assertEquals(await opened.store.readLost(), null);
  for (const count of [12, 0]) {
    await opened.store.noteLost(count);
    const other = await openObjectStore(opened.folder, NO_CHUNKS, "files");
    assertEquals(await other.readLost(), count);
    await other.close();
  }
});

/** The loss that an action fails with. */
async function lossIn(action: Promise<unknown>): Promise<string | null> {
  try {
    await action;
    return null;
  } catch (error) {
    if (error instanceof LostObjectError) return error.loss;
    throw error;
  }
}

function devNull(): WritableStream<Uint8Array> {
  return new WritableStream();
}
