/** A resource that one account can drive to its limit without much data; `long/fair_shares_test.ts` has all. */

import { ATTACKS } from "./fair_share_attacks.ts";
import { assertFair, measure, openStage } from "./fair_shares.ts";

const ATTACK_MS = 300;

Deno.test("An account that writes without end does not block another account", async () => {
  await using stage = await openStage({ records: 0, largeRecords: 0 });
  const attack = ATTACKS.find(({ resource }) => resource === "writes at once");
  if (attack === undefined) throw new RangeError("The attack is missing");
  assertFair(attack, await measure(stage, attack, "OWNER", ATTACK_MS));
});
