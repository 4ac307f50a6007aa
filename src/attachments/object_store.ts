import { createHash } from "node:crypto";
import { type FileLock, takeFileLock } from "../core/file_lock.ts";
import { newId } from "../core/ids.ts";

/** Bytes that arrived whole: on disk, synced, not yet in their place. */
export interface ReceivedObject {
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** Moves the bytes to their place. After it returns they survive a crash. */
  keep(owner: string): Promise<void>;
  /** Throws the bytes away; no error after `keep`. */
  discard(): Promise<void>;
}

/** Where attachment bytes lie. */
export interface ObjectStore {
  /**
   * Takes a stream in, hashing as it goes.
   *
   * @throws ObjectTooLargeError beyond `maximumBytes`; whatever the stream throws.
   */
  receive(stream: ReadableStream<Uint8Array>, maximumBytes: number): Promise<ReceivedObject>;
  /** Opens the bytes from `start`, `length` of them. */
  read(
    owner: string,
    sha256: string,
    start: number,
    length: number,
  ): Promise<ReadableStream<Uint8Array>>;
  close(): void;
}

/** A stream was longer than allowed. Nothing of it is kept. */
export class ObjectTooLargeError extends Error {
  override readonly name = "ObjectTooLargeError";
}

/**
 * Opens the local object store: `<directory>/<owner>/<first two digits>/<sha256>`, one copy a
 * content and owner.
 *
 * Each process receives into a folder of its own under `incoming`, whose lock it holds. A folder
 * whose lock is free belonged to a process that is gone: its half-written files are removed here.
 */
export async function openObjectStore(directory: string): Promise<ObjectStore> {
  const incoming = `${directory}/incoming`;
  await Deno.mkdir(incoming, { recursive: true, mode: 0o700 });
  await sweep(incoming);
  const folder = `${incoming}/${newId(new Date())}`;
  await Deno.mkdir(folder, { mode: 0o700 });
  const lock = await takeFileLock(`${folder}/lock`);
  if ("heldBy" in lock) throw new Error("Cannot lock a folder that was just made");
  return {
    receive: (stream, maximumBytes) => receive(directory, folder, stream, maximumBytes),
    read: (owner, sha256, start, length) =>
      readSlice(objectPath(directory, owner, sha256), start, length),
    close() {
      lock.release();
      Deno.removeSync(folder, { recursive: true });
    },
  };
}

async function sweep(incoming: string): Promise<void> {
  for await (const entry of Deno.readDir(incoming)) {
    const folder = `${incoming}/${entry.name}`;
    const lock: FileLock | { heldBy: string } = await takeFileLock(`${folder}/lock`);
    if ("heldBy" in lock) continue;
    await Deno.remove(folder, { recursive: true });
    lock.release();
  }
}

async function receive(
  directory: string,
  folder: string,
  stream: ReadableStream<Uint8Array>,
  maximumBytes: number,
): Promise<ReceivedObject> {
  const path = `${folder}/${newId(new Date())}`;
  const discard = async () => {
    await Deno.remove(path).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  };
  try {
    const { size, sha256 } = await writeHashed(path, stream, maximumBytes);
    const keep = async (owner: string) => {
      const place = objectPath(directory, owner, sha256);
      const parent = place.slice(0, place.lastIndexOf("/"));
      await Deno.mkdir(parent, { recursive: true, mode: 0o700 });
      await Deno.rename(path, place);
      for (const made of [parent, `${directory}/${owner}`, directory]) await syncDirectory(made);
    };
    return { size, sha256, keep, discard };
  } catch (error) {
    await discard();
    throw error;
  }
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
    for (let written = 0; written < chunk.length;) {
      written += await file.write(chunk.subarray(written));
    }
  }
  await file.sync();
  return { size, sha256: hash.digest("hex") };
}

function objectPath(directory: string, owner: string, sha256: string): string {
  return `${directory}/${owner}/${sha256.slice(0, 2)}/${sha256}`;
}

async function readSlice(
  path: string,
  start: number,
  length: number,
): Promise<ReadableStream<Uint8Array>> {
  const file = await Deno.open(path);
  await file.seek(start, Deno.SeekMode.Start);
  let left = length;
  return new ReadableStream({
    async pull(controller) {
      const chunk = new Uint8Array(Math.min(left, 64 * 1024));
      const read = left === 0 ? null : await file.read(chunk);
      if (read === null) {
        file.close();
        if (left === 0) controller.close();
        else controller.error(new Error("The object is shorter than its row says"));
        return;
      }
      left -= read;
      controller.enqueue(chunk.subarray(0, read));
    },
    cancel() {
      file.close();
    },
  });
}

async function syncDirectory(path: string): Promise<void> {
  using directory = await Deno.open(path);
  await directory.sync();
}
