/** Maximum addresses in one generation; there are two. */
const ADDRESSES = 10_000;

/**
 * Addresses from which this process received valid credentials. Their clients can sign in even if
 * strangers use up all places for strangers.
 *
 * When the younger of two generations is full, the older is dropped. A forgotten address counts as
 * a stranger until its next valid credential.
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
