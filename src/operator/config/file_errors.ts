/** Files that cannot be opened, in words for the operator. */

import { resolve } from "node:path";
import process from "node:process";
import { isUlid } from "../../core/ids.ts";

/** Words that follow the name of a file, by the code of the system call that failed. */
const PROBLEMS: Readonly<Record<string, string>> = {
  EEXIST: "is not a folder: rename it, or set DATA_DIR to another folder",
  ENOTDIR: "is not a folder, or is below a file: correct DATA_DIR",
  EISDIR: "is a folder, and a file was expected: move it away",
  EROFS: "cannot be written: its file system is read-only",
  ENOSPC: "cannot be written: its disk is full",
  EDQUOT: "cannot be written: the disk quota of this user is used up",
  ENAMETOOLONG: "is too long a name: set DATA_DIR to a shorter one",
  ELOOP: "is a link that leads back to itself",
  ENOLCK: "cannot be locked: its file system has no locks",
  EMFILE: "cannot be opened: this process has too many open files",
  ENFILE: "cannot be opened: this machine has too many open files",
  EIO: "cannot be read or written: its disk fails",
};

/**
 * Explains a failure by the file that caused it: one that the error names, or one of DATA_DIR that the user
 * of this process may not open, as another user can have left it.
 *
 * @returns a sentence with the file and the remedy, or null if no file is known.
 */
export async function explainFileError(error: unknown, dataDir: string): Promise<string | null> {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const named = error instanceof Error ? pathIn(error) : null;
  const problem = PROBLEMS[code];
  if (problem !== undefined) return `${nameOf(named ?? dataDir)} ${problem}`;
  const isForbidden = error instanceof Deno.errors.PermissionDenied;
  const path = isForbidden && named !== null ? named : await firstForbidden(dataDir);
  return path === null ? null : await describeForbidden(path, dataDir);
}

async function describeForbidden(path: string, dataDir: string): Promise<string> {
  const ownerOf = (each: string) => Deno.lstat(each).then(({ uid }) => uid, () => null);
  const own = currentUser();
  const [owner, keeper] = await Promise.all([path, dataDir].map(ownerOf));
  if (owner === null) {
    return `${
      nameOf(path)
    } cannot be opened or created by user ${own}: give this user the folder ` +
      "around it, or set DATA_DIR to another folder";
  }
  const remedy = keeper === own
    ? `as root, run chown -R ${own} ${nameOf(dataDir)}`
    : `run this as user ${keeper}`;
  return `${
    nameOf(path)
  } cannot be opened by user ${own}, because it belongs to user ${owner}: ${remedy}`;
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

/** The path that an error of Deno ends with; null if it names none. */
function pathIn({ message }: Error): string | null {
  return /: \w+ '([^']+)'$/.exec(message)?.[1] ?? null;
}

/** The number of the user by whose rights files are opened; null if the system has none. */
export function currentUser(): number | null {
  return process.geteuid?.() ?? null;
}

/** An absolute path in quotes, for a person. */
export function nameOf(path: string): string {
  return JSON.stringify(resolve(path));
}
