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
