import { type Caller, holderOf } from "../access/identity.ts";
import { holderName } from "../core/holder.ts";
import { PlacesPerHolder } from "../core/places_per_holder.ts";
import { ServiceError } from "../errors/service_error.ts";

/**
 * Limits concurrent work that waits for a client. Sessions and tokens have separate limits, so that
 * a token cannot prevent its own revocation.
 */
export class AccountPlaces {
  readonly #places: PlacesPerHolder;

  /** @param most The limit for the sessions of each account, and again for its tokens. */
  constructor(most: number) {
    this.#places = new PlacesPerHolder(most);
  }

  /** @throws ServiceError `HTTP_429` beyond the limit. */
  async run<T>(caller: Caller, act: () => Promise<T>): Promise<T> {
    const holder = holderName(holderOf(caller));
    if (!this.#places.hasPlace(holder)) throw new ServiceError("HTTP_429");
    this.#places.take(holder);
    try {
      return await act();
    } finally {
      this.#places.giveBack(holder);
    }
  }
}
