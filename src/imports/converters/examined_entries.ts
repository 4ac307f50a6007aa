/** The entries of an archive that are examined before it is stored. */

import type { Archive } from "../archive/archive.ts";
import { FileRefusal } from "../refusal.ts";
import type { ReadBytes } from "./lines.ts";

const MAX_EXAMINED = 100;

/**
 * False if no entry with such a name is of the format. One that cannot be read may be.
 *
 * @param isOfFormat Examines the beginning of an entry.
 */
export async function mayHaveEntry(
  archive: Archive,
  name: RegExp,
  isOfFormat: (read: ReadBytes) => Promise<boolean>,
): Promise<boolean> {
  const entries = archive.matching(name);
  for (const entry of entries.slice(0, MAX_EXAMINED)) {
    try {
      if (await isOfFormat(() => archive.read(entry))) return true;
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      return true;
    }
  }
  return entries.length > MAX_EXAMINED;
}
