import { dirname } from "node:path";

/** Use: `Deno.remove(path).catch(ignoreNotFound)`. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** Syncs a file, or the names in a directory. */
export async function syncPath(path: string): Promise<void> {
  using file = await Deno.open(path);
  await file.sync();
}

/** One write call may accept only some of the bytes. */
export async function writeAll(
  target: { write(bytes: Uint8Array): Promise<number> },
  bytes: Uint8Array,
): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await target.write(rest));
}

/**
 * Writes a file that only its user can read, and syncs the bytes. The name survives a power loss
 * only after the folder is synced too.
 */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
  await writeAll(file, bytes);
  await file.sync();
}

/** Renames a synced file. When it returns, the new name survives a power loss. */
export async function moveSynced(from: string, to: string): Promise<void> {
  await Deno.rename(from, to);
  await syncPath(dirname(to));
}

/**
 * Creates a folder for its user only. When it returns, its name survives a power loss; the names of
 * missing parent folders do not.
 */
export async function makeSyncedFolder(path: string): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  await syncPath(dirname(path));
}
