/**
 * Room for a start on a full disk. The built-in engine writes up to 17 MiB before it can read. A
 * start with less room removes files that are temporary or can be written again, and then a file
 * that only reserves room.
 */

import { removeIncoming } from "../attachments/incoming.ts";
import type { ReadDiskSpace } from "../core/disk_space.ts";
import { ignoreNotFound, writeAll } from "../core/files.ts";
import type { Log } from "../core/log.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { ImportFolder } from "../imports/folder.ts";

const MIB = 1024 ** 2;
/** The free disk space that a start needs. */
const START_MIB = 20;
const START_BYTES = START_MIB * MIB;
/** The free disk space below which the file is not written. */
const RESERVE_ABOVE_BYTES = 128 * MIB;

export interface StartRoom {
  readonly dataDir: string;
  readonly readDiskSpace: ReadDiskSpace;
  readonly log: Log;
}

/** Frees room if the disk of `DATA_DIR` is full. */
export async function makeStartRoom({ dataDir, readDiskSpace, log }: StartRoom): Promise<void> {
  const isFull = () => (readDiskSpace()?.free ?? Infinity) < START_BYTES;
  if (!isFull()) return;
  log.error("disk_full", { folder: dataDir, freeBytes: readDiskSpace()?.free ?? null });
  await removeIncoming(`${dataDir}/spool`);
  await removeIncoming(`${dataDir}/objects/incoming`);
  await (await ImportFolder.open(`${dataDir}/imports`)).removeRewritten();
  if (isFull()) await Deno.remove(reserveFile(dataDir)).catch(ignoreNotFound);
}

/** Writes the file that reserves room, if the disk has room for it. */
export async function reserveStartRoom({ dataDir, readDiskSpace }: StartRoom): Promise<void> {
  const path = reserveFile(dataDir);
  const kept = await Deno.stat(path).catch(ignoreNotFound);
  if (kept?.size === START_BYTES || (readDiskSpace()?.free ?? 0) < RESERVE_ABOVE_BYTES) return;
  try {
    using file = await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
    const zeros = new Uint8Array(MIB);
    for (let written = 0; written < START_BYTES; written += MIB) await writeAll(file, zeros);
  } catch {
    // The service runs without it.
    await Deno.remove(path).catch(ignoreNotFound);
  }
}

/** Returns the error of a start of the built-in engine, or the full disk if it is the cause. */
export function explainFullDisk(error: unknown, { dataDir, readDiskSpace }: StartRoom): unknown {
  if ((readDiskSpace()?.free ?? Infinity) >= START_BYTES) return error;
  return new OperatorError(
    `Cannot start: the disk of DATA_DIR (${dataDir}) is full: free ${START_MIB} MiB or more`,
  );
}

function reserveFile(dataDir: string): string {
  return `${dataDir}/kept-for-start`;
}
