/**
 * Resources that one account can drive to their limit without much data; `long/fair_shares_test.ts` has all
 * of them.
 */

import { ATTACKS } from "./fair_share_attacks.ts";
import { assertFair, measure, openStage, type Role } from "./fair_shares.ts";

const ATTACK_MS = 500;
const CASES: readonly (readonly [resource: string, role: Role])[] = [
  ["requests at once", "VIEWER"],
  ["writes at once", "OWNER"],
  ["simulations", "OWNER"],
];

Deno.test("An account that uses all its shares does not block another account", async (test) => {
  await using stage = await openStage({ records: 0, largeRecords: 0 });
  for (const [resource, role] of CASES) {
    await test.step(`${resource}, ${role}`, async () => {
      const attack = ATTACKS.find((each) => each.resource === resource);
      if (attack === undefined) throw new RangeError(`${resource} has no attack`);
      assertFair(attack, await measure(stage, attack, role, ATTACK_MS));
    });
  }
});
