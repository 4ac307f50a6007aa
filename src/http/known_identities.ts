import type { Caller } from "../access/identity.ts";
import { sha256Hex } from "../core/digest.ts";

/** Maximum identities in one generation; there are two. */
const IDENTITIES = 2_000;

/** Identities of recent credentials. `speculation.ts` explains why this cache proves nothing. */
export class KnownCallers {
  #younger = new Map<string, Caller>();
  #older = new Map<string, Caller>();

  /** @param secret The request's `sentSecret`. */
  find(secret: string): Caller | null {
    return this.#find(nameOf(secret));
  }

  /** As `find`. The result of `lookUp` replaces the entry; a refusal removes it. */
  assume(secret: string, lookUp: Promise<Caller>): Caller | null {
    const name = nameOf(secret);
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

/** A digest, so that no secret is stored. */
function nameOf(secret: string): string {
  return sha256Hex(secret);
}
