import { assert, assertFalse, assertThrows } from "@std/assert";
import { timingSafeEqual } from "@std/crypto";
import { seededRandom } from "../../support/random.ts";

const random = seededRandom(1);

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, () => random.integer(0, 255));
}

Deno.test("timingSafeEqual() returns true for copies of random bytes", () => {
  for (let length = 0; length < 100; length++) {
    const bytes = randomBytes(length);
    assert(timingSafeEqual(bytes, bytes.slice()));
  }
});

Deno.test("timingSafeEqual() returns false when any single bit differs", () => {
  const bytes = randomBytes(32);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = bytes.map((byte, index) => index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte);
    assertFalse(timingSafeEqual(bytes, changed), `bit ${bit}`);
    assertFalse(timingSafeEqual(changed, bytes), `bit ${bit}`);
  }
});

Deno.test("timingSafeEqual() throws a TypeError when the lengths differ", () => {
  const bytes = randomBytes(32);
  assertThrows(() => timingSafeEqual(bytes, bytes.subarray(0, 31)), TypeError, "32 and 31");
  assertThrows(() => timingSafeEqual(bytes.subarray(0, 0), bytes), TypeError, "0 and 32");
});

Deno.test("timingSafeEqual() compares only the viewed part when a view has an offset", () => {
  const bytes = Uint8Array.of(9, 1, 2, 3, 4, 9, 1, 2, 3, 4, 8);
  assert(timingSafeEqual(bytes.subarray(1, 5), bytes.subarray(6, 10)));
  assertFalse(timingSafeEqual(bytes.subarray(0, 5), bytes.subarray(6, 11)));
});

Deno.test("timingSafeEqual() compares bytes across all kinds of buffers and views", () => {
  const bytes = Uint8Array.of(1, 2, 3, 4);
  const shared = new SharedArrayBuffer(4);
  new Uint8Array(shared).set(bytes);
  const others = [bytes.buffer, shared, new DataView(bytes.buffer), new Uint16Array(bytes.buffer)];
  for (const other of others) {
    assert(timingSafeEqual(bytes, other));
    assert(timingSafeEqual(other, bytes));
    assertFalse(timingSafeEqual(other, Uint8Array.of(1, 2, 3, 5)));
  }
});
