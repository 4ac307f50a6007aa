/** The worlds of test files: `world.ts` makes them, `shard.ts` opens each with its file's tests. */

export interface FileWorld {
  open(): Promise<void>;
  close(): Promise<void>;
}

const loaded: FileWorld[] = [];

export function addFileWorld(world: FileWorld): void {
  loaded.push(world);
}

/** Returns the worlds of the files loaded since the last call. */
export function takeFileWorlds(): FileWorld[] {
  return loaded.splice(0);
}
