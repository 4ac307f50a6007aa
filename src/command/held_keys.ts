import type { Command } from "./command.ts";

/**
 * The keys that requests of this process hold. The embedded engine runs one transaction at a time, so
 * there a second request never meets the first one's lock of the key in the database.
 */
export class HeldKeys {
  readonly #names = new Set<string>();

  /** Marks the command's key as held, until the returned function is called; null when it already is. */
  hold({ caller, scope, target, key }: Command): (() => void) | null {
    if (key === null) return () => {};
    const name = [caller.account.accountId, scope, target, key.key].join(" ");
    if (this.#names.has(name)) return null;
    this.#names.add(name);
    return () => this.#names.delete(name);
  }
}
