/** The figures of the calibration (DEC-006): how well the owner's probabilities met what happened. */

import { fromMillionths, roundedQuotient } from "../../core/millionths.ts";

/** How many equal parts the probabilities are divided into. The last one includes its end. */
export const TENTHS = 10;

/**
 * The sums over all judged predictions whose probability is in one tenth, as texts of whole numbers: those
 * of probabilities and scores are in units of 10⁻¹². Whole numbers add up to the same sum in any order, and
 * no sum is too large for them.
 */
export interface TenthSums {
  /** 0 to 9. */
  readonly tenth: number;
  /** The predictions. */
  readonly count: number;
  /** The predictions whose event occurred. */
  readonly occurred: number;
  readonly probability_sum: string;
  /** Sum of the squared differences between the probability and the outcome, which is 1 or 0. */
  readonly brier_sum: string;
  /** Sum of the negative logarithms of the probability of the actual outcome. */
  readonly log_sum: string;
}

/** The predictions of one tenth. */
export interface Reliability {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Null, like the observed frequency, if there are none. */
  readonly meanProbability: number | null;
  readonly observedFrequency: number | null;
}

/** How well predictions met their outcomes. The figures have six decimals. */
export interface Calibration {
  /** The predictions that have an outcome. */
  readonly count: number;
  /** Null, like the log score, if there are none. */
  readonly brierScore: number | null;
  readonly logScore: number | null;
  /** One entry for each tenth of the probabilities, in their order. */
  readonly reliability: readonly Reliability[];
}

/**
 * Computes the figures from sums.
 *
 * @param sums At most one per tenth, in any order; a missing one has no predictions.
 */
export function calibrationOf(sums: readonly TenthSums[]): Calibration {
  const count = sums.reduce((all, tenth) => all + tenth.count, 0);
  const meanOf = (name: "brier_sum" | "log_sum") =>
    mean(sums.reduce((all, tenth) => all + BigInt(tenth[name]), 0n), count);
  return {
    count,
    brierScore: meanOf("brier_sum"),
    logScore: meanOf("log_sum"),
    reliability: Array.from({ length: TENTHS }, (_, tenth) => ({
      from: tenth / TENTHS,
      to: (tenth + 1) / TENTHS,
      ...reliabilityOf(sums.find((candidate) => candidate.tenth === tenth)),
    })),
  };
}

function reliabilityOf(sums: TenthSums | undefined): Omit<Reliability, "from" | "to"> {
  if (sums === undefined) return { count: 0, meanProbability: null, observedFrequency: null };
  const { count, occurred, probability_sum } = sums;
  return {
    count,
    meanProbability: mean(BigInt(probability_sum), count),
    observedFrequency: mean(BigInt(occurred) * UNIT, count),
  };
}

/** How many units of the sums make 1, and how many make a millionth. */
const UNIT = 1_000_000_000_000n;
const UNITS_IN_A_MILLIONTH = 1_000_000n;

/** The mean with six decimals, rounded half up; null of nothing. */
function mean(sum: bigint, count: number): number | null {
  if (count === 0) return null;
  return fromMillionths(roundedQuotient(sum, BigInt(count) * UNITS_IN_A_MILLIONTH));
}
