// engines: postgres
/** The throttle and a plain model. */

import { assert, assertEquals } from "@std/assert";
import { type Random, seededRandom } from "../support/random.ts";
import type { World } from "../support/world.ts";
import { assertTaken, DAY, HOUR, MINUTE, NEW_EMAIL, openHarness, SECOND } from "./throttle.ts";

interface Kept {
  email: string | null;
  readonly address: string;
  readonly at: number;
  succeeded: boolean;
}

/** A list of attempts, never pruned. */
class Model {
  readonly attempts: Kept[] = [];

  /** Null if accepted, otherwise the seconds to wait. */
  take(email: string | null, address: string, at: number): number | null {
    const failures = this.attempts.filter((kept) => !kept.succeeded);
    const ofEmail = failures.filter((kept) => email !== null && kept.email === email);
    const isKnown = this.attempts.some((kept) =>
      kept.succeeded && kept.email === email && kept.address === address && kept.at > at - 30 * DAY
    );
    const waits = [
      wait(ofEmail.filter((kept) => kept.address === address), 10, 15 * MINUTE, at),
      wait(failures.filter((kept) => kept.address === address), 30, 15 * MINUTE, at),
      wait(ofEmail.filter((kept) => isSameNetwork(kept.address, address)), 40, 15 * MINUTE, at),
      wait(failures.filter((kept) => isSameNetwork(kept.address, address)), 120, 15 * MINUTE, at),
      isKnown ? null : wait(ofEmail, 100, HOUR, at),
    ].filter((seconds) => seconds !== null);
    if (waits.length > 0) return Math.max(...waits);
    this.attempts.push({ email, address, at, succeeded: false });
    return null;
  }
}

/** All IPv6 addresses of this test are in one network. */
function isSameNetwork(one: string, other: string): boolean {
  return one.includes(":") && other.includes(":");
}

/** Seconds until fewer than `limit` of the ordered failures are in the window. */
function wait(
  failures: readonly Kept[],
  limit: number,
  window: number,
  at: number,
): number | null {
  const filling = failures.at(-limit);
  if (filling === undefined || filling.at <= at - window) return null;
  return Math.ceil((filling.at + window - at) / SECOND);
}

/** Slightly, or to the end of a limit or exemption. */
function pass(world: World, random: Random): void {
  const kind = random.next();
  if (kind < 0.99) world.advance(random.integer(0, 500));
  else if (kind < 0.996) world.advance(random.integer(1, 5) * MINUTE);
  else if (kind < 0.998) world.advance(15 * MINUTE);
  else if (kind < 0.999) world.advance(HOUR);
  else world.advance(random.integer(10, 30) * DAY);
}

for (const seed of [1]) {
  Deno.test(`Throttle matches its model under random attempts of seed ${seed}`, async () => {
    const harness = await openHarness();
    const { world, throttle } = harness;
    const random = seededRandom(seed);
    const model = new Model();
    const ids: string[] = [];
    let [refused, exempt] = [0, 0];
    for (let round = 0; round < 1_000; round++) {
      pass(world, random);
      const email = random.chance(0.85)
        ? "ada@example.org"
        : random.pick([null, "b@c.de", "d@e.fr"]);
      const address = random.chance(0.5)
        ? `10.0.0.${random.integer(1, 40)}`
        : `2001:db8:0:a${random.integer(10, 40)}::/64`;
      const expected = model.take(email, address, world.now().getTime());
      const response = await harness.take(email, address);
      if (expected === null) {
        assertTaken(response, `round ${round}`);
        ids.push(String(response));
        const failures = model.attempts.filter((kept) =>
          email !== null && kept.email === email && !kept.succeeded &&
          kept.at > world.now().getTime() - HOUR
        );
        if (failures.length > 100) exempt++;
      } else {
        assertEquals(response, expected, `round ${round}`);
        refused++;
      }
      const last = model.attempts.at(-1);
      if (expected === null && last !== undefined && random.chance(0.08)) {
        last.succeeded = true;
        last.email ??= NEW_EMAIL;
        const { email } = last;
        const attemptId = String(ids.at(-1));
        await world.database.transaction((tx) => throttle.succeeded(tx.sql, attemptId, email));
      }
    }
    // Limits and exemptions occurred.
    assert(refused > 20 && exempt > 5, `${refused} refused, ${exempt} exempt`);
  });
}
