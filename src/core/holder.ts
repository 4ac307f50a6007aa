import { AsyncLocalStorage } from "node:async_hooks";

/** The account that work is done for. */
export interface Holder {
  readonly accountId: string;
  readonly kind: string;
}

/** Returns one name for an account's sessions, and one for its tokens. */
export function holderName({ accountId, kind }: Holder): string {
  return `${kind} ${accountId}`;
}

const holders = new AsyncLocalStorage<Holder | null>();

/** Everything that `work` starts belongs to the same holder; null for the service itself. */
export function runFor<T>(holder: Holder | null, work: () => T): T {
  return holders.run(holder, work);
}

/** Returns null for strangers and the service itself. */
export function currentHolder(): Holder | null {
  return holders.getStore() ?? null;
}
