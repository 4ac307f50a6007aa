import { Buffer } from "node:buffer";

const LINE_FEED = 0x0a;

/** Reads lines and counts of bytes from a stream, then the rest. */
export class ByteReader implements AsyncDisposable {
  readonly #source: AsyncIterator<Uint8Array>;
  #pending: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Without its line feed; null if no line ends within `maximum` bytes. */
  async readLine(maximum: number): Promise<Uint8Array | null> {
    let searched = 0;
    while (true) {
      const end = this.#pending.indexOf(LINE_FEED, searched);
      if (end > maximum || (end === -1 && this.#pending.length > maximum)) return null;
      if (end !== -1) {
        const line = this.#take(end);
        this.#take(1);
        return line;
      }
      searched = this.#pending.length;
      if (!await this.#fill()) return null;
    }
  }

  /** Reads `count` bytes, or fewer at the end. */
  async read(count: number): Promise<Uint8Array> {
    let isMore = true;
    while (isMore && this.#pending.length < count) isMore = await this.#fill();
    return this.#take(count);
  }

  async *rest(): AsyncGenerator<Uint8Array> {
    do yield this.#take(this.#pending.length); while (await this.#fill());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.return?.();
  }

  #take(count: number): Uint8Array {
    const taken = this.#pending.subarray(0, count);
    this.#pending = this.#pending.subarray(count);
    return taken;
  }

  async #fill(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    this.#pending = Buffer.concat([this.#pending, value]);
    return true;
  }
}
