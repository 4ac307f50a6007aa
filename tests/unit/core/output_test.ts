import { assertEquals, assertThrows } from "@std/assert";
import { LineOutput, type Output, writeText } from "../../../src/core/output.ts";

/** A disk with room for so many bytes, which accepts at most `piece` at once. */
class Disk implements Output {
  text = "";
  room: number;
  readonly #piece: number;

  constructor(room: number, piece: number) {
    this.room = room;
    this.#piece = piece;
  }

  writeSync(bytes: Uint8Array): number {
    const count = Math.min(bytes.length, this.room, this.#piece);
    if (count === 0) throw Object.assign(new Error("No space left"), { code: "ENOSPC" });
    this.text += new TextDecoder().decode(bytes.subarray(0, count));
    this.room -= count;
    return count;
  }
}

Deno.test("writeText() writes all of a text, however little a call accepts", () => {
  const disk = new Disk(100, 3);
  writeText(disk, "a text of some bytes");
  assertEquals(disk.text, "a text of some bytes");
});

Deno.test("LineOutput ends a line that was cut off before it writes the next one", () => {
  const disk = new Disk(10, 4);
  const lines = new LineOutput(disk);
  lines.write("one");
  assertThrows(() => lines.write("a longer line"), Error, "No space left");
  assertThrows(() => lines.write("another line"), Error, "No space left");
  disk.room = 100;
  lines.write("two");
  lines.write("three");
  assertEquals(disk.text, "one\na long\ntwo\nthree\n");
});
