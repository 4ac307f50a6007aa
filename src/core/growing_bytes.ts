/** Bytes in one piece of memory, which grows as they come and is used again. */
export class GrowingBytes {
  #bytes: Uint8Array;
  #length = 0;

  constructor(firstBytes: number) {
    this.#bytes = new Uint8Array(firstBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes. Their memory may be used again after the next `add`. */
  get view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  add(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      longer.set(this.view);
      this.#bytes = longer;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = needed;
  }

  /** Forgets the bytes from `length` on. */
  cut(length: number): void {
    this.#length = length;
  }
}
