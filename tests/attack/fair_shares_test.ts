// engines: both
/**
 * Resources that one account can drive to their limits without much data;
 * `long/fair_shares_test.ts` has all others.
 */

import { ENGINE } from "../support/world.ts";
import { ATTACKS, IMPORT_ATTACKS } from "./fair_share_attacks.ts";
import { assertFair, measure, openStage } from "./fair_shares.ts";

const ATTACK_MS = 300;
const WRITES = ATTACKS.filter(({ resource }) => resource === "writes at once");
/** On the embedded engine only, which has one connection for plans of imports and all others. */
const READINGS = IMPORT_ATTACKS.filter(({ resource }) => resource === "reading of imports");

Deno.test("An account that writes or imports without end does not block another account", async () => {
  await using stage = await openStage({ records: 0, largeRecords: 0 });
  for (const attack of ENGINE === "embedded" ? [...WRITES, ...READINGS] : WRITES) {
    for (const role of attack.roles) {
      assertFair(attack, await measure(stage, attack, role, ATTACK_MS));
    }
  }
});
