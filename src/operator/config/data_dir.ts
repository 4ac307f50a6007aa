/** DATA_DIR: whether it holds an installation, and whose it is. */

import { lchownSync, lstatSync } from "node:fs";
import { ignoreNotFound } from "../../core/files.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import type { Config } from "./config.ts";
import { currentUser, nameOf } from "./file_errors.ts";

type Settings = Pick<Config, "dataDir" | "databaseUrl">;

/** A user and group of the system, by number. */
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The folder that every installation has: of the built-in database, or of the attachments. */
function markOf({ dataDir, databaseUrl }: Settings): string {
  return `${dataDir}/${databaseUrl === null ? "postgres" : "objects"}`;
}

/** @throws OperatorError if DATA_DIR holds no installation. */
export async function assertInstallation(settings: Settings): Promise<void> {
  if (await statOf(markOf(settings)) !== null) return;
  const folder = await statOf(settings.dataDir);
  const problem = folder === null
    ? "does not exist"
    : folder.isDirectory
    ? "holds no installation"
    : "is not a folder";
  const engine = settings.databaseUrl === null ? "a built-in database" : "the attachments";
  throw new OperatorError(
    `DATA_DIR ${nameOf(settings.dataDir)} ${problem}: set DATA_DIR to the folder in which the ` +
      `service keeps ${engine}. To create an installation, start the service or restore a backup`,
  );
}

/** @throws OperatorError if DATA_DIR belongs to another user, and this process is not root's. */
export async function assertUser(settings: Settings): Promise<void> {
  const own = currentUser();
  const folder = await statOf(settings.dataDir);
  if (own === null || own === 0 || folder === null || folder.uid === own) return;
  // A mounted folder often belongs to root, or to a user of another machine.
  const mark = await statOf(markOf(settings)).catch(() => null);
  if (mark?.uid === own) return;
  const others = folder.uid === 0 ? "root" : `user ${folder.uid} or root`;
  throw new OperatorError(
    `DATA_DIR ${nameOf(settings.dataDir)} belongs to user ${folder.uid}, and this command runs ` +
      `as user ${own}: run it as ${others}`,
  );
}

/**
 * Finds the user whose files are in DATA_DIR: that of the installation, or if it is root, of the
 * folder.
 *
 * @returns null if DATA_DIR does not exist, or the system has no numbers of users.
 */
export async function readOwner(settings: Settings): Promise<Owner | null> {
  const folder = await statOf(settings.dataDir);
  const mark = folder === null ? null : await statOf(markOf(settings));
  const owned = mark === null || mark.uid === 0 ? folder : mark;
  return typeof owned?.uid === "number" && typeof owned.gid === "number"
    ? { uid: owned.uid, gid: owned.gid }
    : null;
}

/** @throws OperatorError if the user of this process may not look there. */
async function statOf(path: string): Promise<Deno.FileInfo | null> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) return null;
    if (!(error instanceof Deno.errors.PermissionDenied)) return ignoreNotFound(error) ?? null;
    throw new OperatorError(
      `${nameOf(path)} cannot be opened by user ${currentUser()}: run this as the user of the ` +
        "service",
    );
  }
}

/**
 * If this process runs as root for another owner, changes the owner of a whole folder. No link is
 * followed: the owner may replace a name by a link at any moment, so each folder is entered, and
 * compared with the path that was expected, before names in it are used. The process is in another
 * folder afterwards.
 */
export function changeOwner(folder: string, owner: Owner | null): void {
  if (owner === null || owner.uid === 0 || currentUser() !== 0) return;
  try {
    const path = Deno.realPathSync(folder);
    changeOwnerOf(path, owner);
    changeOwnerOfContents(path, owner);
  } catch (error) {
    ignoreNotFound(error);
  }
}

function changeOwnerOfContents(path: string, owner: Owner): void {
  enter(path);
  for (const { name, isDirectory } of [...Deno.readDirSync(".")]) {
    changeOwnerOf(name, owner);
    if (!isDirectory) continue;
    changeOwnerOfContents(`${path}/${name}`, owner);
    enter(path);
  }
}

function enter(path: string): void {
  Deno.chdir(path);
  if (Deno.cwd() !== path) throw new OperatorError(`${nameOf(path)} was moved meanwhile`);
}

function changeOwnerOf(name: string, { uid, gid }: Owner): void {
  const present = lstatSync(name);
  if (present.uid !== uid || present.gid !== gid) lchownSync(name, uid, gid);
}
