/** Attachments in the database: guards of the chunks, uploads in parts, reads across a move. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { removeAbandonedUploads } from "../../src/attachments/abandoned_uploads.ts";
import { CHUNK_BYTES } from "../../src/attachments/chunk_store.ts";
import { lossOf } from "../../src/attachments/loss.ts";
import {
  LostObjectError,
  type ObjectStore,
  ObjectTooLargeError,
  openObjectStore,
} from "../../src/attachments/object_store.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { Secret } from "../../src/operator/config/secrets.ts";
import { broken, filesUnder, generated, uploaded } from "../support/attachments.ts";
import { callApp, type Caller, callerOf, createWorld, fileWorld } from "../support/world.ts";
import { assertRefusedToAll, refusal } from "./rows.ts";

const world = fileWorld({}, undefined, "database");

const TOKEN = "a-token-that-only-tests-know";
const SIZE = 2 * CHUNK_BYTES + 1000;

function store(caller: Caller, stream: ReadableStream<Uint8Array>, into = world().objects) {
  return into.receive(caller.accountId, stream, SIZE);
}

/** Stores an object of three chunks, which differ by owner. */
async function storeObject(caller: Caller, into?: ObjectStore, fill = 7) {
  const received = await store(caller, generated(SIZE, 60_000, fill).stream, into);
  await world().database.transaction(({ sql }) => received.store(sql));
  return { owner: caller.accountId, sha256: received.sha256, size: SIZE };
}

async function chunksOf(caller: Caller, condition = "true"): Promise<number> {
  const [row] = await world().rows(`
    select count(*)::integer as chunks from attachment_chunks
     where owner_id = '${caller.accountId}' and ${condition}`);
  return row.chunks;
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream));
}

Deno.test("Chunks arrive one by one, and belong to an object only after its transaction", async () => {
  const caller = await world().createCaller();
  const { stream, sent } = generated(SIZE, 60_000);
  const seen: number[] = [];
  const watched = stream.pipeThrough(
    new TransformStream({
      async transform(bytes, controller) {
        if (sent() > CHUNK_BYTES + 300_000) seen.push(await chunksOf(caller));
        controller.enqueue(bytes);
      },
    }),
  );
  const received = await store(caller, watched);
  assertEquals([seen[0], await chunksOf(caller, "sha256 is null")], [1, 3]);
  const object = { owner: caller.accountId, sha256: received.sha256, size: SIZE };
  await assertRejects(() => world().objects.read(object), LostObjectError);
  const failed = world().database.transaction(async ({ sql }) => {
    await received.store(sql);
    throw new TypeError("The transaction fails");
  });
  await assertRejects(() => failed, TypeError);
  await assertRejects(() => world().objects.read(object), LostObjectError);
  await world().database.transaction(({ sql }) => received.store(sql));
  assertEquals(await lossOf(world().objects, object), null);
  await received.discard();
  assertEquals(await chunksOf(caller), 3);
});

Deno.test("An upload that fails or is discarded leaves no chunk", async () => {
  const caller = await world().createCaller();
  const part = new Uint8Array(CHUNK_BYTES + 1);
  await assertRejects(() => store(caller, broken(part)), Error, "The stream broke");
  await assertRejects(() => store(caller, generated(SIZE + 1, 60_000).stream), ObjectTooLargeError);
  await (await store(caller, generated(SIZE, 60_000).stream)).discard();
  assertEquals(await chunksOf(caller), 0);
});

Deno.test("Slices are read from any chunks, and an empty object is one empty chunk", async () => {
  const caller = await world().createCaller();
  const bytes = Buffer.alloc(SIZE);
  for (let at = 0; at < SIZE; at += 4) bytes.writeUInt32LE(at, at);
  const received = await store(caller, new Blob([bytes]).stream());
  await world().database.transaction(({ sql }) => received.store(sql));
  const object = { owner: caller.accountId, sha256: received.sha256, size: SIZE };
  const slices: [number, number][] = [
    [0, SIZE],
    [0, 1],
    [CHUNK_BYTES - 1, CHUNK_BYTES + 1],
    [CHUNK_BYTES, 2 * CHUNK_BYTES],
    [5, SIZE - 5],
    [SIZE - 1, SIZE],
    [9, 9],
  ];
  for (const [start, end] of slices) {
    const slice = await readAll(await world().objects.read(object, start, end));
    assert(Buffer.compare(slice, bytes.subarray(start, end)) === 0, `${start} to ${end}`);
  }
  const empty = await store(caller, new Blob([]).stream());
  await world().database.transaction(({ sql }) => empty.store(sql));
  const none = { owner: caller.accountId, sha256: empty.sha256, size: 0 };
  assertEquals(await lossOf(world().objects, none), null);
});

Deno.test("The same content has one copy for an owner, and a stored copy replaces chunks and files", async () => {
  const caller = await world().createCaller();
  const other = await world().createCaller();
  const object = await storeObject(caller);
  const before = await world().objects.stamp(object);
  await storeObject(caller);
  await storeObject(other);
  assertEquals([await chunksOf(caller), await chunksOf(other)], [3, 3]);
  assert(await world().objects.stamp(object) !== before);
  const folder = `${world().objectFolder}-2`;
  const files = await openObjectStore(folder, world().database, "files");
  await storeObject(caller, files);
  assertEquals([await chunksOf(caller), (await filesUnder(folder)).length], [0, 1]);
  assertEquals(await lossOf(files, object), null);
  await storeObject(caller);
  assertEquals(await files.stamp(object), await world().objects.stamp(object));
  await files.close();
});

Deno.test("Concurrent uploads of the same content leave one copy", async () => {
  const caller = await world().createCaller();
  await Promise.all(Array.from({ length: 4 }, () => uploaded(caller, new Uint8Array(200))));
  assertEquals(await chunksOf(caller), 1);
});

Deno.test("The metrics show the bytes of each place, and respond without the database", async () => {
  await using own = await createWorld({ metricsToken: new Secret(TOKEN) }, "database");
  const caller = await own.createCaller();
  const files = await openObjectStore(`${own.objectFolder}-4`, own.database, "files");
  for (const size of [10, 20, 20]) await uploaded(caller, new Uint8Array(size));
  const { again } = own;
  const inFiles = callerOf(again({ objects: files }), caller);
  await uploaded(inFiles, "a note");
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const gauges = async (services = {}) => {
    const { text } = await callApp(again(services), "GET", "/metrics", { headers });
    return Array.from(text.matchAll(/^attachments_bytes(.*)$/gm), ([, value]) => value);
  };
  assertEquals(await gauges(), ['{place="files"} 6', '{place="database"} 30']);
  const read = () => Promise.reject(new Error("The database is away"));
  assertEquals(await gauges({ database: { ...own.database, read } }), []);
  await files.close();
});

Deno.test("A download continues from the other place when its object moves there", async () => {
  const caller = await world().createCaller();
  const folder = `${world().objectFolder}-3`;
  const files = await openObjectStore(folder, world().database, "files");
  const object = await storeObject(caller, files);
  const fromFile = (await files.read(object)).getReader();
  const begun = (await fromFile.read()).value?.length ?? 0;
  await storeObject(caller);
  await Deno.remove(`${folder}/${caller.accountId}`, { recursive: true });
  const fromChunks = (await files.read(object)).getReader();
  const alsoBegun = (await fromChunks.read()).value?.length ?? 0;
  assertEquals(begun + await lengthOf(fromFile), SIZE);
  await storeObject(caller, files);
  assertEquals(alsoBegun + await lengthOf(fromChunks), SIZE);
  await files.close();
});

/** The number of bytes that are left. */
async function lengthOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<number> {
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
  }
  return length;
}

Deno.test("Chunks with another size or other bytes are a loss", async () => {
  const caller = await world().createCaller();
  const object = await storeObject(caller);
  const name = `${object.owner}/${object.sha256}`;
  const change = (bytes: string) =>
    world().raw(`
      select set_config('prs.removed_object', '${name}', true);
      with gone as (
        delete from attachment_chunks where owner_id = '${object.owner}' and number = 2 returning *)
      insert into attachment_chunks
        select owner_id, upload_id, number, sha256, ${bytes}, created_at from gone`);
  const found = [];
  for (const bytes of ["set_byte(bytes, 999, 8)", "substring(bytes from 2)"]) {
    await change(bytes);
    found.push(await lossOf(world().objects, object));
  }
  assertEquals(found, ["content", "size"]);
});

Deno.test("Chunks of a stopped upload are removed after an hour, and a running one's are not", async () => {
  const caller = await world().createCaller();
  const received = await store(caller, generated(SIZE, 60_000).stream);
  const stored = await storeObject(caller, undefined, 8);
  const after = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  await removeAbandonedUploads(world().database, after(59));
  assertEquals(await chunksOf(caller), 6);
  // The newest chunk decides. There are more than one transaction removes.
  await world().raw(`
    insert into attachment_chunks (owner_id, upload_id, number, bytes, created_at)
    select owner_id, upload_id, number, '', now() + interval '1 hour'
      from generate_series(3, 42) as number, (
        select owner_id, upload_id from attachment_chunks
         where sha256 is null and owner_id = '${caller.accountId}' limit 1) upload`);
  await removeAbandonedUploads(world().database, after(61));
  assertEquals(await chunksOf(caller), 46);
  assertEquals(await removeAbandonedUploads(world().database, after(122)), 43);
  assertEquals(await lossOf(world().objects, stored), null);
  const late = world().database.transaction(({ sql }) => received.store(sql));
  await assertRejects(() => late, ServiceError);
});

Deno.test("Table attachment_chunks rejects every change but a first digest, and removals of stored chunks", async () => {
  const caller = await world().createCaller();
  const { owner, sha256 } = await storeObject(caller);
  const mine = `owner_id = '${owner}'`;
  const digest = `sha256 = '\\x${"ab".repeat(32)}'`;
  await world().raw(`
    insert into attachment_chunks (owner_id, upload_id, number, bytes)
    values ('${owner}', '${owner}', 0, '')`);
  for (const column of ["owner_id", "upload_id", "number", "bytes", "created_at"]) {
    const update = `update attachment_chunks set ${column} = ${column} where ${mine}`;
    await assertRefusedToAll(world(), update, "PRS04");
    const withDigest = `update attachment_chunks set ${column} = ${column}, ${digest}
      where upload_id = '${owner}'`;
    await assertRefusedToAll(world(), withDigest, "PRS04");
  }
  for (const set of ["sha256 = null", digest]) {
    await assertRefusedToAll(world(), `update attachment_chunks set ${set} where ${mine}`, "PRS04");
  }
  const remove = `delete from attachment_chunks where ${mine}`;
  const named = (name: string) => `select set_config('prs.removed_object', '${name}', true);`;
  const others = ["", named(""), named(owner), named(`${owner}/${"ab".repeat(32)}`)];
  for (const before of others) await assertRefusedToAll(world(), before + remove, "PRS01");
  await assertRefusedToAll(world(), "truncate attachment_chunks", "PRS01");
  assertEquals(await refusal(world(), named(`${owner}/${sha256}`) + remove), null);
});
