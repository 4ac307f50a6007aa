// engines: both
/**
 * Resources that one account can drive to their limits without much data;
 * `long/fair_shares_test.ts` has all others.
 */

import { ATTACKS, IMPORT_ATTACKS, SPOOL_BYTES } from "./fair_share_attacks.ts";
import { assertFair, type Attack, measure, openStage } from "./fair_shares.ts";

const ATTACK_MS = 300;
const WRITES = ATTACKS.filter(({ resource }) => resource === "writes at once");

async function assertAllFair(
  attacks: readonly Attack[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using stage = await openStage({ records: 0, largeRecords: 0 }, env);
  for (const attack of attacks) {
    for (const role of attack.roles) {
      assertFair(attack, await measure(stage, attack, role, ATTACK_MS));
    }
  }
}

Deno.test("An account that writes without end does not block another account", async () => {
  await assertAllFair(WRITES);
});

Deno.test("An account that imports without end does not block another account", async () => {
  await assertAllFair(IMPORT_ATTACKS, { ACCOUNT_SPOOL_BYTES: String(SPOOL_BYTES) });
});
