import type { Caller } from "../access/identity.ts";
import { ServiceError } from "../errors/service_error.ts";

/**
 * Limits concurrent work that waits for a client, per account: its sessions have one limit, and its tokens
 * another, so that no token keeps its owner from revoking it.
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
