/**
 * Comparison of secrets in constant time. Has the API of the part of JSR's `@std/crypto` that this
 * project uses: `deno.json` may map either.
 *
 * @module
 */

/**
 * Runs in a time that depends only on the length, so that timing does not reveal how much of a
 * guessed secret was right.
 *
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
  // A view may cover only a part of its buffer.
  return ArrayBuffer.isView(bytes)
    ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new DataView(bytes);
}
