/** Attachments as chunks in the database (sql/0034_attachment_chunks.sql). */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { newId } from "../core/ids.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import {
  CHUNK_BYTES,
  deleteUnfinished,
  insertChunk,
  publishChunks,
  readChunk,
  readChunksState,
} from "./chunk_store.ts";
import {
  LostObjectError,
  type ObjectPlace,
  ObjectTooLargeError,
  type ReceivedBytes,
} from "./object_place.ts";

/** Runs each statement in a transaction of its own, or all in one. */
export type ChunkDatabase = Pick<Database, "read" | "write">;

/** Runs statements in the open transaction or snapshot of `sql`. */
export function within(sql: Sql): ChunkDatabase {
  return { read: (use) => use(sql), write: async (statement) => await statement(sql) };
}

export interface ReceivedChunks extends ReceivedBytes {
  /**
   * Makes the chunks those of the owner's object, in the transaction of `sql`.
   *
   * @throws ServiceError `HTTP_503` if they were removed, because the upload stopped for an hour.
   */
  publish(sql: Sql): Promise<void>;
}

export function storedChunks(database: Pick<ChunkDatabase, "read">): ObjectPlace {
  return {
    async stamp(object) {
      const { chunks, size, stamp } = await database.read((sql) => readChunksState(sql, object));
      if (chunks === 0) return null;
      if (size !== object.size) throw new LostObjectError("size");
      return stamp;
    },
    async readPiece(object, at, end) {
      const [number, start] = [Math.floor(at / CHUNK_BYTES), at % CHUNK_BYTES];
      const length = Math.min(end - at, CHUNK_BYTES - start);
      const piece = await database.read((sql) => readChunk(sql, object, number, start, length));
      if (piece !== null && piece.length !== length) throw new LostObjectError("size");
      return piece;
    },
  };
}

/**
 * Writes chunks as the bytes arrive. The process holds one chunk at a time.
 *
 * @throws ObjectTooLargeError beyond `maximumBytes`; errors of the stream. The chunks are removed.
 */
export async function receiveChunks(
  database: ChunkDatabase,
  owner: string,
  stream: ReadableStream<Uint8Array>,
  maximumBytes: number,
): Promise<ReceivedChunks> {
  const uploadId = newId(new Date());
  const discard = async () => {
    await database.write((sql) => deleteUnfinished(sql, uploadId));
  };
  const hash = createHash("sha256");
  let [size, chunks] = [0, 0];
  try {
    for await (const chunk of chunksOf(limited(stream, maximumBytes))) {
      hash.update(chunk);
      size += chunk.length;
      const number = chunks++;
      await database.write((sql) => insertChunk(sql, owner, uploadId, number, chunk));
    }
  } catch (error) {
    // If the database does not respond, the chunks are removed an hour later.
    await discard().catch(() => {});
    throw error;
  }
  const sha256 = hash.digest("hex");
  const publish = async (sql: Sql) => {
    if (await publishChunks(sql, uploadId, sha256) !== chunks) throw new ServiceError("HTTP_503");
  };
  return { size, sha256, publish, discard };
}

async function* limited(
  stream: ReadableStream<Uint8Array>,
  maximumBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of stream) {
    size += bytes.length;
    if (size > maximumBytes) throw new ObjectTooLargeError("The object is too large");
    yield bytes;
  }
}

/** Reuses one buffer. Without bytes there is one empty chunk. */
async function* chunksOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let [filled, isEmpty] = [0, true];
  for await (const bytes of stream) {
    for (let rest = bytes; rest.length > 0;) {
      const part = rest.subarray(0, CHUNK_BYTES - filled);
      chunk.set(part, filled);
      filled += part.length;
      rest = rest.subarray(part.length);
      if (filled < CHUNK_BYTES) continue;
      yield chunk;
      [filled, isEmpty] = [0, false];
    }
  }
  if (filled > 0 || isEmpty) yield chunk.subarray(0, filled);
}
