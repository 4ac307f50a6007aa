/**
 * Moves stored objects to the other place, while the service runs.
 *
 * A source is removed only after its copy was stored, synced or committed, and read back whole. The
 * removal holds the owner's lock and finds the copy again, because an upload of the same content
 * replaces it. A move can be ended at any point: the next one continues.
 */

import { takeFileLock } from "../core/file_lock.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { receiveChunks, storedChunks, within } from "./chunk_place.ts";
import { lockObjects, removeChunks } from "./chunk_store.ts";
import { type FilePlace, openFilePlace } from "./file_place.ts";
import { lossOf } from "./loss.ts";
import { type Loss, LostObjectError, type ObjectPlace, type PlaceName } from "./object_place.ts";
import { readPlaces } from "./object_store.ts";
import { type ListedObject, listObjects, type StoredObject } from "./stored_object.ts";

/** An object that was not moved. */
export interface UnmovedObject extends ListedObject {
  readonly loss: Loss;
}

export interface MoveProgress {
  /** Objects that are done, with those that were moved earlier. */
  readonly done: number;
  readonly total: number;
  readonly moved: number;
  /** Bytes of the moved objects. */
  readonly bytes: number;
}

interface Move extends MoveProgress {
  readonly unmoved: readonly UnmovedObject[];
}

/**
 * @param directory The folder of the files.
 * @param progress Called after every `batch` objects.
 * @throws OperatorError if another move of the folder runs.
 */
export async function moveAttachments(
  { database, directory }: { readonly database: Database; readonly directory: string },
  to: PlaceName,
  batch: number,
  progress: (made: MoveProgress) => void,
): Promise<Move> {
  await using opened = new AsyncDisposableStack();
  const files = opened.adopt(await openFilePlace(directory), (place) => place.close());
  const lock = await takeFileLock(`${directory}/move.lock`);
  if ("heldBy" in lock) throw new OperatorError(`Another move runs: ${lock.heldBy}`);
  opened.defer(() => lock.release());
  const sides = { files: fileSide(files), database: chunkSide(database) };
  const [from, target] = [sides[to === "files" ? "database" : "files"], sides[to]];
  const objects = await database.read((sql) => listObjects(sql));
  const unmoved: UnmovedObject[] = [];
  let [moved, bytes] = [0, 0];
  const made = (done: number) => ({ done, total: objects.length, moved, bytes });
  for (const [index, object] of objects.entries()) {
    const result = await moveObject(database, object, from, target);
    if (result === "moved") [moved, bytes] = [moved + 1, bytes + object.size];
    else if (result !== "present") unmoved.push({ ...object, loss: result });
    if ((index + 1) % batch === 0) progress(made(index + 1));
  }
  return { ...made(objects.length), unmoved };
}

/** A place that a move reads and changes. */
interface Side extends ObjectPlace {
  /** Copies bytes to this place. @throws LostObjectError if they are not those of the object. */
  copy(object: StoredObject, stream: ReadableStream<Uint8Array>): Promise<void>;
  isHere(sql: Sql, object: StoredObject): Promise<boolean>;
  remove(sql: Sql, object: StoredObject): Promise<unknown>;
}

function fileSide(files: FilePlace): Side {
  return {
    ...files,
    async copy(object, stream) {
      const received = await files.receive(stream, object.size);
      try {
        assertSame(received.sha256, object);
        await received.store(object.owner);
      } finally {
        await received.discard();
      }
    },
    isHere: async (_sql, object) => await files.stamp(object) !== null,
    remove: (_sql, object) => files.remove(object),
  };
}

function chunkSide(database: Database): Side {
  return {
    ...storedChunks(database),
    async copy(object, stream) {
      const received = await receiveChunks(database, object.owner, stream, object.size);
      try {
        assertSame(received.sha256, object);
        await database.transaction(async ({ sql }) => {
          await lockObjects(sql, object.owner);
          await removeChunks(sql, object);
          await received.publish(sql);
        });
      } finally {
        await received.discard();
      }
    },
    isHere: async (sql, object) => await storedChunks(within(sql)).stamp(object) !== null,
    remove: (sql, object) => removeChunks(sql, object),
  };
}

function assertSame(sha256: string, object: StoredObject): void {
  if (sha256 !== object.sha256) throw new LostObjectError("content");
}

type Result = "moved" | "present" | Loss;

/** How often an object is looked for: an upload of the same content may replace each copy. */
const TRIES = 3;

async function moveObject(...args: Parameters<typeof moveOnce>): Promise<Result> {
  let result = await moveOnce(...args);
  for (let tries = 1; result === "missing" && tries < TRIES; tries++) {
    result = await moveOnce(...args);
  }
  return result;
}

async function moveOnce(
  database: Database,
  object: StoredObject,
  from: Side,
  to: Side,
): Promise<Result> {
  try {
    if (await from.stamp(object) === null) {
      return await to.stamp(object) === null ? "missing" : "present";
    }
    const [source, target] = [readPlaces([from]), readPlaces([to])];
    if (await lossOf(target, object) === null) {
      const loss = await lossOf(source, object);
      if (loss !== null) return loss;
    } else {
      await to.copy(object, await source.read(object));
      const loss = await lossOf(target, object);
      if (loss !== null && loss !== "missing") throw new Error("A copy differs from its source");
    }
  } catch (error) {
    if (error instanceof LostObjectError) return error.loss;
    throw error;
  }
  const isRemoved = await database.transaction(async ({ sql }) => {
    await lockObjects(sql, object.owner);
    if (!await to.isHere(sql, object)) return false;
    await from.remove(sql, object);
    return true;
  });
  // Otherwise an upload has replaced the copy by one in the place of the source.
  return isRemoved ? "moved" : await moveOnce(database, object, from, to);
}
