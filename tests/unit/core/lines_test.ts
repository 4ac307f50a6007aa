import { assertEquals, assertRejects } from "@std/assert";
import { LineTooLongError, readChunks, splitLines } from "../../../src/core/lines.ts";
import { type Random, seededRandom } from "../../support/random.ts";

function sourceOf(text: string, random: Random) {
  let rest = new TextEncoder().encode(text);
  return {
    read(into: Uint8Array): Promise<number | null> {
      if (rest.length === 0) return Promise.resolve(null);
      const count = Math.min(rest.length, random.integer(1, into.length));
      into.set(rest.subarray(0, count));
      rest = rest.subarray(count);
      return Promise.resolve(count);
    },
  };
}

async function linesOf(
  text: string,
  random: Random,
  maximum = 1_000,
): Promise<[string, boolean][]> {
  const lines: [string, boolean][] = [];
  for await (const line of splitLines(readChunks(sourceOf(text, random), 7), maximum)) {
    lines.push([new TextDecoder().decode(line.bytes), line.isEnded]);
  }
  return lines;
}

Deno.test("splitLines() cuts at line feeds only, for any chunks", async () => {
  const random = seededRandom(20_261_122);
  assertEquals(await linesOf("", random), []);
  assertEquals(await linesOf("\n\n", random), [["", true], ["", true]]);
  assertEquals(await linesOf("a\r\u2028\nb", random), [["a\r\u2028", true], ["b", false]]);
  for (let round = 0; round < 500; round++) {
    const texts = Array.from({ length: random.integer(1, 8) }, () => random.text(0, 30));
    const expected = texts.map((text, index) => [text, index < texts.length - 1] as const)
      // A last line without a line feed counts if not empty.
      .filter(([text, isEnded]) => isEnded || text !== "");
    assertEquals<unknown>(await linesOf(texts.join("\n"), random), expected);
  }
});

Deno.test("splitLines() accepts a line of exactly the limit, and stops reading a longer one", async () => {
  const random = seededRandom(1);
  assertEquals(await linesOf("12345\n1234\n12345", random, 5), [
    ["12345", true],
    ["1234", true],
    ["12345", false],
  ]);
  for (const text of ["123456\n", "123456", "1\n123456789"]) {
    await assertRejects(() => linesOf(text, random, 5), LineTooLongError);
  }
  let read = 0;
  const endless = {
    read: (into: Uint8Array) => Promise.resolve(read += into.fill(0x61).length).then(() => 100),
  };
  const lines = splitLines(readChunks(endless, 100), 250);
  await assertRejects(() => lines.next(), LineTooLongError);
  assertEquals(read, 300);
});
