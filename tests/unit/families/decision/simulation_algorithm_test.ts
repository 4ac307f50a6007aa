import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  type Distribution,
  type OptionFigures,
  simulate,
  type SimulationInput,
  type WeightedDistribution,
} from "../../../../src/families/decision/simulation_algorithm.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

function figuresOf(input: SimulationInput): OptionFigures[] {
  const simulation = simulate(input);
  while (true) {
    const { done, value } = simulation.next();
    if (done) return value;
  }
}

Deno.test("Algorithm 1 gives the figures of its test vector, to the last bit", () => {
  const figures = figuresOf({
    seed: 42,
    runs: 1_000,
    options: [
      [{ weight: 1, distribution: "NORMAL", mean: 10, standardDeviation: 2 }],
      [
        { weight: 1, distribution: "UNIFORM", minimum: 0, maximum: 20 },
        { weight: 2, distribution: "TRIANGULAR", minimum: -1, mode: 0, maximum: 3 },
      ],
    ],
  });
  assertEquals(figures, [
    {
      mean: 10.096004254170277,
      standardDeviation: 2.0804563181031344,
      p5: 6.604955514441533,
      p50: 10.166144735664709,
      p95: 13.570202706914781,
      probabilityBest: 0.411,
    },
    {
      mean: 11.541713728633107,
      standardDeviation: 5.9406997412605556,
      p5: 1.9331349224053742,
      p50: 11.619451763214858,
      p95: 20.685104017699036,
      probabilityBest: 0.589,
    },
  ]);
});

Deno.test("Options of equal value share a run", () => {
  const constant = (value: number): WeightedDistribution[] => [
    { weight: 1, distribution: "UNIFORM", minimum: value, maximum: value },
  ];
  const figures = figuresOf({ seed: 7, runs: 100, options: [5, 3, 5, 5].map(constant) });
  const third = Array.from({ length: 100 }).reduce<number>((sum) => sum + 1 / 3, 0) / 100;
  assertEquals(figures.map((figure) => figure.probabilityBest), [third, 0, third, third]);
});

Deno.test("A constant option has its value in every figure", () => {
  const certain: [Distribution, number][] = [
    [{ distribution: "NORMAL", mean: 3, standardDeviation: 0 }, 3],
    [{ distribution: "UNIFORM", minimum: -4, maximum: -4 }, -4],
    [{ distribution: "TRIANGULAR", minimum: 1e12, mode: 1e12, maximum: 1e12 }, 1e12],
  ];
  for (const [distribution, value] of certain) {
    const options = [[{ ...distribution, weight: -2 }], [{ ...distribution, weight: 0 }]];
    const [first, second] = figuresOf({ seed: 1, runs: 16, options });
    const mean = -2 * value;
    const same = { mean, standardDeviation: 0, p5: mean, p50: mean, p95: mean };
    assertEquals(first, { ...same, probabilityBest: value < 0 ? 1 : 0 });
    const zero = { mean: 0, standardDeviation: 0, p5: 0, p50: 0, p95: 0 };
    assertEquals(second, { ...zero, probabilityBest: value < 0 ? 0 : 1 });
  }
});

Deno.test("A single run is each of its percentiles", () => {
  const factor = { weight: 1, distribution: "UNIFORM", minimum: 0, maximum: 1 } as const;
  for (
    const { mean, standardDeviation, p5, p50, p95 } of figuresOf({
      seed: 3,
      runs: 1,
      options: [[factor], [factor]],
    })
  ) {
    assertEquals([standardDeviation, p5, p50, p95], [0, mean, mean, mean]);
  }
});

Deno.test("Figures match the written algorithm bit by bit", () => {
  const random = seededRandom(1_616);
  for (let round = 0; round < 60; round++) {
    const input = randomInput(random);
    const figures = figuresOf(input);
    for (const [index, expected] of plainFigures(input).entries()) {
      for (const [name, value] of Object.entries(expected)) {
        const actual = figures[index]?.[name as keyof OptionFigures];
        assertStrictEquals(actual, value, `round ${round}, option ${index}, ${name}`);
      }
    }
  }
});

Deno.test("A simulation yields often, also while it sums and sorts", () => {
  const factor = { weight: 1, distribution: "NORMAL", mean: 0, standardDeviation: 1 } as const;
  const options = Array.from({ length: 50 }, () => [factor]);
  const simulation = simulate({ seed: 0, runs: 20_000, options });
  let steps = 0;
  while (!simulation.next().done) steps++;
  // A million draws, and per option two sums over 20,000 values and percentiles.
  assert(steps >= 1_000_000 / 4_096 + 50 * (2 * 20_000 / 4_096 + 3), `${steps} steps`);
});

function randomInput(random: Random): SimulationInput {
  const seed = random.pick([0, 1, 2 ** 32, 2 ** 53 - 1, Math.floor(random.next() * 2 ** 53)]);
  const runs = random.pick([
    1,
    2,
    19,
    20,
    21,
    random.integer(1, 400),
    random.integer(4_000, 5_000),
  ]);
  const many = runs > 400 ? 3 : 6;
  const options = Array.from(
    { length: random.integer(2, many) },
    () => Array.from({ length: random.integer(1, many) }, () => randomFactor(random)),
  );
  // A repeated option differs only by its draws.
  return { seed, runs, options: random.chance(0.2) ? [...options, ...options] : options };
}

function randomFactor(random: Random): WeightedDistribution {
  const scale = random.pick([0, 5e-324, 1e-160, 0.001, 1, 1_000, 1e12]);
  const value = () => random.chance(0.1) ? 0 : (random.next() * 2 - 1) * scale;
  const weight = random.pick([0, 1, -1, 1e6, -1e6, random.next() * 2 - 1]);
  const [minimum, mode, maximum] = [value(), value(), value()].sort((one, two) => one - two) as [
    number,
    number,
    number,
  ];
  return random.pick<WeightedDistribution>([
    { weight, distribution: "NORMAL", mean: value(), standardDeviation: Math.abs(value()) },
    { weight, distribution: "UNIFORM", minimum, maximum },
    { weight, distribution: "TRIANGULAR", minimum, mode, maximum },
    { weight, distribution: "TRIANGULAR", minimum, mode: minimum, maximum },
    { weight, distribution: "TRIANGULAR", minimum, mode: maximum, maximum },
    { weight, distribution: "TRIANGULAR", minimum: mode, mode, maximum: mode },
  ]);
}

/** As plainly as possible: big integers, lists, sorting. */
function plainFigures({ seed, runs, options }: SimulationInput): OptionFigures[] {
  const next = plainGenerator(seed);
  const values: number[][] = options.map(() => []);
  const shares = options.map(() => 0);
  for (let run = 0; run < runs; run++) {
    for (const [index, factors] of options.entries()) {
      let v = 0;
      for (const factor of factors) {
        const u = (Number(next()) + 0.5) / 4294967296;
        v = v + factor.weight * plainSample(factor, u);
      }
      values[index]?.push(v);
    }
    const ofRun = values.map((ofOption) => ofOption[run] ?? NaN);
    const best = Math.max(...ofRun);
    const k = ofRun.filter((value) => value === best).length;
    for (const [index, value] of ofRun.entries()) {
      if (value === best) shares[index] = (shares[index] ?? NaN) + 1 / k;
    }
  }
  return values.map((ofOption, index) => {
    const mean = ofOption.reduce((sum, v) => sum + v, 0) / runs;
    const squares = ofOption.reduce((sum, v) => sum + (v - mean) * (v - mean), 0);
    const ascending = ofOption.toSorted((one, two) => one - two);
    const percentile = (p: number) => ascending[Math.ceil(runs * p / 100) - 1] ?? NaN;
    return {
      mean,
      standardDeviation: Math.sqrt(squares / runs),
      p5: percentile(5),
      p50: percentile(50),
      p95: percentile(95),
      probabilityBest: (shares[index] ?? NaN) / runs,
    };
  });
}

/** xoshiro128** 1.1, seeded by SplitMix64. */
function plainGenerator(seed: number): () => bigint {
  const word = (value: bigint) => BigInt.asUintN(32, value);
  const rotated = (value: bigint, by: bigint) => word((value << by) | (value >> (32n - by)));
  let counter = BigInt(seed);
  const s = [0, 1].flatMap(() => {
    counter = BigInt.asUintN(64, counter + 0x9e3779b97f4a7c15n);
    let z = counter;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    z = z ^ (z >> 31n);
    return [word(z), z >> 32n];
  }) as [bigint, bigint, bigint, bigint];
  return () => {
    const result = word(rotated(word(s[1] * 5n), 7n) * 9n);
    const t = word(s[1] << 9n);
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 11n);
    return result;
  };
}

function plainSample(factor: Distribution, u: number): number {
  if (factor.distribution === "UNIFORM") {
    const { minimum, maximum } = factor;
    return minimum + (maximum - minimum) * u;
  }
  if (factor.distribution === "TRIANGULAR") {
    const { minimum, mode, maximum } = factor;
    const range = maximum - minimum;
    const left = mode - minimum;
    if (range === 0) return minimum;
    if (u * range < left) return minimum + Math.sqrt(u * range * left);
    return maximum - Math.sqrt((1 - u) * range * (maximum - mode));
  }
  return factor.mean + factor.standardDeviation * plainQuantile(u);
}

const A =
  "2509.0809287301226727 33430.575583588128105 67265.770927008700853 45921.953931549871457 " +
  "13731.693765509461125 1971.5909503065514427 133.14166789178437745 3.387132872796366608";
const B = "5226.495278852854561 28729.085735721942674 39307.89580009271061 21213.794301586595867 " +
  "5394.1960214247511077 687.1870074920579083 42.313330701600911252 1";
const C = "7.7454501427834140764e-4 0.0227238449892691845833 0.24178072517745061177 " +
  "1.27045825245236838258 3.64784832476320460504 5.7694972214606914055 4.6303378461565452959 " +
  "1.42343711074968357734";
const D = "1.05075007164441684324e-9 5.475938084995344946e-4 0.0151986665636164571966 " +
  "0.14810397642748007459 0.68976733498510000455 1.6763848301838038494 2.05319162663775882187 1";

/** AS 241 with coefficients from text. */
function plainQuantile(u: number): number {
  const horner = (coefficients: string, r: number) =>
    coefficients.split(" ").map(Number).reduce((sum, coefficient) => sum * r + coefficient);
  const q = u - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return q * horner(A, r) / horner(B, r);
  }
  const r = Math.sqrt(plainNegativeLogarithm(u < 0.5 ? u : 1 - u)) - 1.6;
  const z = horner(C, r) / horner(D, r);
  return q < 0 ? -z : z;
}

function plainNegativeLogarithm(p: number): number {
  let [m, e] = [p, 0];
  while (m < 0.7071067811865476) [m, e] = [m * 2, e + 1];
  const t = (m - 1) / (m + 1);
  const s = t * t;
  let h = 1 / 23;
  for (let k = 21; k >= 1; k -= 2) h = h * s + 1 / k;
  return e * 0.6931471805599453 - 2 * t * h;
}
