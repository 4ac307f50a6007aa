/** Limits of the unpacked bytes of an import's file. */

import { assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { newId } from "../../../src/core/ids.ts";
import { APPLE_HEALTH } from "../../../src/imports/converters/health/apple_health.ts";
import { ImportFolder } from "../../../src/imports/folder.ts";
import { openFile } from "../../../src/imports/open_file.ts";
import { FileRefusal } from "../../../src/imports/refusal.ts";
import { exportText } from "../../support/health_export.ts";
import { zip } from "../../support/zip.ts";

const BYTES = new TextEncoder().encode(exportText([]));

/** Opens a file with a limit; returns the violated rule, or null. */
async function open(packed: Uint8Array, unpackedBytes: number): Promise<string | null> {
  const directory = await Deno.makeTempDir({ prefix: "prs-import-file-" });
  try {
    const folder = await ImportFolder.open(directory);
    const id = newId(new Date());
    (await folder.hold(id))?.release();
    await Deno.writeFile(folder.path(id, "source"), packed);
    const opened = await openFile(folder, id, { ...APPLE_HEALTH, unpackedBytes }, true);
    opened[Symbol.dispose]();
    return null;
  } catch (error) {
    if (error instanceof FileRefusal) return error.rule;
    throw error;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("A format's file may unpack to as many bytes as the format states", async () => {
  const { length } = BYTES;
  for (const packed of [zip([{ name: "export.xml", content: BYTES }]), gzipSync(BYTES)]) {
    assertEquals(await open(packed, length), null);
    assertEquals(await open(packed, length - 1), "zip.ratio");
  }
});
