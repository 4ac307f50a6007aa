/** Files that the user of this process may not open, in words for the operator. */

import { resolve } from "node:path";
import process from "node:process";
import { isUlid } from "../../core/ids.ts";
import { pathIn } from "../../errors/failure_cause.ts";

/**
 * Explains a failure by a file that the user of this process may not open: one that the error
 * names, or one of DATA_DIR, as a command of another user can have left it.
 *
 * @returns a sentence with the file, the users and the remedy, or null if there is no such file.
 */
export async function explainForbidden(error: unknown, dataDir: string): Promise<string | null> {
  const named = error instanceof Deno.errors.PermissionDenied ? pathIn(error) : null;
  const path = named ?? await firstForbidden(dataDir);
  return path === null ? null : await describeForbidden(path, dataDir);
}

async function describeForbidden(path: string, dataDir: string): Promise<string> {
  const ownerOf = (each: string) => Deno.lstat(each).then(({ uid }) => uid, () => null);
  const own = currentUser();
  const [owner, keeper] = await Promise.all([path, dataDir].map(ownerOf));
  if (owner === null) {
    return `${nameOf(path)} cannot be opened or created by user ${own}: give this user the ` +
      "folder around it, or set DATA_DIR to another folder";
  }
  const remedy = keeper === own
    ? `as root, run chown -R ${own} ${nameOf(dataDir)}`
    : `run this as user ${keeper}`;
  return `${nameOf(path)} cannot be opened by user ${own}, because it belongs to user ${owner}: ` +
    remedy;
}

/** Attachments are read one by one, and are too many to try. */
async function firstForbidden(folder: string): Promise<string | null> {
  try {
    for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      if (isFile) (await Deno.open(path, { read: true, write: true })).close();
      const found = isDirectory && !isUlid(name) ? await firstForbidden(path) : null;
      if (found !== null) return found;
    }
    return null;
  } catch (error) {
    return error instanceof Deno.errors.PermissionDenied ? pathIn(error) ?? folder : null;
  }
}

/** Folders in which the program may read the files of an operator. */
const READABLE = "./secrets, /run/secrets, /run/credentials or DATA_DIR";

/** The reason why a file that an operator named cannot be read, after the file's name. */
export function describeUnreadable(error: unknown): string {
  const { NotFound, PermissionDenied, IsADirectory } = Deno.errors;
  if (error instanceof NotFound) return "cannot be read: it does not exist";
  if (error instanceof IsADirectory) return "cannot be read: it is a folder";
  return error instanceof PermissionDenied
    ? `cannot be read: user ${currentUser()} may not read it`
    : `cannot be read; it must be in ${READABLE}`;
}

/** The number of the user by whose rights files are opened; null if the system has none. */
export function currentUser(): number | null {
  return process.geteuid?.() ?? null;
}

/** An absolute path in quotes, for a person. */
export function nameOf(path: string): string {
  return JSON.stringify(resolve(path));
}
