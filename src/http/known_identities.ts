import type { Identity } from "../access/identity.ts";
import { sha256Hex } from "../core/digest.ts";

/** How many identities one generation holds; there are two. */
const IDENTITIES = 2_000;

/**
 * What the credentials of recent requests stood for. That is an assumption and never a proof: a credential
 * may have ended since, in any process. So it serves to prepare an answer, which is given where a look-up of
 * the credential confirms it (`isSameIdentity`), or the request's own statement does (`assumeIdentity`).
 */
export class KnownIdentities {
  #younger = new Map<string, Identity>();
  #older = new Map<string, Identity>();

  /** Whom the secrets of a request (`sentSecrets`) last stood for; null where that is not known. */
  find(secrets: string): Identity | null {
    return this.#find(nameOf(secrets));
  }

  /**
   * Whom the secrets of a request last stood for; null where that is not known. What their present look-up
   * comes to is what is known next; nothing, where it is refused.
   */
  assume(secrets: string, lookUp: Promise<Identity>): Identity | null {
    const name = nameOf(secrets);
    const known = this.#find(name);
    lookUp.then((identity) => this.#remember(name, identity), () => this.#forget(name));
    return known;
  }

  #find(name: string): Identity | null {
    return this.#younger.get(name) ?? this.#older.get(name) ?? null;
  }

  #remember(name: string, identity: Identity): void {
    if (this.#younger.size >= IDENTITIES && !this.#younger.has(name)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(name, identity);
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
