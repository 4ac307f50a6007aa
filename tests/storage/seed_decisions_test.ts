// engines: postgres

import { assert, assertEquals } from "@std/assert";
import { readCommand } from "../../src/operator/admin/command.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { DEMO_DECISIONS as SAMPLES } from "../../src/operator/seed/demo/samples.ts";
import { lifeAt } from "../../src/operator/seed/sample.ts";
import { decisionPath, DECISIONS } from "../families/decision/api.ts";
import { walkPages } from "../http/kernel.ts";
import { done, read } from "../families/memory/api.ts";
import { type Caller, createWorld, type Json, type World } from "../support/world.ts";
import { demoLife } from "./demo_life.ts";
import { emailOf, servicesOf } from "./operator.ts";

async function seedDemo(world: World, caller: Caller): Promise<void> {
  const command = readCommand({ command: "seed demo", owner: emailOf(caller) });
  await runAdminCommand(servicesOf(world), command);
}

async function decisionsOf(caller: Caller): Promise<Json[]> {
  return (await walkPages(caller, DECISIONS, { archived: "include" })).flat();
}

Deno.test("Sample life has decisions with every kind of object", async () => {
  const { caller } = await demoLife();
  const decisions = await decisionsOf(caller);
  assertEquals(decisions.length, SAMPLES.length);
  assert(decisions.some(({ archivedAt }) => archivedAt !== null));
  assert(decisions.some(({ revision, actualOutcome }) => revision > 2 && actualOutcome !== null));
  assert(decisions.some(({ chosenOption }) => chosenOption === null));
  const records = (await walkPages(caller, "/api/v2/records/decision", { archived: "include" }))
    .flat();
  assertEquals(records.map(({ sourceType }) => sourceType), decisions.map(() => "SEED"));
  for (const kind of ["analyses", "simulations", "predictions", "outcomes", "counterfactuals"]) {
    const below = await Promise.all(
      decisions.map((decision) => walkPages(caller, decisionPath(decision, `/${kind}`))),
    );
    assert(below.flat(2).length >= 1, kind);
  }
  const { count, brierScore } = await read(caller, "/api/v2/decision/calibration");
  assert(count >= 3 && brierScore > 0 && brierScore < 0.5);
});

Deno.test("Sample decisions are accepted again by the current rules", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await seedDemo(world, caller);
  const life = lifeAt(world.now(), new Map());
  for (const { name, decision, analyses = [], simulations = [] } of SAMPLES) {
    const again = await done(caller, DECISIONS, life.fill(decision));
    const [stored] = (await decisionsOf(caller))
      .filter(({ question, decisionId }) =>
        question === again.question && decisionId !== again.decisionId
      );
    assertEquals([stored?.options, again.options], [again.options, stored?.options], name);
    for (const [kind, bodies] of Object.entries({ analyses, simulations })) {
      const { items } = await read(caller, decisionPath(stored, `/${kind}`));
      for (const body of bodies) {
        const { totals, results } = await done(
          caller,
          decisionPath(again, `/${kind}`),
          life.fill(body),
        );
        const computed = { ...(totals && { totals }), ...(results && { results }) };
        assert(
          items.some((item: Json) =>
            Object.entries(computed).every(([member, value]) =>
              JSON.stringify(item[member]) === JSON.stringify(value)
            )
          ),
          `${name}, ${kind}`,
        );
      }
    }
  }
});

Deno.test("Names of the sample decisions are unique", () => {
  assertEquals(new Set(SAMPLES.map(({ name }) => name)).size, SAMPLES.length);
});
