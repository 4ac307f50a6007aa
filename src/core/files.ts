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
