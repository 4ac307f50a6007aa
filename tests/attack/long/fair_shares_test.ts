// engines: both
import { ATTACKS } from "../fair_share_attacks.ts";
import { assertFair, measure, openStage, type Outcome, percentile99 } from "../fair_shares.ts";

const ATTACK_MS = 4_000;

/** A row of the README's table. */
function row(name: string, { tally, waits, slowdown }: Outcome): string {
  const cells = [waits.signIn, waits.read, waits.write].map((taken) =>
    String(Math.round(percentile99(taken)))
  );
  return `| ${[name, ...cells, slowdown.toFixed(1), JSON.stringify(tally)].join(" | ")} |`;
}

Deno.test("An account that drives any resource to its limit does not block another account", async (test) => {
  await using stage = await openStage({ records: 500, largeRecords: 60, dates: 75_000 }, {
    ASSISTANTS: "true",
    ASSISTANT_CALLS_PER_MINUTE: "100000",
    ASSISTANT_CALLS_PER_DAY: "1000000",
  });
  for (const attack of ATTACKS) {
    for (const role of attack.roles) {
      const name = `${attack.resource}, ${role}`;
      await test.step(name, async () => {
        const outcome = await measure(stage, attack, role, ATTACK_MS);
        // deno-lint-ignore no-console -- the figures of the README
        console.log(row(name, outcome));
        assertFair(attack, outcome);
      });
    }
  }
});
