/** Files in gzip are unpacked whole, or refused. */

import { assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { countUnpacked } from "../../../src/imports/archive/archive.ts";
import type { FileSource } from "../../../src/imports/archive/file_source.ts";
import { UnpackedSource, unpackGzip, unpackHead } from "../../../src/imports/archive/gzip.ts";
import { readTar } from "../../../src/imports/archive/tar.ts";
import { FileRefusal } from "../../../src/imports/refusal.ts";
import { withSource } from "../../support/sources.ts";
import { tar } from "../../support/tar_writer.ts";

const countOf = ({ size }: FileSource) => countUnpacked(size);

/** The unpacked text, or the rule that refuses the file. */
function unpacked(...parts: readonly Uint8Array[]): Promise<string> {
  return withSource(Buffer.concat(parts), async (source) => {
    try {
      return await textOf(unpackGzip(source, countOf(source)));
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      return error.rule;
    }
  });
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts).toString();
}

const ONE = gzipSync("hello ");
const TWO = gzipSync("world");
const ZEROS = new Uint8Array(70_000);
/** Bytes that hardly shrink, so that the packed ones have several chunks. */
const LONG = Array.from({ length: 40_000 }, (_, index) => Math.sin(index)).join();

Deno.test("Members in a row are one stream, and zeros after the last do not count", async () => {
  assertEquals(await unpacked(ONE, TWO), "hello world");
  assertEquals(await unpacked(ONE, TWO, new Uint8Array(1)), "hello world");
  assertEquals(await unpacked(ONE, TWO, ZEROS), "hello world");
  assertEquals(await unpacked(gzipSync("")), "");
  assertEquals(await unpacked(gzipSync(LONG), gzipSync(LONG), ZEROS), LONG + LONG);
  const many = Array.from({ length: 1_000 }, () => ONE);
  assertEquals(await unpacked(...many), "hello ".repeat(1_000));
});

Deno.test("Cut, damaged or followed by other bytes, a gzip is refused", async () => {
  for (const end of [3, 11, ONE.length - 9, ONE.length - 1]) {
    assertEquals(await unpacked(ONE.subarray(0, end)), "gzip.crc", `${end}`);
    assertEquals(await unpacked(TWO, ONE.subarray(0, end)), "gzip.crc", `${end}`);
  }
  for (const at of [2, ONE.length - 8, ONE.length - 1]) {
    const damaged = Buffer.from(ONE);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    assertEquals(await unpacked(damaged), "gzip.crc", `${at}`);
    assertEquals(await unpacked(TWO, damaged), "gzip.crc", `${at}`);
  }
  const words = Buffer.from("words");
  assertEquals(await unpacked(ONE, words), "gzip.crc");
  for (const zeros of [1, 7, 8 * 1024 - ONE.length, ZEROS.length]) {
    assertEquals(await unpacked(ONE, ZEROS.subarray(0, zeros), words), "gzip.crc", `${zeros}`);
    assertEquals(await unpacked(ONE, ZEROS.subarray(0, zeros), TWO), "gzip.crc", `${zeros}`);
  }
  const long = gzipSync(LONG);
  assertEquals(await unpacked(long.subarray(0, -4)), "gzip.crc");
  assertEquals(await unpacked(long, Buffer.from([0x1f])), "gzip.crc");
});

Deno.test("Gzip of zeros is refused as a bomb, without an entry", async () => {
  const bytes = gzipSync(new Uint8Array(70 * 1024 * 1024));
  await withSource(bytes, async (source) => {
    const read = () => Array.fromAsync(unpackGzip(source, countOf(source)));
    const { rule, place, entry } = await assertRejects(read, FileRefusal);
    assertEquals([rule, place, entry], ["zip.ratio", 0, null]);
  });
});

Deno.test("Head of a gzip is unpacked from its first bytes", () => {
  const head = unpackHead(gzipSync(LONG).subarray(0, 64 * 1024));
  assertEquals(LONG.startsWith(new TextDecoder().decode(head ?? undefined)), true);
  assertEquals(head !== null && head.length > 4 * 1024, true);
  assertEquals(unpackHead(Buffer.from([0x1f, 0x8b, 9, 0])), null);
  assertEquals(unpackHead(ONE.subarray(0, 10)), null);
});

Deno.test("Unpacked bytes are read in any order, and a tar in them", async () => {
  const files = ["a", "b", "c"].map((name) => ({ name, content: name + LONG }));
  await withSource(gzipSync(tar(files)), async (source) => {
    await using file = new UnpackedSource(source, () => countOf(source));
    const archive = await readTar(file);
    assertEquals(archive.entries.map(({ name }) => name), ["a", "b", "c"]);
    for (const [index, entry] of archive.entries.entries()) {
      assertEquals(await textOf(entry.bytes()), files[index]?.content);
    }
    const whole = Buffer.from(tar(files));
    for (const [at, length] of [[0, 5], [100_000, 20_000], [513, 3], [whole.length - 3, 10]]) {
      const bytes = await file.read(at ?? 0, length ?? 0);
      assertEquals(Buffer.compare(bytes, whole.subarray(at, (at ?? 0) + (length ?? 0))), 0);
    }
    assertEquals((await file.read(whole.length + 1_000, 10)).length, 0);
  });
});
