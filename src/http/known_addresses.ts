/** Addresses in one generation; there are two. */
const ADDRESSES = 10_000;

/**
 * Addresses of valid credentials in this process: strangers who use up all places for strangers cannot keep
 * these clients from signing in.
 *
 * When the younger of two generations is full, the older is dropped. A forgotten address counts as a
 * stranger until its next valid credential.
 */
export class KnownAddresses {
  #younger = new Set<string>();
  #older = new Set<string>();

  add(address: string): void {
    if (this.#younger.has(address)) return;
    if (this.#younger.size >= ADDRESSES) {
      this.#older = this.#younger;
      this.#younger = new Set();
    }
    this.#younger.add(address);
  }

  has(address: string): boolean {
    return this.#younger.has(address) || this.#older.has(address);
  }
}
