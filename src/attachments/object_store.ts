import { createHash } from "node:crypto";
import { errorCode } from "../core/error_code.ts";
import {
  ignoreNotFound,
  makeSyncedFolder,
  moveSynced,
  syncPath,
  writeAll,
  writeSynced,
} from "../core/files.ts";
import { newId } from "../core/ids.ts";
import { writeToDisk } from "./disk_failure.ts";
import { openIncoming } from "./incoming.ts";
import type { StoredObject } from "./stored_object.ts";

const CHUNK_BYTES = 64 * 1024;

export interface ReceivedObject {
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /**
   * Moves the bytes to their final path, where they survive a crash. May be called again by a
   * retried transaction.
   *
   * @throws ServiceError `HTTP_503` if the disk cannot be written now.
   */
  store(owner: string): Promise<void>;
  /** Deletes the bytes; does nothing after `store`. */
  discard(): Promise<void>;
}

export interface ObjectStore {
  /**
   * @throws ObjectTooLargeError beyond `maximumBytes`; ServiceError `HTTP_503` if the disk cannot
   *   be written now; errors of the stream.
   */
  receive(stream: ReadableStream<Uint8Array>, maximumBytes: number): Promise<ReceivedObject>;
  /**
   * Reads the bytes from `start` to `end`, by default all. The file is open only while a chunk is
   * read. The digest is not checked.
   *
   * @throws LostObjectError if the file is missing, has another size, or the disk cannot read it;
   *   the stream fails with it later.
   */
  read(object: StoredObject, start?: number, end?: number): Promise<ReadableStream<Uint8Array>>;
  /**
   * Returns a text that changes when the file does.
   *
   * @throws LostObjectError if the file is missing, or has another size.
   */
  stamp(object: StoredObject): Promise<string>;
  /** Stores the number of lost attachments for all processes that share the folder. */
  noteLost(count: number): Promise<void>;
  /** The number that `noteLost` stored; null before the first check. */
  readLost(): Promise<number | null>;
  close(): Promise<void>;
}

/** The file does not exist, has another size or other bytes, or the disk cannot read it. */
export type Loss = "missing" | "size" | "content" | "unreadable";

/** A file that does not hold the bytes that were stored. */
export class LostObjectError extends Error {
  override readonly name = "LostObjectError";
  readonly loss: Loss;

  constructor(loss: Loss) {
    super("The bytes of an attachment are lost");
    this.loss = loss;
  }
}

/** A stream was longer than allowed. Its bytes were deleted. */
export class ObjectTooLargeError extends Error {
  override readonly name = "ObjectTooLargeError";
}

/**
 * Opens the store. Files are at `<directory>/<owner>/<first two digits>/<sha256>`, one copy per
 * content and owner. Unfinished uploads are under `<directory>/incoming`.
 */
export async function openObjectStore(directory: string): Promise<ObjectStore> {
  await makeSyncedFolder(directory);
  const incoming = await openIncoming(`${directory}/incoming`);
  return {
    receive: (stream, maximumBytes) =>
      writeToDisk(() => receive(directory, incoming.path, stream, maximumBytes)),
    ...readStoredObjects(directory),
    stamp: ({ owner, sha256, size }) => stampOf(objectPath(directory, owner, sha256), size),
    noteLost: (count) => noteLost(directory, count),
    readLost: () => readLost(directory),
    close: incoming.close,
  };
}

/** Reads stored objects, and creates nothing. */
export function readStoredObjects(directory: string): Pick<ObjectStore, "read"> {
  return {
    read: ({ owner, sha256, size }, start = 0, end = size) =>
      openSlice(objectPath(directory, owner, sha256), size, start, end),
  };
}

async function noteLost(directory: string, count: number): Promise<void> {
  const path = lostPath(directory);
  await writeSynced(`${path}.new`, new TextEncoder().encode(`${count}\n`));
  await moveSynced(`${path}.new`, path);
}

async function readLost(directory: string): Promise<number | null> {
  const text = await Deno.readTextFile(lostPath(directory)).catch(ignoreNotFound);
  return text === undefined ? null : Number(text);
}

function lostPath(directory: string): string {
  return `${directory}/lost`;
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
      // A file name survives a crash only after each folder on its path was synced.
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
  size: number,
  start: number,
  end: number,
): Promise<ReadableStream<Uint8Array>> {
  // Checked now, because an error response is still possible.
  await statObject(path, size);
  return streamSlice(path, start, end);
}

async function stampOf(path: string, size: number): Promise<string> {
  const { mtime, ino } = await statObject(path, size);
  return `${mtime?.getTime()}/${ino}`;
}

async function statObject(path: string, size: number): Promise<Deno.FileInfo> {
  const found = await orLost(() => Deno.stat(path));
  if (!found.isFile) throw new LostObjectError("missing");
  if (found.size !== size) throw new LostObjectError("size");
  return found;
}

/** Opens the file for each chunk, so that a slow client does not hold a file open. */
function streamSlice(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let at = start;
  return new ReadableStream({
    async pull(controller) {
      if (at === end) return controller.close();
      const chunk = await orLost(() => readChunk(path, at, Math.min(end - at, CHUNK_BYTES)));
      if (chunk.length === 0) throw new LostObjectError("size");
      at += chunk.length;
      controller.enqueue(chunk);
      if (at === end) controller.close();
    },
  });
}

/** Codes of a file that does not exist, and of a disk that cannot read it. */
const LOSSES: Readonly<Record<string, Loss>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  EIO: "unreadable",
};

async function orLost<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const loss = LOSSES[errorCode(error)];
    throw loss === undefined ? error : new LostObjectError(loss);
  }
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
