/** Reads of parts of a file. */

import { assertEquals } from "@std/assert";
import { FileSource } from "../../../src/imports/archive/file_source.ts";

Deno.test("A small range needs no file and buffer of its own", async () => {
  const path = await Deno.makeTempFile({ prefix: "prs-file-source-" });
  await Deno.writeTextFile(path, "0123456789");
  using source = await FileSource.open(path);
  await Deno.remove(path);
  const read = async (start: number, end?: number) => {
    const chunks = await Array.fromAsync(source.stream(start, end));
    return chunks.map((chunk) => new TextDecoder().decode(chunk)).join("");
  };
  assertEquals([await read(2, 5), await read(8), await read(9, 99), await read(4, 4)], [
    "234",
    "89",
    "9",
    "",
  ]);
});
