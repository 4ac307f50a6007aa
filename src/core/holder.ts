import { AsyncLocalStorage } from "node:async_hooks";

/** The signed-in account that a piece of work is done for, and the kind of its credential. */
export interface Holder {
  readonly accountId: string;
  readonly kind: string;
}

/** Names a holder among all: the sessions of an account share a name, and so do its tokens. */
export function holderName({ accountId, kind }: Holder): string {
  return `${kind} ${accountId}`;
}

const holders = new AsyncLocalStorage<Holder | null>();

/**
 * Runs work on behalf of a holder; null for the service itself. Everything that the work starts belongs to
 * the same holder.
 */
export function runFor<T>(holder: Holder | null, work: () => T): T {
  return holders.run(holder, work);
}

/** The holder that the present work is done for; null for strangers and the service itself. */
export function currentHolder(): Holder | null {
  return holders.getStore() ?? null;
}
