/** The files of an import while they are written again. */

import { assertEquals } from "@std/assert";
import { newId } from "../../../src/core/ids.ts";
import { ImportFolder } from "../../../src/imports/folder.ts";

Deno.test("Readers see a whole file while it is written again", async () => {
  const directory = await Deno.makeTempDir({ prefix: "prs-import-folder-" });
  try {
    const folder = await ImportFolder.open(directory);
    const id = newId(new Date());
    (await folder.hold(id))?.release();
    const stored = async () => {
      const lines = await Array.fromAsync(folder.values<number>(id, "plan"));
      return [lines.map(({ value }) => value), await folder.read(id, "sample")];
    };
    const plan = async (values: readonly number[]) => {
      await using writer = await folder.writer(id, "plan");
      for (const value of values) await writer.write(value);
      await writer.end();
    };
    await plan([1, 2]);
    await folder.write(id, "sample", "one");
    await using again = await folder.writer(id, "plan");
    await again.write(3);
    await again.flush();
    assertEquals(await stored(), [[1, 2], "one"]);
    await again.end();
    await folder.write(id, "sample", "another");
    assertEquals(await stored(), [[3], "another"]);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
