import { assertEquals, assertThrows } from "@std/assert";
import {
  checkSimulation,
  decideSimulation,
  spellOptions,
} from "../../../../src/families/decision/simulation_rules.ts";
import type {
  Factor,
  SimulationBody,
} from "../../../../src/families/decision/simulation_schema.ts";
import type { DecisionRow } from "../../../../src/families/decision/decision.ts";
import { ServiceError } from "../../../../src/errors/service_error.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");

function factorsOf(count: number): Factor[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${index}`,
    weight: 1,
    distribution: "UNIFORM",
    minimum: 0,
    maximum: 1,
  }));
}

function bodyOf(runs: number, ...factors: readonly number[]): SimulationBody {
  const options = factors.map((count, index) => ({
    option: `${index}`,
    factors: factorsOf(count),
  }));
  return { seed: 1, runs, options };
}

/** With only the used parts. */
function decisionOf(items: readonly string[]): DecisionRow {
  return {
    decision_id: "01J00000000000000000000000",
    revision: 3,
    options: JSON.stringify({ items }),
  } as DecisionRow;
}

Deno.test("A simulation may use five million draws, and not one run more", () => {
  checkSimulation(bodyOf(100_000, 20, 20, 10));
  checkSimulation(bodyOf(98_039, 20, 20, 11));
  for (const body of [bodyOf(98_040, 20, 20, 11), bodyOf(100_000, 20, 20, 11)]) {
    const { code, details } = assertThrows(() => checkSimulation(body), ServiceError);
    assertEquals([code, details.limit], ["PAYLOAD_INVALID", 5_000_000]);
  }
});

Deno.test("Options are spelt as in the decision, in the order sent", () => {
  const decision = decisionOf(["Café", " Sea", "Neither"]);
  const sent = ["Sea ", "Cafe\u0301"].map((option) => ({ option, factors: factorsOf(1) }));
  assertEquals(spellOptions(decision, sent).map(({ option }) => option), [" Sea", "Café"]);
  const strange = [...sent, { option: "sea", factors: factorsOf(1) }];
  assertThrows(() => spellOptions(decision, strange), ServiceError);
});

Deno.test("Each option keeps its own figures", () => {
  const { options, ...body } = bodyOf(10, 1, 2);
  const figures = options.map((_, index) => ({
    mean: index + 0.1 + 0.2,
    standardDeviation: 1e-300,
    p5: -1e300,
    p50: 0,
    p95: 5e-324,
    probabilityBest: 1 / 3,
  }));
  const row = decideSimulation(decisionOf(["1", "0"]), { ...body, options }, figures, NOW);
  assertEquals([row.decision_revision, row.algorithm, row.revision], [3, 1, 1]);
  assertEquals(JSON.parse(row.options), options);
  const expected = options.map(({ option }, index) => ({ option, ...figures[index] }));
  assertEquals(JSON.parse(row.results), expected);
});
