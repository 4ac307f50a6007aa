import { assert, assertEquals } from "@std/assert";
import {
  analyse,
  type AnalysisFigures,
  hasWeight,
} from "../../../../src/families/decision/analysis_arithmetic.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { crossings, leadersOf, type Model, totalsOf, withChange } from "./analysis_model.ts";
import { Fraction, sumOf, ZERO } from "../../../support/fractions.ts";

/** With its effective value. */
interface Sent {
  readonly number: number;
  readonly exact: Fraction;
}

/** Whole, or up to eight decimals, of which six count. */
function someNumber(random: Random, maximum: number, isWhole: boolean): Sent {
  const places = isWhole ? 0 : random.pick([0, 1, 2, 6, 7, 8]);
  const units = random.integer(0, maximum * Math.min(10 ** places, 10_000));
  const exact = new Fraction(BigInt(units), 10n ** BigInt(places));
  const millionths = exact.times(new Fraction(1_000_000n)).rounded();
  return { number: Number(`${units}e-${places}`), exact: new Fraction(millionths, 1_000_000n) };
}

interface Sample {
  readonly figures: AnalysisFigures;
  readonly model: Model;
}

/** Every second one has few small numbers, for ties. */
function someAnalysis(random: Random): Sample {
  const isCoarse = random.chance(0.5);
  const maximum = isCoarse ? 3 : 10;
  const names = Array.from({ length: random.integer(1, 5) }, (_, index) => `criterion ${index}`);
  const labels = Array.from({ length: random.integer(2, 6) }, (_, index) => `option ${index}`);
  const weights = names.map(() =>
    someNumber(random, isCoarse ? 2 : random.pick([0, 1, 1_000]), isCoarse)
  );
  if (weights.every(({ exact }) => exact.compare(ZERO) === 0)) {
    weights[0] = { number: 1, exact: new Fraction(1n) };
  }
  const scores = labels.map(() => names.map(() => someNumber(random, maximum, isCoarse)));
  return {
    figures: analyse(
      names.map((name, index) => ({ name, weight: weights[index]?.number ?? 0 })),
      labels.map((option, index) => ({
        option,
        scores: scores[index]?.map(({ number }) => number) ?? [],
      })),
    ),
    model: {
      criteria: names.map((name, index) => ({ name, weight: weights[index]?.exact ?? ZERO })),
      options: labels.map((option, index) => ({
        option,
        scores: scores[index]?.map(({ exact }) => exact) ?? [],
      })),
    },
  };
}

function* samples(seed: number, count: number): Generator<Sample & { readonly random: Random }> {
  const random = seededRandom(seed);
  for (let index = 0; index < count; index++) yield { ...someAnalysis(random), random };
}

Deno.test("analyse() returns exact shares, scores, totals and ranks, with six decimals", () => {
  for (const { figures, model } of samples(1, 500)) {
    const { criteria, options } = model;
    const sum = sumOf(criteria.map(({ weight }) => weight));
    assertEquals(
      figures.criteria,
      criteria.map(({ name, weight }) => ({
        name,
        weight: weight.toNumber(),
        normalisedWeight: weight.over(sum).toNumber(),
      })),
    );
    for (const { option, scores } of options) {
      assertEquals(Object.values(figures.scores[option] ?? {}), scores.map((s) => s.toNumber()));
    }
    const totals = totalsOf(model);
    assertEquals(
      figures.totals,
      options.map(({ option }, index) => ({ option, total: totals[index]?.toNumber() ?? NaN })),
    );
    const places = options.map(({ option }, index) => {
      const total = totals[index] ?? ZERO;
      return { rank: 1 + totals.filter((other) => other.compare(total) > 0).length, option, index };
    });
    assertEquals(
      figures.ranking.map(({ rank, option }) => ({ rank, option })),
      places.sort((a, b) => a.rank - b.rank || a.index - b.index)
        .map(({ rank, option }) => ({ rank, option })),
    );
    for (const { option, total } of figures.ranking) {
      assertEquals(total, figures.totals.find((other) => other.option === option)?.total);
    }
  }
});

Deno.test("analyse() finds the smallest change at which another option ties", () => {
  const seen = { none: 0, shared: 0, rises: 0, falls: 0, equal: 0 };
  for (const { figures: { sensitivity }, model } of samples(2, 1_000)) {
    const [leader = "", ...others] = leadersOf(model);
    const all = others.length > 0 ? [] : crossings(model, leader);
    if (others.length > 0) seen.shared++;
    const [first] = all;
    if (first === undefined) {
      if (others.length === 0) seen.none++;
      assertEquals(sensitivity, null);
      continue;
    }
    const least = all.reduce((least, next) =>
      next.change.absolute().compare(least.change.absolute()) < 0 ? next : least
    );
    const equals = all.filter(({ change }) =>
      change.absolute().compare(least.change.absolute()) === 0
    );
    if (equals.length > 1) seen.equal++;
    seen[least.change.compare(ZERO) > 0 ? "rises" : "falls"]++;
    const { name = "", weight = ZERO } = model.criteria[least.index] ?? {};
    assertEquals(sensitivity, {
      criterion: name,
      weight: weight.toNumber(),
      criticalWeight: weight.plus(least.change).toNumber(),
      change: least.change.toNumber(),
      challenger: least.challenger,
    });
  }
  for (const [kind, count] of Object.entries(seen)) assert(count > 20, `${kind}: ${count}`);
});

Deno.test("At the critical weight the challenger ties, and before it the leader stays", () => {
  for (const { figures: { sensitivity, ranking }, model, random } of samples(3, 400)) {
    if (sensitivity === null) continue;
    const leader = ranking[0]?.option ?? "";
    const index = model.criteria.findIndex(({ name }) => name === sensitivity.criterion);
    const change = crossings(model, leader)
      .find((other) => other.index === index && other.challenger === sensitivity.challenger)
      ?.change ?? ZERO;
    const tied = withChange(model, index, change);
    assert(tied !== null);
    assertEquals(leadersOf(tied).includes(leader), true);
    assertEquals(leadersOf(tied).includes(sensitivity.challenger), true);
    for (const at of model.criteria.keys()) {
      for (const sign of [1n, -1n]) {
        const part = new Fraction(sign * BigInt(random.integer(0, 999)), 1_000n);
        const changed = withChange(model, at, change.absolute().times(part));
        if (changed !== null) assertEquals(leadersOf(changed), [leader]);
      }
    }
  }
});

Deno.test("Figures do not depend on the order of options and criteria", () => {
  for (const { model, figures } of samples(4, 200)) {
    const reversed = analyse(
      model.criteria.toReversed().map(({ name, weight }) => ({ name, weight: weight.toNumber() })),
      model.options.toReversed().map(({ option, scores }) => ({
        option,
        scores: scores.toReversed().map((score) => score.toNumber()),
      })),
    );
    assertEquals(reversed.totals, figures.totals.toReversed());
    assertEquals(reversed.criteria, figures.criteria.toReversed());
    assertEquals(
      Math.abs(reversed.sensitivity?.change ?? 0),
      Math.abs(figures.sensitivity?.change ?? 0),
    );
  }
});

/** Criteria a, b, …; options A, B, …. */
function analysing(weights: readonly number[], rows: readonly (readonly number[])[]) {
  return analyse(
    weights.map((weight, index) => ({ name: "abcdef".charAt(index), weight })),
    rows.map((scores, index) => ({ option: "ABCDEF".charAt(index), scores })),
  );
}

Deno.test("analyse() matches a calculation by hand", () => {
  const { criteria, totals, ranking, sensitivity } = analysing([1, 2], [[8, 5], [6, 7]]);
  assertEquals(criteria.map(({ normalisedWeight }) => normalisedWeight), [0.333333, 0.666667]);
  assertEquals(totals, [{ option: "A", total: 6 }, { option: "B", total: 6.666667 }]);
  assertEquals(ranking.map(({ rank, option }) => [rank, option]), [[1, "B"], [2, "A"]]);
  // A lacks two points: one unit of weight either way.
  assertEquals(sensitivity, {
    criterion: "a",
    weight: 1,
    criticalWeight: 2,
    change: 1,
    challenger: "A",
  });
});

Deno.test("A shared first rank has no sensitivity, a shared second one has", () => {
  const shared = analysing([1, 1], [[1, 3], [3, 1], [0, 0]]);
  assertEquals(shared.ranking.map(({ rank, option }) => [rank, option]), [
    [1, "A"],
    [1, "B"],
    [3, "C"],
  ]);
  assertEquals(shared.sensitivity, null);
  const behind = analysing([1, 1], [[1, 2], [2, 1], [3, 3]]);
  assertEquals(behind.ranking.map(({ rank }) => rank), [1, 2, 2]);
});

Deno.test("A leader that is better by every criterion cannot be reached", () => {
  // B ties only if b loses all weight, and none would be left.
  assertEquals(analysing([0, 1], [[5, 5], [5, 4]]).sensitivity, null);
  assertEquals(analysing([1], [[5], [4]]).sensitivity, null);
  // With another weight it can.
  assertEquals(analysing([1, 1], [[5, 5], [5, 4]]).sensitivity?.criticalWeight, 0);
  // It would become negative.
  assertEquals(analysing([1, 1], [[5, 5], [4, 4]]).sensitivity, null);
});

Deno.test("Of equal changes the first criterion wins, then the first option", () => {
  const { sensitivity } = analysing([2, 2, 1], [[4, 4, 1], [2, 4, 2], [4, 2, 2]]);
  assertEquals([sensitivity?.criterion, sensitivity?.challenger], ["a", "B"]);
  const swapped = analysing([2, 2, 1], [[4, 4, 1], [4, 2, 2], [2, 4, 2]]).sensitivity;
  assertEquals([swapped?.criterion, swapped?.challenger], ["a", "C"]);
  const sameWeight = analysing([2, 1], [[4, 1], [2, 4], [2, 4]]).sensitivity;
  assertEquals([sameWeight?.criterion, sameWeight?.challenger], ["b", "B"]);
});

Deno.test("Weights and scores count to six decimals, and a weight can vanish", () => {
  const { criteria, scores, totals } = analysing([0.1234565, 0.0000004], [[9.9999996, 1], [0, 2]]);
  assertEquals(criteria, [
    { name: "a", weight: 0.123457, normalisedWeight: 1 },
    { name: "b", weight: 0, normalisedWeight: 0 },
  ]);
  assertEquals(scores, { A: { a: 10, b: 1 }, B: { a: 0, b: 2 } });
  assertEquals(totals.map(({ total }) => total), [10, 0]);
  assertEquals(hasWeight([{ name: "a", weight: 0.0000004 }, { name: "b", weight: 0 }]), false);
  assertEquals(hasWeight([{ name: "a", weight: 0.0000005 }]), true);
});

Deno.test("The largest and smallest numbers keep every digit", () => {
  const { sensitivity } = analysing([1000, 0], [[10, 0], [0.000001, 0.000007]]);
  assertEquals(sensitivity, {
    criterion: "b",
    weight: 0,
    criticalWeight: 1428571285.714286,
    change: 1428571285.714286,
    challenger: "B",
  });
  const small = analysing([1000, 0.000001], [[0.000001, 10], [0.000001, 0]]).sensitivity;
  assertEquals([small?.criterion, small?.criticalWeight, small?.change], ["b", 0, -0.000001]);
});

Deno.test("A negative change is rounded half up too, so that it adds up", () => {
  // b falls by 0.0000005, and 0.0000005 remains.
  const { sensitivity } = analysing([0.000001, 0.000001], [[0, 0.000002], [0.000001, 0]]);
  assertEquals(sensitivity, {
    criterion: "b",
    weight: 0.000001,
    criticalWeight: 0.000001,
    change: 0,
    challenger: "B",
  });
});
