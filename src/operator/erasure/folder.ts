/** The folder that an erasure fills. Until it is complete it contains the file `unfinished`. */

import { relative, resolve } from "node:path";
import { ignoreNotFound, syncPath, writeSynced } from "../../core/files.ts";
import { OperatorError } from "../../errors/operator_error.ts";

function markPath(folder: string): string {
  return `${folder}/unfinished`;
}

/** @throws OperatorError if an erasure into this folder was interrupted. */
export async function assertFinished(dataDir: string): Promise<void> {
  if (await readMark(dataDir) === null) return;
  throw new OperatorError(
    "DATA_DIR is an erasure that was not finished: run it again, or remove the folder",
  );
}

/** The certificate of the erasure that was interrupted, or null. */
export async function readMark(folder: string): Promise<string | null> {
  const text = await Deno.readTextFile(markPath(folder)).catch((error) => {
    if (error instanceof Deno.errors.NotADirectory) return undefined;
    return ignoreNotFound(error);
  });
  return text?.trim() ?? null;
}

/**
 * Checks that a folder may be filled: it is missing, empty, or was left by an interrupted erasure.
 *
 * @throws OperatorError
 */
export async function assertFillable(folder: string, dataDir: string): Promise<void> {
  const [filled, present] = await Promise.all([folder, dataDir].map(realPath));
  const place = relative(filled ?? "", present ?? "");
  if (place === "" || !(place === ".." || place.startsWith("../"))) {
    throw new OperatorError("--into: must be neither DATA_DIR nor a folder around it");
  }
  if (await readMark(folder) !== null) return;
  const names = await namesIn(folder);
  if (names.length > 0) throw new OperatorError("--into: the folder is not empty");
}

async function realPath(path: string): Promise<string> {
  return await Deno.realPath(path).catch(ignoreNotFound) ?? resolve(path);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) {
      throw new OperatorError("--into: is not a folder");
    }
    ignoreNotFound(error);
    return [];
  }
}

/** Empties the folder, or creates it, and marks it as unfinished. */
export async function beginFolder(folder: string, certificateId: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  await Deno.chmod(folder, 0o700);
  // The old mark is not removed, so that a run that is killed here leaves a folder that may be
  // emptied.
  for (const name of await namesIn(folder)) {
    if (name !== "unfinished") await Deno.remove(`${folder}/${name}`, { recursive: true });
  }
  await writeSynced(markPath(folder), new TextEncoder().encode(`${certificateId}\n`));
  await syncPath(folder);
}

/** Removes the mark, which makes the folder a data directory. */
export async function finishFolder(folder: string): Promise<void> {
  await Deno.remove(markPath(folder)).catch(ignoreNotFound);
  await syncPath(folder);
}
