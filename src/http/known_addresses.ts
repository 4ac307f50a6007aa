/** How many addresses one generation holds; there are two. */
const ADDRESSES = 10_000;

/**
 * Remembers the addresses of valid credentials, in this process: strangers that use up all places for
 * strangers cannot keep clients at these addresses from signing in.
 *
 * Memory is bounded: addresses are stored in two generations, and the older one is dropped when the younger
 * is full. A forgotten address counts as a stranger until its next valid credential.
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
