import { dirname } from "node:path";

/** Lets pass that a file or directory is not there: `Deno.remove(path).catch(ignoreNotFound)`. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/**
 * Brings a file, or the names in a directory, to the disk.
 *
 * @throws whatever opening and syncing throw.
 */
export async function syncPath(path: string): Promise<void> {
  using file = await Deno.open(path);
  await file.sync();
}

/** Writes all bytes to a file, a socket or a pipe, which may take a part of them at a time. */
export async function writeAll(
  target: { write(bytes: Uint8Array): Promise<number> },
  bytes: Uint8Array,
): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await target.write(rest));
}

/**
 * Writes a file, readable by its user alone, and brings its bytes to the disk. Its name survives a power
 * loss once its folder is synced as well.
 *
 * @throws whatever opening, writing and syncing throw.
 */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
  await writeAll(file, bytes);
  await file.sync();
}

/**
 * Moves a file or folder, whose contents are synced, to its place. After it returns, the new name
 * survives a power loss.
 *
 * @throws whatever renaming and syncing throw.
 */
export async function moveSynced(from: string, to: string): Promise<void> {
  await Deno.rename(from, to);
  await syncPath(dirname(to));
}

/**
 * Makes a folder for its user alone if it is missing. After it returns, its name survives a power loss;
 * those of missing folders above it do not.
 *
 * @throws whatever making and syncing throw.
 */
export async function makeSyncedFolder(path: string): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  await syncPath(dirname(path));
}
