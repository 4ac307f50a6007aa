/**
 * Simulation algorithm 1: how often each option is the best, if its value is a weighted sum of
 * uncertain factors.
 *
 * The same input gives the same figures, to the last bit, on every machine, forever, so that stored
 * results can be checked. Every operation is therefore IEEE 754 double arithmetic in a fixed order,
 * with only + − × ÷ and the square root; nothing is rounded. Any change of a figure is a new
 * algorithm, with a new number.
 */

import { normalQuantile } from "./normal_quantile.ts";
import { placeRanks } from "./order_statistics.ts";
import { RandomNumbers, stateOfSeed } from "./random_numbers.ts";

export const SIMULATION_ALGORITHM = 1;

export type Distribution =
  | { readonly distribution: "NORMAL"; readonly mean: number; readonly standardDeviation: number }
  | { readonly distribution: "UNIFORM"; readonly minimum: number; readonly maximum: number }
  | {
    readonly distribution: "TRIANGULAR";
    readonly minimum: number;
    readonly mode: number;
    readonly maximum: number;
  };

export type WeightedDistribution = Distribution & { readonly weight: number };

export interface SimulationInput {
  /** A whole number, 0 to 2⁵³ − 1. */
  readonly seed: number;
  /** At least 1. */
  readonly runs: number;
  readonly options: readonly (readonly WeightedDistribution[])[];
}

export interface OptionFigures {
  readonly mean: number;
  readonly standardDeviation: number;
  /** The value that 5 of 100 runs do not exceed; likewise the others. */
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  /** Share of runs in which the option was the best; equally good options share a run. */
  readonly probabilityBest: number;
}

/** Draws, or values, between two yields. */
const STEP = 4_096;

/**
 * Yields at least once per millisecond, so that it can be paused. Figures are in the order of the
 * options.
 */
export function* simulate(
  { seed, runs, options }: SimulationInput,
): Generator<void, OptionFigures[], void> {
  const random = new RandomNumbers(stateOfSeed(seed));
  const simulated: SimulatedOption[] = [];
  for (const factors of options) {
    simulated.push({
      factors: factors.map((factor) => ({ weight: factor.weight, sample: samplerOf(factor) })),
      values: new Float64Array(runs),
      bestShares: 0,
    });
    // The values of 50 options need 40 MB, whose allocation takes time.
    yield;
  }
  const draws = options.reduce((sum, factors) => sum + factors.length, 0);
  for (const [from, to] of ranges(runs, Math.ceil(STEP / draws))) {
    for (let run = from; run < to; run++) simulateRun(simulated, run, random);
    yield;
  }
  const figures: OptionFigures[] = [];
  for (const { values, bestShares } of simulated) {
    figures.push({ ...yield* summarise(values), probabilityBest: bestShares / runs });
  }
  return figures;
}

interface SimulatedOption {
  readonly factors: readonly {
    readonly weight: number;
    readonly sample: (u: number) => number;
  }[];
  readonly values: Float64Array;
  bestShares: number;
}

function simulateRun(
  options: readonly SimulatedOption[],
  run: number,
  random: RandomNumbers,
): void {
  let highest = -Infinity;
  let sharing = 0;
  for (const { factors, values } of options) {
    let value = 0;
    for (const { weight, sample } of factors) {
      value += weight * sample((random.next() + 0.5) / 4294967296);
    }
    values[run] = value;
    if (value > highest) {
      highest = value;
      sharing = 1;
    } else if (value === highest) {
      sharing++;
    }
  }
  const share = 1 / sharing;
  for (const option of options) {
    if (option.values[run] === highest) option.bestShares += share;
  }
}

/** Maps a probability between 0 and 1 to the quantity's value. */
function samplerOf(factor: Distribution): (u: number) => number {
  switch (factor.distribution) {
    case "NORMAL": {
      const { mean, standardDeviation } = factor;
      return (u) => mean + standardDeviation * normalQuantile(u);
    }
    case "UNIFORM": {
      const { minimum, maximum } = factor;
      const range = maximum - minimum;
      return (u) => minimum + range * u;
    }
    case "TRIANGULAR": {
      const { minimum, mode, maximum } = factor;
      const range = maximum - minimum;
      const left = mode - minimum;
      const right = maximum - mode;
      if (range === 0) return () => minimum;
      return (u) =>
        u * range < left
          ? minimum + Math.sqrt(u * range * left)
          : maximum - Math.sqrt((1 - u) * range * right);
    }
  }
}

/** Reorders the values. */
function* summarise(
  values: Float64Array,
): Generator<void, Omit<OptionFigures, "probabilityBest">, void> {
  const runs = values.length;
  let sum = 0;
  for (const [from, to] of ranges(runs, STEP)) {
    for (let run = from; run < to; run++) sum += values[run] as number;
    yield;
  }
  const mean = sum / runs;
  let squares = 0;
  for (const [from, to] of ranges(runs, STEP)) {
    for (let run = from; run < to; run++) {
      const deviation = (values[run] as number) - mean;
      squares += deviation * deviation;
    }
    yield;
  }
  const ranks = [5, 50, 95].map((percent) => Math.ceil(runs * percent / 100));
  yield* placeRanks(values, ranks);
  const [p5, p50, p95] = ranks.map((rank) => values[rank - 1] as number) as [
    number,
    number,
    number,
  ];
  return { mean, standardDeviation: Math.sqrt(squares / runs), p5, p50, p95 };
}

/** The ranges of at most `most` numbers from 0 to `end`, each without its upper bound. */
function* ranges(end: number, most: number): Generator<[number, number], void, void> {
  for (let from = 0; from < end; from += most) yield [from, Math.min(from + most, end)];
}
