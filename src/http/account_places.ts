import type { Caller } from "../access/identity.ts";
import { ServiceError } from "../errors/service_error.ts";

/**
 * Limits concurrent work that waits for a client. Sessions and tokens have separate limits, so that a token
 * cannot prevent its own revocation.
 */
export class AccountPlaces {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  /** @param most The limit for the sessions of each account, and again for its tokens. */
  constructor(most: number) {
    this.#most = most;
  }

  /** @throws ServiceError `HTTP_429` beyond the limit. */
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
