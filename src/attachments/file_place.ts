/**
 * Attachments as files at `<directory>/<owner>/<first two digits>/<sha256>`, one copy per content
 * and owner. Unfinished uploads are under `<directory>/incoming`.
 */

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
import {
  type Loss,
  LostObjectError,
  type ObjectPlace,
  ObjectTooLargeError,
  type ReceivedBytes,
} from "./object_place.ts";
import type { StoredObject } from "./stored_object.ts";

const PIECE_BYTES = 64 * 1024;

export interface ReceivedFile extends ReceivedBytes {
  open(): Promise<ReadableStream<Uint8Array>>;
  /**
   * Moves the file to its final path. It survives a crash from then on. May be called again by a
   * retried transaction.
   *
   * @throws ServiceError `HTTP_503` if the disk cannot be written now.
   */
  store(owner: string): Promise<void>;
}

export interface FilePlace extends ObjectPlace {
  /**
   * @throws ObjectTooLargeError beyond `maximumBytes`; ServiceError `HTTP_503` if the disk cannot
   *   be written now; errors of the stream.
   */
  receive(stream: ReadableStream<Uint8Array>, maximumBytes: number): Promise<ReceivedFile>;
  /** Removes a stored file, if there is one. */
  remove(object: Pick<StoredObject, "owner" | "sha256">): Promise<void>;
  /** Stores the number of lost attachments for all processes that share the folder. */
  noteLost(count: number): Promise<void>;
  /** The number that `noteLost` stored; null before the first check. */
  readLost(): Promise<number | null>;
  close(): Promise<void>;
}

export async function openFilePlace(directory: string): Promise<FilePlace> {
  await makeSyncedFolder(directory);
  const incoming = await openIncoming(`${directory}/incoming`);
  return {
    ...storedFiles(directory),
    receive: (stream, maximumBytes) =>
      writeToDisk(() => receive(directory, incoming.path, stream, maximumBytes)),
    remove: (object) => Deno.remove(objectPath(directory, object)).catch(ignoreNotFound),
    noteLost: (count) => noteLost(directory, count),
    readLost: () => readLost(directory),
    close: incoming.close,
  };
}

/** Reads stored files, and creates nothing. A file is open only while a piece is read. */
export function storedFiles(directory: string): ObjectPlace {
  return {
    stamp: (object) => stampOf(objectPath(directory, object), object.size),
    readPiece: (object, at, end) => readPiece(objectPath(directory, object), at, end),
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
): Promise<ReceivedFile> {
  const path = `${folder}/${newId(new Date())}`;
  const discard = () => Deno.remove(path).catch(ignoreNotFound);
  try {
    const { size, sha256 } = await writeHashed(path, stream, maximumBytes);
    const open = async () => (await Deno.open(path)).readable;
    return { size, sha256, open, store: createStore(directory, path, sha256), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

function createStore(directory: string, path: string, sha256: string): ReceivedFile["store"] {
  let moved = false;
  return (owner) =>
    writeToDisk(async () => {
      const place = objectPath(directory, { owner, sha256 });
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

async function stampOf(path: string, size: number): Promise<string | null> {
  const found = await unlessMissing(() => Deno.stat(path));
  if (found === null || !found.isFile) return null;
  if (found.size !== size) throw new LostObjectError("size");
  return `${found.mtime?.getTime()}/${found.ino}`;
}

async function readPiece(path: string, at: number, end: number): Promise<Uint8Array | null> {
  const piece = await unlessMissing(() => readSlice(path, at, Math.min(end - at, PIECE_BYTES)));
  if (piece?.length === 0) throw new LostObjectError("size");
  return piece;
}

const MISSING: readonly string[] = ["ENOENT", "ENOTDIR"];
/** Codes of a disk that cannot read a file. */
const LOSSES: Readonly<Record<string, Loss>> = { EIO: "unreadable" };

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    const code = errorCode(error);
    if (MISSING.includes(code)) return null;
    const loss = LOSSES[code];
    throw loss === undefined ? error : new LostObjectError(loss);
  }
}

async function readSlice(path: string, at: number, length: number): Promise<Uint8Array> {
  using file = await Deno.open(path);
  await file.seek(at, Deno.SeekMode.Start);
  const slice = new Uint8Array(length);
  return slice.subarray(0, await file.read(slice) ?? 0);
}

function objectPath(
  directory: string,
  { owner, sha256 }: Pick<StoredObject, "owner" | "sha256">,
): string {
  return `${directory}/${owner}/${sha256.slice(0, 2)}/${sha256}`;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
