import { basename, dirname, relative } from "node:path";
import { ignoreNotFound } from "../../core/files.ts";
import { OperatorError } from "../../errors/operator_error.ts";

/**
 * Finds a file in the data directory, after resolving links.
 *
 * @param path Relative to the working directory, or absolute.
 * @returns its path relative to the data directory.
 * @throws OperatorError if the file does not exist, or is outside the directory.
 */
export async function placeInDataDir(dataDir: string, path: string): Promise<string> {
  const [folder, file] = await Promise.all([dataDir, path].map(readRealPath));
  const place = relative(folder ?? "", file ?? "");
  if (place === ".." || place.startsWith("../")) {
    throw new OperatorError("--file: must be under DATA_DIR");
  }
  if (!(await Deno.stat(path)).isFile) throw new OperatorError("--file: is not a file");
  return place;
}

/**
 * Finds the path of a new file, as `placeInDataDir`.
 *
 * @throws OperatorError if its folder is missing or outside the directory, or the file exists.
 */
export async function placeOfNewFile(dataDir: string, path: string): Promise<string> {
  const [folder, parent] = await Promise.all([dataDir, dirname(path)].map(readRealPath));
  const place = relative(folder ?? "", `${parent}/${basename(path)}`);
  if (place === "" || place === ".." || place.startsWith("../")) {
    throw new OperatorError("--file: must be under DATA_DIR");
  }
  const present = await Deno.lstat(`${folder}/${place}`).catch(ignoreNotFound);
  if (present !== undefined) throw new OperatorError("--file: already exists");
  return place;
}

async function readRealPath(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch {
    throw new OperatorError("--file: cannot be read; it must be under DATA_DIR");
  }
}
