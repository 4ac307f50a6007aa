import { takeFileLock } from "../core/file_lock.ts";
import { ignoreNotFound } from "../core/files.ts";
import { newId } from "../core/ids.ts";

export interface IncomingFolder {
  readonly path: string;
  /** Releases the lock, and removes the folder. */
  close(): Promise<void>;
}

/**
 * Creates a folder for this process, and holds its lock until `close`. Removes folders of ended
 * processes: their lock is free. Processes open and close in turns, so that no folder looks
 * abandoned between its creation and its lock.
 */
export async function openIncoming(incoming: string): Promise<IncomingFolder> {
  await Deno.mkdir(incoming, { recursive: true, mode: 0o700 });
  return await inTurn(incoming, async () => {
    await removeAbandoned(incoming);
    const path = `${incoming}/${newId(new Date())}`;
    await Deno.mkdir(path, { mode: 0o700 });
    const lock = await takeFileLock(lockPath(path));
    if ("heldBy" in lock) throw new Error("Cannot lock a folder that was just made");
    return {
      path,
      close: () =>
        inTurn(incoming, async () => {
          await Deno.remove(path, { recursive: true });
          lock.release();
        }),
    };
  });
}

/** Runs `act` while no other process does; closing the file releases the lock. */
async function inTurn<T>(incoming: string, act: () => Promise<T>): Promise<T> {
  using turn = await Deno.open(lockPath(incoming), { create: true, write: true, mode: 0o600 });
  await turn.lock(true);
  return await act();
}

/** Removes the folders of ended processes, if `incoming` exists. */
export async function removeIncoming(incoming: string): Promise<void> {
  if (await Deno.stat(incoming).catch(ignoreNotFound) === undefined) return;
  await inTurn(incoming, () => removeAbandoned(incoming));
}

async function removeAbandoned(incoming: string): Promise<void> {
  for await (const entry of Deno.readDir(incoming)) {
    if (!entry.isDirectory) continue;
    const folder = `${incoming}/${entry.name}`;
    const lock = await takeFileLock(lockPath(folder));
    if ("heldBy" in lock) continue;
    await Deno.remove(folder, { recursive: true });
    lock.release();
  }
}

function lockPath(folder: string): string {
  return `${folder}/lock`;
}
