import type { Sql } from "../database/sql.ts";
import { type FilePlace, openFilePlace, storedFiles } from "./file_place.ts";
import { LostObjectError, type ObjectPlace, type ReceivedBytes } from "./object_place.ts";
import type { StoredObject } from "./stored_object.ts";

export { type Loss, LostObjectError, ObjectTooLargeError } from "./object_place.ts";

export interface ReceivedObject extends ReceivedBytes {
  /**
   * Stores the bytes under the owner, in the transaction of `sql`, which also writes the
   * attachment's row. May be called again by a retried transaction.
   *
   * @throws ServiceError `HTTP_503` if the disk cannot be written now.
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
   * Reads the bytes from `start` to `end`, by default all. The file is open only while a piece is
   * read. The digest is not checked.
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

export async function openObjectStore(directory: string): Promise<ObjectStore> {
  const files = await openFilePlace(directory);
  const { noteLost, readLost, close } = files;
  const receive: Receive = async (owner, stream, maximumBytes) => {
    const received = await files.receive(stream, maximumBytes);
    return { ...received, store: () => received.store(owner) };
  };
  return { receive, spool: receive, ...readPlace(files), noteLost, readLost, close };
}

/** Reads stored objects, and creates nothing. */
export function readStoredObjects(directory: string): Pick<ObjectStore, "read"> {
  return readPlace(storedFiles(directory));
}

function readPlace(place: ObjectPlace): Pick<ObjectStore, "read" | "stamp"> {
  const stamp = async (object: StoredObject) => {
    const stamp = await place.stamp(object);
    if (stamp === null) throw new LostObjectError("missing");
    return stamp;
  };
  return {
    stamp,
    async read(object, start = 0, end = object.size) {
      // Checked now, because an error response is still possible.
      await stamp(object);
      return streamPieces(place, object, start, end);
    },
  };
}

function streamPieces(
  place: ObjectPlace,
  object: StoredObject,
  start: number,
  end: number,
): ReadableStream<Uint8Array> {
  let at = start;
  return new ReadableStream({
    async pull(controller) {
      if (at === end) return controller.close();
      const piece = await place.readPiece(object, at, end);
      if (piece === null) throw new LostObjectError("missing");
      at += piece.length;
      controller.enqueue(piece);
      if (at === end) controller.close();
    },
  });
}
