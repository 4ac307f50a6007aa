/**
 * The bytes of attachments. New ones are stored in the place of the setting `ATTACHMENTS`; reads
 * look in the database first, then in the folder.
 */

import type { Sql } from "../database/sql.ts";
import { type ChunkDatabase, receiveChunks, storedChunks, within } from "./chunk_place.ts";
import { lockObjects, removeChunks } from "./chunk_store.ts";
import { type FilePlace, openFilePlace, type ReceivedFile, storedFiles } from "./file_place.ts";
import {
  LostObjectError,
  type ObjectPlace,
  type PlaceName,
  type ReceivedBytes,
} from "./object_place.ts";
import type { StoredObject } from "./stored_object.ts";

export { type Loss, LostObjectError, ObjectTooLargeError, type PlaceName } from "./object_place.ts";

export interface ReceivedObject extends ReceivedBytes {
  /**
   * Stores the bytes under the owner. Files survive a crash from then on; chunks belong to the
   * transaction of `sql`, which also writes the attachment's row. An earlier copy is replaced. May
   * be called again by a retried transaction.
   *
   * @throws ServiceError `HTTP_503` if the disk cannot be written now, or chunks were removed.
   */
  store(sql: Sql): Promise<void>;
}

/**
 * @throws ObjectTooLargeError beyond `maximumBytes`; ServiceError `HTTP_503` if the disk cannot be
 *   written now; errors of the stream.
 */
type Receive = (
  owner: string,
  stream: ReadableStream<Uint8Array>,
  maximumBytes: number,
) => Promise<ReceivedObject>;

export interface ObjectStore {
  /** Receives bytes that are stored soon. Must not be called in a transaction. */
  receive: Receive;
  /**
   * Receives bytes as a file under `DATA_DIR`, until a transaction stores them much later. May be
   * called in a transaction.
   */
  spool: Receive;
  /**
   * Reads the bytes from `start` to `end`, by default all. Neither a file nor a connection is in
   * use between two pieces. The digest is not checked.
   *
   * @throws LostObjectError if the object is missing, has another size, or the disk cannot read it;
   *   the stream fails with it later.
   */
  read(object: StoredObject, start?: number, end?: number): Promise<ReadableStream<Uint8Array>>;
  /**
   * Returns a text that changes when the stored bytes do.
   *
   * @throws LostObjectError if the object is missing, or has another size.
   */
  stamp(object: StoredObject): Promise<string>;
  noteLost: FilePlace["noteLost"];
  readLost: FilePlace["readLost"];
  close(): Promise<void>;
}

/** @param place The place of new objects. */
export async function openObjectStore(
  directory: string,
  database: ChunkDatabase,
  place: PlaceName,
): Promise<ObjectStore> {
  const files = await openFilePlace(directory);
  const { noteLost, readLost, close } = files;
  const toFiles: Receive = async (owner, stream, maximumBytes) =>
    storeAsFile(await files.receive(stream, maximumBytes), owner);
  const toChunks: Receive = (owner, stream, maximumBytes) =>
    receiveAsChunks(database, owner, stream, maximumBytes);
  const fileToChunks: Receive = async (owner, stream, maximumBytes) =>
    storeAsChunks(await files.receive(stream, maximumBytes), owner);
  const writing = place === "files"
    ? { receive: toFiles, spool: toFiles }
    : { receive: toChunks, spool: fileToChunks };
  return { ...writing, ...readBoth(files, storedChunks(database)), noteLost, readLost, close };
}

/** The first schema version that has chunks. */
export const CHUNKS_STEP = 34;

/** Opens the folder for a restore of an older schema. */
export async function openFilesOnly(
  directory: string,
): Promise<Pick<ObjectStore, "spool" | "close">> {
  const files = await openFilePlace(directory);
  return {
    async spool(owner, stream, maximumBytes) {
      const received = await files.receive(stream, maximumBytes);
      return { ...received, store: () => received.store(owner) };
    },
    close: files.close,
  };
}

/** Reads stored objects, in the snapshot of `sql`, and creates nothing. */
export function readStoredObjects(directory: string, sql: Sql): Pick<ObjectStore, "read"> {
  return readBoth(storedFiles(directory), storedChunks(within(sql)));
}

function storeAsFile(received: ReceivedFile, owner: string): ReceivedObject {
  const { size, sha256, discard } = received;
  const store = async (sql: Sql) => {
    await lockObjects(sql, owner);
    // Reads would find older chunks before the file.
    await removeChunks(sql, { owner, sha256 });
    await received.store(owner);
  };
  return { size, sha256, discard, store };
}

async function receiveAsChunks(
  database: ChunkDatabase,
  ...[owner, stream, maximumBytes]: Parameters<Receive>
): Promise<ReceivedObject> {
  const received = await receiveChunks(database, owner, stream, maximumBytes);
  const { size, sha256, discard } = received;
  const store = async (sql: Sql) => {
    await lockObjects(sql, owner);
    await removeChunks(sql, { owner, sha256 });
    await received.publish(sql);
  };
  return { size, sha256, discard, store };
}

/** Writes the chunks in the transaction that stores them. */
function storeAsChunks(received: ReceivedFile, owner: string): ReceivedObject {
  const { size, sha256, discard } = received;
  const store = async (sql: Sql) => {
    const chunks = await receiveAsChunks(within(sql), owner, await received.open(), size);
    await chunks.store(sql);
  };
  return { size, sha256, discard, store };
}

/** Finally the database again: a move may have stored the chunks and removed the file just now. */
function readBoth(files: ObjectPlace, chunks: ObjectPlace): Pick<ObjectStore, "read" | "stamp"> {
  return readPlaces([chunks, files, chunks]);
}

/** Reads objects from the first of the places that has them. */
export function readPlaces(places: readonly ObjectPlace[]): Pick<ObjectStore, "read" | "stamp"> {
  const find = async (object: StoredObject) => {
    for (const place of places) {
      const stamp = await place.stamp(object);
      if (stamp !== null) return { place, stamp };
    }
    throw new LostObjectError("missing");
  };
  return {
    // Found now, because an error response is still possible.
    read: async (object, start = 0, end = object.size) =>
      streamPieces(find, (await find(object)).place, object, start, end),
    stamp: async (object) => {
      const { place, stamp } = await find(object);
      return `${places.indexOf(place)}/${stamp}`;
    },
  };
}

/** Reads a piece at a time, also if the object moves to the other place in between. */
function streamPieces(
  find: (object: StoredObject) => Promise<{ readonly place: ObjectPlace }>,
  first: ObjectPlace,
  object: StoredObject,
  start: number,
  end: number,
): ReadableStream<Uint8Array> {
  let [place, at] = [first, start];
  const readPiece = async () => {
    const piece = await place.readPiece(object, at, end);
    if (piece !== null) return piece;
    ({ place } = await find(object));
    return await place.readPiece(object, at, end);
  };
  return new ReadableStream({
    async pull(controller) {
      if (at === end) return controller.close();
      const piece = await readPiece();
      if (piece === null) throw new LostObjectError("missing");
      at += piece.length;
      controller.enqueue(piece);
      if (at === end) controller.close();
    },
  });
}
