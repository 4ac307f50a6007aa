import type { Caller } from "../access/identity.ts";
import { ServiceError } from "../errors/service_error.ts";

/**
 * Bounds how many things that take a client's own time one account has under way at once: its sessions
 * so many, and its tokens as many, so that no token keeps its owner from ending it.
 */
export class AccountPlaces {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  /** At most `most` at once for the sessions of each account, and for its tokens. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Does one of them.
   *
   * @throws ServiceError `HTTP_429` beyond the limit.
   */
  async run<T>({ account, credential }: Caller, act: () => Promise<T>): Promise<T> {
    const holder = `${credential.kind} ${account.accountId}`;
    const taken = this.#taken.get(holder) ?? 0;
    if (taken >= this.#most) throw new ServiceError("HTTP_429");
    this.#taken.set(holder, taken + 1);
    try {
      return await act();
    } finally {
      this.#giveBack(holder);
    }
  }

  #giveBack(holder: string): void {
    const left = (this.#taken.get(holder) ?? 0) - 1;
    if (left > 0) this.#taken.set(holder, left);
    else this.#taken.delete(holder);
  }
}
