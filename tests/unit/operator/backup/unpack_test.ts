import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { BackupError } from "../../../../src/operator/backup/backup_error.ts";
import { unpack } from "../../../../src/operator/backup/unpack.ts";

const ONE = gzipSync("hello, ");
const TWO = Buffer.concat([ONE, gzipSync("world")]);

async function* inParts(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The content; null if the file is damaged. */
async function unpacked(file: Uint8Array, size: number): Promise<string | null> {
  try {
    return Buffer.concat(await Array.fromAsync(unpack(inParts(file, size)))).toString();
  } catch (error) {
    if (error instanceof BackupError) return null;
    throw error;
  }
}

Deno.test("Several members, and zeros after the last, are unpacked; anything else is damage", async () => {
  const content = "hello, world";
  const cases: [name: string, file: Uint8Array, content: string | null][] = [
    ["two members", TWO, content],
    ["an empty member", Buffer.concat([TWO, gzipSync("")]), content],
    ["nothing", new Uint8Array(), null],
    ["not gzip", Buffer.from("hello, world"), null],
    ["other bytes after them", Buffer.concat([TWO, Buffer.from("more")]), null],
    ["the first byte of a member", Buffer.concat([TWO, Buffer.of(0x1f)]), null],
    // The unpacker does not read the last of them.
    ...[1, 9, 40_000, 1_000_000].flatMap((count): typeof cases => {
      const padded = Buffer.concat([TWO, Buffer.alloc(count)]);
      return [
        [`${count} zeros`, padded, content],
        [`a byte after ${count} zeros`, Buffer.concat([padded, Buffer.of(1)]), null],
        [`a member after ${count} zeros`, Buffer.concat([padded, ONE]), null],
      ];
    }),
    ...Array.from({ length: TWO.length - 1 }, (_, index) => index + 1)
      .filter((length) => length !== ONE.length)
      .map((length): typeof cases[number] => [`${length} bytes`, TWO.subarray(0, length), null]),
  ];
  for (const [name, file, expected] of cases) {
    for (const size of [1, 5, 100_000]) {
      if (file.length / size > 10_000) continue;
      assertEquals(await unpacked(file, size), expected, `${name} in parts of ${size}`);
    }
  }
});

Deno.test("A file that was compressed a thousandfold is unpacked in small pieces, as they are read", async () => {
  const length = 16 * 1024 * 1024;
  const packed = gzipSync(Buffer.alloc(length));
  let [taken, total, largest, closed] = [0, 0, 0, 0];
  const source = async function* () {
    try {
      for await (const part of inParts(Buffer.concat(Array(20).fill(packed)), 4000)) {
        taken += part.length;
        yield part;
      }
    } finally {
      closed++;
    }
  };
  for await (const piece of unpack(source())) {
    total += piece.length;
    largest = Math.max(largest, piece.length);
    if (total >= length) break;
  }
  assert(taken < 10 * packed.length, `${taken} bytes taken for the first ${packed.length}`);
  assert(largest <= 64 * 1024, `${largest} bytes`);
  assertEquals(closed, 1);
});

Deno.test("Errors of the source are passed on, also after the last member, and it is closed", async () => {
  for (const file of [TWO, Buffer.concat([TWO, Buffer.alloc(50_000)])]) {
    let closed = 0;
    const source = async function* () {
      try {
        yield* inParts(file, 100);
        throw new RangeError("The disk has gone");
      } finally {
        closed++;
      }
    };
    const thrown = await Array.fromAsync(unpack(source())).catch((error) => error);
    assertEquals([thrown.message, closed], ["The disk has gone", 1]);
  }
});
