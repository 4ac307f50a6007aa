import { assertEquals, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import { OperatorError } from "../../../src/errors/operator_error.ts";
import { readImportLines } from "../../../src/v1/import_file.ts";

const MIB = 1024 * 1024;

/** Lines, digest, and errors. */
async function read(...parts: readonly BlobPart[]): Promise<{
  lines: number;
  digest: string;
  refusal: string | null;
}> {
  const path = await Deno.makeTempFile({ prefix: "prs-import-" });
  const hash = createHash("sha256");
  let lines = 0;
  let refusal: string | null = null;
  try {
    await Deno.writeFile(path, new Blob([...parts]).stream());
    for await (const { number } of readImportLines(path, hash)) {
      lines++;
      assertEquals(number, lines);
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    refusal = error.message;
  } finally {
    await Deno.remove(path);
  }
  return { lines, digest: hash.digest("hex"), refusal };
}

/** Without its line feed. */
function line(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes).fill(0x20);
}

Deno.test("readImportLines() numbers the lines and digests the whole file", async () => {
  const digest = createHash("sha256").update("a\n\nb").digest("hex");
  assertEquals(await read("a\n\nb"), { lines: 3, digest, refusal: null });
  assertEquals((await read("a\n\nb\n")).lines, 3);
  assertEquals((await read("")).lines, 0);
});

Deno.test("readImportLines() accepts a line of 2 MiB, and none longer", async () => {
  assertEquals((await read(line(2 * MIB), "\n", line(2 * MIB))).lines, 2);
  const { lines, refusal } = await read("a\n", line(2 * MIB + 1), "\nb\n");
  assertEquals([lines, refusal], [1, "Nothing was imported: line 2 breaks line.bytes"]);
});

Deno.test("readImportLines() accepts 10,000 lines and 64 MiB, and no more", async () => {
  assertEquals((await read("a\n".repeat(10_000))).refusal, null);
  const many = await read("a\n".repeat(10_001));
  assertEquals(many.refusal, "Nothing was imported: line 10001 breaks file.lines");
  const most = Array.from({ length: 64 }, () => [line(MIB - 1), "\n"]).flat();
  assertEquals((await read(...most)).refusal, null);
  const large = await read(...most, " ");
  assertEquals(large.refusal, "Nothing was imported: the file is larger than 64 MiB");
});

Deno.test("readImportLines() reports an unreadable file", async () => {
  const lines = readImportLines("/nowhere/at/all", createHash("sha256"));
  await assertRejects(() => lines.next(), OperatorError, "The file cannot be read");
});
