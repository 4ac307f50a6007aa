import { ServiceError } from "../errors/service_error.ts";

/** Bounds how many things that take a client's own time one account has under way at once. */
export class AccountPlaces {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  /** At most `most` at once for each account. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Does one of them.
   *
   * @throws ServiceError `HTTP_429` beyond the limit.
   */
  async run<T>(accountId: string, act: () => Promise<T>): Promise<T> {
    const taken = this.#taken.get(accountId) ?? 0;
    if (taken >= this.#most) throw new ServiceError("HTTP_429");
    this.#taken.set(accountId, taken + 1);
    try {
      return await act();
    } finally {
      this.#giveBack(accountId);
    }
  }

  #giveBack(accountId: string): void {
    const left = (this.#taken.get(accountId) ?? 0) - 1;
    if (left > 0) this.#taken.set(accountId, left);
    else this.#taken.delete(accountId);
  }
}
