/** A lock file held by this process; the operating system frees it when the process ends. */
export interface FileLock {
  release(): void;
}

/**
 * Takes an exclusive lock on `path`, creating the file, and writes the name of its holder into it.
 *
 * @returns the lock, or the name that the other process wrote.
 */
export async function takeFileLock(path: string): Promise<FileLock | { readonly heldBy: string }> {
  const file = await Deno.open(path, { create: true, read: true, write: true, mode: 0o600 });
  if (!await file.tryLock(true)) {
    const heldBy = (await new Response(file.readable).text()).trim();
    return { heldBy: heldBy === "" ? "another process" : heldBy };
  }
  await file.truncate();
  await file.write(new TextEncoder().encode(`process ${Deno.pid}\n`));
  return {
    release() {
      file.unlockSync();
      file.close();
    },
  };
}
