/**
 * Comparison of secrets in constant time.
 *
 * Our own implementation of the part of the JSR package `@std/crypto` that this project uses, with
 * the same names, signatures and behaviour, so that `deno.json` may map either to `@std/crypto`.
 *
 * @module
 */

/**
 * Compares two buffers in a time that depends only on their length.
 *
 * A comparison that stops at the first difference reveals to an attacker who measures it how much of a
 * guessed secret was right. Lengths are not kept secret: compare them first.
 *
 * @example
 * ```ts
 * import { timingSafeEqual } from "@std/crypto";
 * import { assert } from "@std/assert";
 *
 * const encoder = new TextEncoder();
 * assert(timingSafeEqual(encoder.encode("secret"), encoder.encode("secret")));
 * assert(!timingSafeEqual(encoder.encode("secret"), encoder.encode("guess!")));
 * ```
 *
 * @param a The first buffer, or a view of the part of one to compare.
 * @param b The second buffer, or a view of the part of one to compare.
 * @returns True if the bytes are the same.
 * @throws {TypeError} If the lengths in bytes differ.
 */
export function timingSafeEqual(
  a: ArrayBufferView | ArrayBufferLike,
  b: ArrayBufferView | ArrayBufferLike,
): boolean {
  if (a.byteLength !== b.byteLength) {
    throw new TypeError(`Buffers differ in length: ${a.byteLength} and ${b.byteLength} bytes`);
  }
  const viewOfA = toDataView(a);
  const viewOfB = toDataView(b);
  let differingBits = 0;
  for (let offset = 0; offset < viewOfA.byteLength; offset++) {
    differingBits |= viewOfA.getUint8(offset) ^ viewOfB.getUint8(offset);
  }
  return differingBits === 0;
}

function toDataView(bytes: ArrayBufferView | ArrayBufferLike): DataView {
  // A view may cover only a part of its buffer, such as a subarray.
  return ArrayBuffer.isView(bytes)
    ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new DataView(bytes);
}
