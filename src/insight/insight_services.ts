import type { Catalog } from "../catalog/catalog.ts";
import type { Database } from "../database/database.ts";
import type { AccountPlaces } from "../http/account_places.ts";

export interface InsightServices {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly serverSecret: Uint8Array;
}

/** All counts share an account's places. */
export interface CountServices extends InsightServices {
  readonly counts: AccountPlaces;
}
