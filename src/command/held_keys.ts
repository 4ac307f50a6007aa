import type { Command } from "./command.ts";

/**
 * Idempotency keys that requests of this process hold. The embedded engine runs one transaction at
 * a time, so there a second request never meets the first one's database lock of the key.
 */
export class HeldKeys {
  readonly #names = new Set<string>();

  /** Holds the key until the returned function is called; null if already held. */
  hold({ caller, scope, target, key }: Command): (() => void) | null {
    if (key === null) return () => {};
    const name = [caller.account.accountId, scope, target, key.key].join(" ");
    if (this.#names.has(name)) return null;
    this.#names.add(name);
    return () => this.#names.delete(name);
  }
}
