export interface FileLock {
  release(): void;
}

/**
 * The operating system frees the lock when the process ends.
 *
 * @returns the lock, or the name of its holder.
 */
export async function takeFileLock(path: string): Promise<FileLock | { readonly heldBy: string }> {
  const file = await Deno.open(path, { create: true, read: true, write: true, mode: 0o600 });
  if (!await file.tryLock(true)) {
    const heldBy = (await new Response(file.readable).text()).trim();
    return { heldBy: heldBy === "" ? "another process" : heldBy };
  }
  try {
    await file.truncate();
    await file.write(new TextEncoder().encode(`process ${Deno.pid}\n`));
  } catch {
    // On a full disk the lock holds without a name.
  }
  return {
    release() {
      file.unlockSync();
      file.close();
    },
  };
}
