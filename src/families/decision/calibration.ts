/**
 * Figures of the calibration (DEC-006): how well the owner's probabilities matched the outcomes.
 */

import { fromMillionths, roundedQuotient } from "../../core/millionths.ts";

/** The number of equal ranges of probability. The last one includes 1. */
const TENTHS = 10;

/**
 * Sums over the judged predictions of one tenth, as texts of whole numbers, so that the order does
 * not matter and no sum is too large. Sums of probabilities and scores are in units of 10⁻¹².
 */
export interface TenthSums {
  /** 0 to 9. */
  readonly tenth: number;
  readonly count: number;
  /** How many of the predicted events occurred. */
  readonly occurred: number;
  readonly probability_sum: string;
  /** Sum of (probability − outcome)²; the outcome is 1 or 0. */
  readonly brier_sum: string;
  /** Sum of −ln of the probability of the actual outcome. */
  readonly log_sum: string;
}

interface Reliability {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Null without predictions, like the observed frequency. */
  readonly meanProbability: number | null;
  readonly observedFrequency: number | null;
}

export interface Calibration {
  readonly count: number;
  /** Null without predictions, like the log score. */
  readonly brierScore: number | null;
  readonly logScore: number | null;
  readonly reliability: readonly Reliability[];
}

/**
 * Computes the figures, with six decimals.
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

/** Units of the sums per 1, and per millionth. */
const UNIT = 1_000_000_000_000n;
const UNITS_IN_A_MILLIONTH = 1_000_000n;

/** Mean with six decimals, rounded half up; null if `count` is 0. */
function mean(sum: bigint, count: number): number | null {
  if (count === 0) return null;
  return fromMillionths(roundedQuotient(sum, BigInt(count) * UNITS_IN_A_MILLIONTH));
}
