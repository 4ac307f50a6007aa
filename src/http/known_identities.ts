import type { Caller } from "../access/identity.ts";
import { sha256Hex } from "../core/digest.ts";

/** How many identities one generation holds; there are two. */
const IDENTITIES = 2_000;

/** The cache of identities by credential, for `speculation.ts`, which explains why it proves nothing. */
export class KnownCallers {
  #younger = new Map<string, Caller>();
  #older = new Map<string, Caller>();

  /** Returns the cached identity for the secrets of a request (`sentSecrets`), or null. */
  find(secrets: string): Caller | null {
    return this.#find(nameOf(secrets));
  }

  /**
   * Returns the cached identity for the secrets of a request, or null. When `lookUp` resolves, its result
   * replaces the cache entry; if it is refused, the entry is removed.
   */
  assume(secrets: string, lookUp: Promise<Caller>): Caller | null {
    const name = nameOf(secrets);
    const known = this.#find(name);
    lookUp.then((caller) => this.#remember(name, caller), () => this.#forget(name));
    return known;
  }

  #find(name: string): Caller | null {
    return this.#younger.get(name) ?? this.#older.get(name) ?? null;
  }

  #remember(name: string, caller: Caller): void {
    if (this.#younger.size >= IDENTITIES && !this.#younger.has(name)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(name, caller);
  }

  #forget(name: string): void {
    this.#younger.delete(name);
    this.#older.delete(name);
  }
}

/** Names secrets without keeping them. */
function nameOf(secrets: string): string {
  return sha256Hex(secrets);
}
