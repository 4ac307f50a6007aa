import type { Caller } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { COUNTS_AT_ONCE } from "../core/shares.ts";
import type { Database } from "../database/database.ts";
import { AccountPlaces } from "../http/account_places.ts";

export interface InsightServices {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly serverSecret: Uint8Array;
}

/** All counts share an account's places. */
export interface CountServices extends InsightServices {
  readonly counts: CountPlaces;
}

/** The places of an account's counts. */
export class CountPlaces {
  readonly #places = new AccountPlaces(COUNTS_AT_ONCE);

  /** @throws ServiceError `HTTP_429` without a free place. */
  async run<T>(caller: Caller, count: () => Promise<T>): Promise<T> {
    return await this.#places.run(caller, count);
  }
}
