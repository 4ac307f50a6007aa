import { assertEquals } from "@std/assert";
import { calibrationOf, type TenthSums } from "../../../../src/families/decision/calibration.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { Fraction, sumOf } from "../../../support/fractions.ts";

const UNITS = 10n ** 12n;

/** Whole numbers of their units. */
function someSums(random: Random, tenth: number): TenthSums {
  const count = random.integer(1, random.pick([1, 5, 2_000_000_000]));
  const sum = (greatest: bigint) =>
    String(BigInt(Math.floor(random.next() * count)) * greatest + BigInt(random.integer(0, 999)));
  return {
    tenth,
    count,
    occurred: random.integer(0, count),
    probability_sum: sum(UNITS),
    brier_sum: sum(UNITS),
    log_sum: sum(14n * UNITS),
  };
}

function meanOf(sums: readonly TenthSums[], name: "probability_sum" | "brier_sum" | "log_sum") {
  const count = sums.reduce((all, tenth) => all + tenth.count, 0);
  return sumOf(sums.map((tenth) => new Fraction(BigInt(tenth[name]), UNITS)))
    .over(new Fraction(BigInt(count))).toNumber();
}

Deno.test("calibrationOf() divides exactly and rounds half up to six decimals", () => {
  const random = seededRandom(1);
  for (let round = 0; round < 300; round++) {
    const tenths = Array.from({ length: 10 }, (_, tenth) => tenth).filter(() => random.chance(0.5));
    const sums = tenths.map((tenth) => someSums(random, tenth));
    const figures = calibrationOf(random.chance(0.5) ? sums : sums.toReversed());
    const isEmpty = sums.length === 0;
    assertEquals(figures.count, sums.reduce((all, { count }) => all + count, 0));
    assertEquals(figures.brierScore, isEmpty ? null : meanOf(sums, "brier_sum"));
    assertEquals(figures.logScore, isEmpty ? null : meanOf(sums, "log_sum"));
    assertEquals(
      figures.reliability,
      Array.from({ length: 10 }, (_, tenth) => {
        const found = sums.find((one) => one.tenth === tenth);
        return {
          from: Number(`0.${tenth}`),
          to: tenth === 9 ? 1 : Number(`0.${tenth + 1}`),
          count: found?.count ?? 0,
          meanProbability: found === undefined ? null : meanOf([found], "probability_sum"),
          observedFrequency: found === undefined
            ? null
            : new Fraction(BigInt(found.occurred), BigInt(found.count)).toNumber(),
        };
      }),
    );
  }
});

Deno.test("calibrationOf() has ten entries and no figure if nothing was judged", () => {
  const { count, brierScore, logScore, reliability } = calibrationOf([]);
  assertEquals([count, brierScore, logScore], [0, null, null]);
  assertEquals(reliability.length, 10);
  assertEquals(reliability[3], {
    from: 0.3,
    to: 0.4,
    count: 0,
    meanProbability: null,
    observedFrequency: null,
  });
});

Deno.test("calibrationOf() matches a calculation by hand", () => {
  // 0.7 succeeded twice and failed once; 0.05 failed.
  const figures = calibrationOf([
    {
      tenth: 7,
      count: 3,
      occurred: 2,
      probability_sum: "2100000000000",
      brier_sum: "670000000000",
      log_sum: "1917322692203",
    },
    {
      tenth: 0,
      count: 1,
      occurred: 0,
      probability_sum: "50000000000",
      brier_sum: "2500000000",
      log_sum: "51293294388",
    },
  ]);
  assertEquals(figures.count, 4);
  assertEquals(figures.brierScore, 0.168125);
  assertEquals(figures.logScore, 0.492154);
  assertEquals(figures.reliability[7]?.meanProbability, 0.7);
  assertEquals(figures.reliability[7]?.observedFrequency, 0.666667);
  assertEquals(figures.reliability[0]?.observedFrequency, 0);
});
