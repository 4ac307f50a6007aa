import { createHash } from "node:crypto";
import { ignoreNotFound, makeSyncedFolder, syncPath, writeAll } from "../core/files.ts";
import { newId } from "../core/ids.ts";
import { writeToDisk } from "./disk_failure.ts";
import { openIncoming } from "./incoming.ts";

/** How much of a file is read at once. */
const CHUNK_BYTES = 64 * 1024;

/** Bytes that arrived whole: on disk, synced, not yet in their place. */
export interface ReceivedObject {
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /**
   * Moves the bytes to their final path. When it returns they survive a crash. A retried transaction may
   * call it again.
   *
   * @throws ServiceError `HTTP_503` if the disk cannot be written now.
   */
  store(owner: string): Promise<void>;
  /** Throws the bytes away; after `store` it leaves them alone. */
  discard(): Promise<void>;
}

/** The store of attachment bytes. */
export interface ObjectStore {
  /**
   * Receives a stream and hashes it.
   *
   * @throws ObjectTooLargeError beyond `maximumBytes`; ServiceError `HTTP_503` if the disk cannot be
   * written now; errors of the stream.
   */
  receive(stream: ReadableStream<Uint8Array>, maximumBytes: number): Promise<ReceivedObject>;
  /**
   * Opens the bytes from `start`, `length` of them. No file is open but while a chunk is read.
   *
   * @throws Error when the bytes are not all there.
   */
  read(
    owner: string,
    sha256: string,
    start: number,
    length: number,
  ): Promise<ReadableStream<Uint8Array>>;
  close(): Promise<void>;
}

/** A stream was longer than allowed. Its bytes were discarded. */
export class ObjectTooLargeError extends Error {
  override readonly name = "ObjectTooLargeError";
}

/**
 * Opens the local object store: `<directory>/<owner>/<first two digits>/<sha256>`, one copy per content and
 * owner. Unfinished uploads are under `<directory>/incoming`.
 */
export async function openObjectStore(directory: string): Promise<ObjectStore> {
  await makeSyncedFolder(directory);
  const incoming = await openIncoming(`${directory}/incoming`);
  return {
    receive: (stream, maximumBytes) =>
      writeToDisk(() => receive(directory, incoming.path, stream, maximumBytes)),
    read: (owner, sha256, start, length) =>
      openSlice(objectPath(directory, owner, sha256), start, length),
    close: incoming.close,
  };
}

async function receive(
  directory: string,
  folder: string,
  stream: ReadableStream<Uint8Array>,
  maximumBytes: number,
): Promise<ReceivedObject> {
  const path = `${folder}/${newId(new Date())}`;
  const discard = () => Deno.remove(path).catch(ignoreNotFound);
  try {
    const { size, sha256 } = await writeHashed(path, stream, maximumBytes);
    return { size, sha256, store: createStore(directory, path, sha256), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

function createStore(directory: string, path: string, sha256: string): ReceivedObject["store"] {
  let moved = false;
  return (owner) =>
    writeToDisk(async () => {
      const place = objectPath(directory, owner, sha256);
      const parent = parentOf(place);
      if (!moved) {
        await Deno.mkdir(parent, { recursive: true, mode: 0o700 });
        await Deno.rename(path, place);
        moved = true;
      }
      // A name survives a crash once the folder that holds it is synced, for each folder on the way.
      for (const folder of [parent, parentOf(parent), directory]) await syncPath(folder);
    });
}

async function writeHashed(
  path: string,
  stream: ReadableStream<Uint8Array>,
  maximumBytes: number,
): Promise<{ size: number; sha256: string }> {
  using file = await Deno.open(path, { createNew: true, write: true, mode: 0o600 });
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maximumBytes) throw new ObjectTooLargeError("The object is too large");
    hash.update(chunk);
    await writeAll(file, chunk);
  }
  await file.sync();
  return { size, sha256: hash.digest("hex") };
}

async function openSlice(
  path: string,
  start: number,
  length: number,
): Promise<ReadableStream<Uint8Array>> {
  // Asked before the first byte is sent, while an error response can still be sent.
  const { size } = await Deno.stat(path);
  if (size < start + length) throw new Error("A stored object is shorter than it was");
  return streamSlice(path, start, start + length);
}

/** Opens the file for each chunk: a client that reads slowly does not hold a file open. */
function streamSlice(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let at = start;
  return new ReadableStream({
    async pull(controller) {
      if (at === end) return controller.close();
      const chunk = await readChunk(path, at, Math.min(end - at, CHUNK_BYTES));
      if (chunk.length === 0) throw new Error("A stored object became shorter");
      at += chunk.length;
      controller.enqueue(chunk);
      if (at === end) controller.close();
    },
  });
}

async function readChunk(path: string, at: number, length: number): Promise<Uint8Array> {
  using file = await Deno.open(path);
  await file.seek(at, Deno.SeekMode.Start);
  const chunk = new Uint8Array(length);
  return chunk.subarray(0, await file.read(chunk) ?? 0);
}

function objectPath(directory: string, owner: string, sha256: string): string {
  return `${directory}/${owner}/${sha256.slice(0, 2)}/${sha256}`;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
