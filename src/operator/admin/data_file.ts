import { basename, dirname, relative } from "node:path";
import { ignoreNotFound } from "../../core/files.ts";
import { OperatorError } from "../../errors/operator_error.ts";

/**
 * Finds a file in the data directory, wherever links lead.
 *
 * @param path relative to the working directory, or absolute.
 * @returns its path relative to the data directory.
 * @throws OperatorError when there is no such file, or it lies elsewhere.
 */
export async function placeInDataDir(dataDir: string, path: string): Promise<string> {
  const [folder, file] = await Promise.all([dataDir, path].map(readRealPath));
  const place = relative(folder ?? "", file ?? "");
  if (place === ".." || place.startsWith("../")) {
    throw new OperatorError("--file: must lie under DATA_DIR");
  }
  if (!(await Deno.stat(path)).isFile) throw new OperatorError("--file: is no file");
  return place;
}

/**
 * Finds the place of a file that is to be made in the data directory, wherever links lead.
 *
 * @param path relative to the working directory, or absolute.
 * @returns its path relative to the data directory.
 * @throws OperatorError when its folder is not there or lies elsewhere, or the file is there already.
 */
export async function placeOfNewFile(dataDir: string, path: string): Promise<string> {
  const [folder, parent] = await Promise.all([dataDir, dirname(path)].map(readRealPath));
  const place = relative(folder ?? "", `${parent}/${basename(path)}`);
  if (place === "" || place === ".." || place.startsWith("../")) {
    throw new OperatorError("--file: must lie under DATA_DIR");
  }
  const present = await Deno.lstat(`${folder}/${place}`).catch(ignoreNotFound);
  if (present !== undefined) throw new OperatorError("--file: is there already");
  return place;
}

async function readRealPath(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch {
    throw new OperatorError("--file: cannot be read; it must lie under DATA_DIR");
  }
}
