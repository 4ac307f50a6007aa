// engines: both
import { ATTACKS, IMPORT_ATTACKS, SPOOL_BYTES } from "../fair_share_attacks.ts";
import {
  assertFair,
  type Attack,
  measure,
  openStage,
  type Outcome,
  percentile99,
  type Stage,
} from "../fair_shares.ts";

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
  for (const attack of ATTACKS) await attackFairly(test, stage, attack);
});

Deno.test("An account that imports without end does not block another account", async (test) => {
  await using stage = await openStage({ records: 0, largeRecords: 0 }, {
    ACCOUNT_SPOOL_BYTES: String(SPOOL_BYTES),
  });
  for (const attack of IMPORT_ATTACKS) await attackFairly(test, stage, attack);
});

async function attackFairly(test: Deno.TestContext, stage: Stage, attack: Attack): Promise<void> {
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
