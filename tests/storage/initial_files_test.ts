// engines: none
/** The initial archive of embedded databases. */

import { assertEquals, assertRejects } from "@std/assert";
import { readArchive } from "../../src/database/initial_files.ts";

/** The releases that `release/initial_files_test.ts` compared: run it before you change them. */
const COMPARED = {
  "@electric-sql/pglite": "npm:@electric-sql/pglite@0.5.17",
  "@electric-sql/pglite-prepopulatedfs": "npm:@electric-sql/pglite-prepopulatedfs@0.5.8",
};

Deno.test("The archive of the engine's initial files is of releases that were compared", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile("deno.json"));
  for (const [name, release] of Object.entries(COMPARED)) assertEquals(imports[name], release);
});

async function readAll(bytes: Uint8Array): Promise<number> {
  const stream = new Blob([bytes.slice()]).stream();
  return (await Array.fromAsync(readArchive(stream))).length;
}

/** A header with one part altered. */
function header(altered: { name?: string; size?: string; type?: string } = {}): Uint8Array {
  const { name = "/base", size = "00000000004", type = "0" } = altered;
  const text = name.padEnd(124, "\0") + size.padEnd(32, "\0") + type;
  return new TextEncoder().encode(text.padEnd(512, "\0"));
}

Deno.test("readArchive() reads files and directories, and rejects anything else", async () => {
  const [data, end] = [new Uint8Array(512), new Uint8Array(512)];
  const archive = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
  const folder = header({ name: "/base/1", size: "0", type: "5" });
  assertEquals(await readAll(archive(header(), data, folder, end)), 2);
  await assertRejects(() => readAll(archive(header(), data)), Error, "cut off");
  await assertRejects(() => readAll(archive(header())), Error, "cut off");
  for (
    const altered of [{ name: "/.." }, { name: "/a/../b" }, { name: "a" }, { name: "//a" }, {
      size: "x",
    }, { type: "2" }]
  ) {
    await assertRejects(() => readAll(archive(header(altered), data, end)), Error, "not known");
  }
});
