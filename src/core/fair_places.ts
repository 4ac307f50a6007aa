import { within } from "./deadline.ts";
import { currentHolder, type Holder, holderName } from "./holder.ts";
import { PlacesPerHolder } from "./places_per_holder.ts";

export interface FairPlaceLimits {
  /** Maximum concurrent jobs of all accounts together. */
  readonly places: number;
  /** Maximum concurrent jobs of one account's sessions and tokens together. */
  readonly perAccount: number;
}

/** How long a holder waits, and the error that it then gets. */
interface Patience {
  readonly milliseconds: number;
  readonly lateness: () => Error;
}

const ENDLESS: Patience = { milliseconds: Infinity, lateness: () => new Error("Too late") };

interface Waiter {
  readonly holder: Holder | null;
  readonly admit: () => void;
}

/**
 * When all places are taken, the sessions of each account, its tokens, and the service itself take
 * turns, however many of their requests wait.
 */
export class FairPlaces {
  readonly #places: number;
  readonly #accounts: PlacesPerHolder;
  /** By holder, in the order of turns. */
  readonly #waiting = new Map<string, Waiter[]>();
  #count = 0;
  #waitingCount = 0;

  constructor({ places, perAccount }: FairPlaceLimits) {
    this.#places = places;
    this.#accounts = new PlacesPerHolder(perAccount);
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /** How many of the current holder's jobs wait. */
  get ownWaiting(): number {
    return this.#waiting.get(nameOf(currentHolder()))?.length ?? 0;
  }

  /** @throws the error of `lateness` for a holder that waits too long. */
  async run<T>(work: () => Promise<T>, patience: Patience = ENDLESS): Promise<T> {
    const holder = currentHolder();
    if (this.#isFree(holder)) this.#admit(holder);
    else await this.#wait(holder, patience);
    try {
      return await work();
    } finally {
      this.#giveBack(holder);
    }
  }

  #isFree(holder: Holder | null): boolean {
    if (this.#count >= this.#places) return false;
    return holder === null || this.#accounts.hasPlace(holder.accountId);
  }

  #admit(holder: Holder | null): void {
    this.#count++;
    if (holder !== null) this.#accounts.take(holder.accountId);
  }

  async #wait(holder: Holder | null, { milliseconds, lateness }: Patience): Promise<void> {
    const { promise, resolve: admit } = Promise.withResolvers<void>();
    const waiter = { holder, admit };
    const name = nameOf(holder);
    const others = this.#waiting.get(name);
    if (others === undefined) this.#waiting.set(name, [waiter]);
    else others.push(waiter);
    this.#waitingCount++;
    if (milliseconds === Infinity) return await promise;
    await within(milliseconds, promise, () => {
      this.#remove(name, waiter);
      return lateness();
    });
  }

  #remove(name: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(name) ?? [];
    waiters.splice(waiters.indexOf(waiter), 1);
    this.#waitingCount--;
    if (waiters.length === 0) this.#waiting.delete(name);
  }

  #giveBack(holder: Holder | null): void {
    this.#count--;
    if (holder !== null) this.#accounts.giveBack(holder.accountId);
    this.#admitNext();
  }

  #admitNext(): void {
    for (const [name, waiters] of this.#waiting) {
      const [waiter] = waiters;
      if (waiter === undefined || !this.#isFree(waiter.holder)) continue;
      this.#remove(name, waiter);
      // The holder's next request comes after the others' turns.
      if (waiters.length > 0 && this.#waiting.delete(name)) this.#waiting.set(name, waiters);
      this.#admit(waiter.holder);
      waiter.admit();
      return;
    }
  }
}

function nameOf(holder: Holder | null): string {
  return holder === null ? "" : holderName(holder);
}
