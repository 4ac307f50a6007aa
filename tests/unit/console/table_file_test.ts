import { assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { tableStart } from "../../../src/console/web/logic/table_file.js";
import { READ_BYTES } from "../../../src/console/web/logic/table_rows.js";
import { zip } from "../../support/zip.ts";

const startOf = async (
  bytes: Uint8Array<ArrayBuffer>,
  tables: readonly string[] | null = null,
  path?: string,
) => new TextDecoder().decode(await tableStart(new Blob([bytes]), tables, path));

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("A bare table and one in gzip are read up to the limit", async () => {
  assertEquals(await startOf(bytes("A,B\n1,2\n")), "A,B\n1,2\n");
  assertEquals(await startOf(Uint8Array.from(gzipSync("A,B\n1,2\n"))), "A,B\n1,2\n");
  const long = "x".repeat(READ_BYTES + 1);
  assertEquals((await startOf(bytes(long))).length, READ_BYTES);
  assertEquals((await startOf(Uint8Array.from(gzipSync(long)))).length, READ_BYTES);
});

Deno.test("A table of a zip is the chosen one, else the largest of those that are named", async () => {
  const file = zip([
    { name: "notes.md", content: bytes("x".repeat(100)) },
    { name: "a/one.csv", content: bytes("A\n1\n") },
    { name: "a/two.csv", content: bytes("A,B\n1,2\n") },
  ]);
  const tables = ["a/one.csv", "a/two.csv"];
  assertEquals(await startOf(file, tables), "A,B\n1,2\n");
  assertEquals(await startOf(file, tables, "a/one.csv"), "A\n1\n");
  assertEquals(await startOf(file, tables, "a/none.csv"), "");
  assertEquals(await startOf(file.slice(0, -30), tables), "");
});
