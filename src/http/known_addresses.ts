/** How many addresses one generation holds; there are two. */
const ADDRESSES = 10_000;

/**
 * Remembers the addresses that valid credentials came from, in this process: strangers who hold all
 * the places that strangers have cannot keep clients at these addresses from signing in.
 *
 * Memory is bounded: addresses are kept in two generations, and the older one is forgotten when the
 * younger is full. A forgotten address is a stranger's until the next valid credential comes from it.
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
