/** Files of bytes for readers. */

import { FileSource } from "../../src/imports/archive/file_source.ts";

/** Opens bytes as a file, which is removed afterwards. */
export async function withSource<T>(
  bytes: Uint8Array,
  use: (source: FileSource) => Promise<T>,
): Promise<T> {
  const path = await Deno.makeTempFile({ prefix: "prs-source-" });
  try {
    await Deno.writeFile(path, bytes);
    using source = await FileSource.open(path);
    return await use(source);
  } finally {
    await Deno.remove(path);
  }
}
