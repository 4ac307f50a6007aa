import { dirname } from "node:path";

/** Ignores that a file or directory is missing: `Deno.remove(path).catch(ignoreNotFound)`. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/**
 * Syncs a file, or the names in a directory, to the disk.
 *
 * @throws any error of opening and syncing.
 */
export async function syncPath(path: string): Promise<void> {
  using file = await Deno.open(path);
  await file.sync();
}

/** Writes all bytes to a file, a socket or a pipe, which may accept only part of them per call. */
export async function writeAll(
  target: { write(bytes: Uint8Array): Promise<number> },
  bytes: Uint8Array,
): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await target.write(rest));
}

/**
 * Writes a file, readable by its user only, and syncs its bytes to the disk. Its name survives a power loss
 * after its folder is synced too.
 *
 * @throws any error of opening, writing and syncing.
 */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
  await writeAll(file, bytes);
  await file.sync();
}

/**
 * Moves a file or folder with synced contents to its final path. When it returns, the new name survives a
 * power loss.
 *
 * @throws any error of renaming and syncing.
 */
export async function moveSynced(from: string, to: string): Promise<void> {
  await Deno.rename(from, to);
  await syncPath(dirname(to));
}

/**
 * Creates a folder for its user only, if it is missing. When it returns, its name survives a power loss;
 * the names of missing parent folders do not.
 *
 * @throws any error of creating and syncing.
 */
export async function makeSyncedFolder(path: string): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  await syncPath(dirname(path));
}
