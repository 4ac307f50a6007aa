/**
 * The arithmetic of an analysis (DEC-002): the total of weights and scores, and how much one weight may
 * change before another option leads.
 *
 * It is exact. Weights and scores have six decimals and are counted in millionths; everything after that is
 * whole numbers and their quotients. Each figure of the result is such a quotient, rounded half up to six
 * decimals; none is computed from a rounded one. Half up applies below 0 as well, towards the greater
 * number, so that weight and change always add up to the critical weight.
 */

import { fromMillionths, millionthsOf, roundedQuotient } from "../../core/millionths.ts";

/** A criterion for options, and its weight. */
export interface Criterion {
  readonly name: string;
  /** Not negative. */
  readonly weight: number;
}

/** An option and its scores. */
export interface ScoredOption {
  readonly option: string;
  /** One per criterion, in their order; none is negative. */
  readonly scores: readonly number[];
}

/** A criterion with its share of all weights. */
export interface WeighedCriterion extends Criterion {
  readonly normalisedWeight: number;
}

/** The scores of options, by the names of option and criterion. */
export type Scores = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The mean of an option's scores, by the weights. */
export interface Total {
  readonly option: string;
  readonly total: number;
}

/** A total with its place; 1 is the first. */
export interface RankedTotal extends Total {
  readonly rank: number;
}

/** The smallest change of one weight that lets a challenger reach the leading option. */
export interface Sensitivity {
  readonly criterion: string;
  readonly weight: number;
  /** The weight with the change. */
  readonly criticalWeight: number;
  /** Negative if the weight decreases. */
  readonly change: number;
  readonly challenger: string;
}

/** The result of an analysis. Weights and scores have six decimals, as used in the computation. */
export interface AnalysisFigures {
  readonly criteria: readonly WeighedCriterion[];
  readonly scores: Scores;
  /** In the order of the options. */
  readonly totals: readonly Total[];
  /** The best first. Equal totals share a rank and keep their order; the following ranks are skipped. */
  readonly ranking: readonly RankedTotal[];
  /** Null if several options lead, or if no change of one weight lets another reach the leader. */
  readonly sensitivity: Sensitivity | null;
}

/** A criterion with its weight in millionths. */
interface Weighed {
  readonly name: string;
  readonly weight: bigint;
}

/** An option with its scores in millionths, and the sum of their products with the weights. */
interface Rated {
  readonly option: string;
  readonly scores: readonly bigint[];
  readonly points: bigint;
}

/** A change of a weight by `gap / step` millionths, both of them greater than 0. */
interface Change {
  readonly weighed: Weighed;
  readonly challenger: string;
  readonly rises: boolean;
  readonly gap: bigint;
  readonly step: bigint;
}

/** Whether any weight is left when all count to six decimals. */
export function hasWeight(criteria: readonly Criterion[]): boolean {
  return criteria.some(({ weight }) => millionthsOf(weight) > 0n);
}

/**
 * Computes an analysis.
 *
 * @param criteria Of different names, and with weight (`hasWeight`).
 * @param options At least one; all different.
 */
export function analyse(
  criteria: readonly Criterion[],
  options: readonly ScoredOption[],
): AnalysisFigures {
  const weighed = criteria.map(({ name, weight }) => ({ name, weight: millionthsOf(weight) }));
  const sum = weighed.reduce((sum, { weight }) => sum + weight, 0n);
  const rated = options.map((option) => rate(option, weighed));
  const totalOf = ({ option, points }: Rated): Total => ({
    option,
    total: fromMillionths(roundedQuotient(points, sum)),
  });
  const rankOf = ({ points }: Rated) => 1 + rated.filter((other) => other.points > points).length;
  const ranked = rated.toSorted(byPoints);
  return {
    criteria: weighed.map(({ name, weight }) => ({
      name,
      weight: fromMillionths(weight),
      normalisedWeight: fromMillionths(roundedQuotient(weight * 1_000_000n, sum)),
    })),
    scores: Object.fromEntries(
      rated.map((option) => [option.option, namedScores(option, weighed)]),
    ),
    totals: rated.map(totalOf),
    ranking: ranked.map((option) => ({ rank: rankOf(option), ...totalOf(option) })),
    sensitivity: sensitivityOf(weighed, sum, rated),
  };
}

function rate({ option, scores: sent }: ScoredOption, weighed: readonly Weighed[]): Rated {
  const scores = sent.map(millionthsOf);
  const points = weighed.reduce((sum, { weight }, at) => sum + weight * scoreAt(scores, at), 0n);
  return { option, scores, points };
}

function scoreAt(scores: readonly bigint[], at: number): bigint {
  const score = scores[at];
  if (score === undefined) throw new RangeError("Cannot analyse an option that lacks a score");
  return score;
}

function namedScores({ scores }: Rated, weighed: readonly Weighed[]): Record<string, number> {
  return Object.fromEntries(
    weighed.map(({ name }, at) => [name, fromMillionths(scoreAt(scores, at))]),
  );
}

/** Highest total first; equal totals keep their order. */
function byPoints(one: Rated, other: Rated): number {
  if (one.points === other.points) return 0;
  return one.points > other.points ? -1 : 1;
}

function sensitivityOf(
  weighed: readonly Weighed[],
  sum: bigint,
  rated: readonly Rated[],
): Sensitivity | null {
  const [leader, second] = rated.toSorted(byPoints);
  if (leader === undefined || leader.points === second?.points) return null;
  const others = rated.filter((option) => option !== leader);
  const changes = weighed.flatMap((criterion, at) =>
    others.flatMap((challenger) => changeBetween(leader, challenger, criterion, at, sum) ?? [])
  );
  // Of equal changes the first one wins: criteria and options are in their order.
  const [first, ...further] = changes;
  if (first === undefined) return null;
  return toSensitivity(
    further.reduce((least, next) => isSmaller(next, least) ? next : least, first),
  );
}

/**
 * The change of one weight that brings the challenger's total to the leader's; null if none does, or if it
 * would make the weight negative or all weights 0.
 */
function changeBetween(
  leader: Rated,
  challenger: Rated,
  weighed: Weighed,
  at: number,
  sum: bigint,
): Change | null {
  const gap = leader.points - challenger.points;
  const lead = scoreAt(leader.scores, at) - scoreAt(challenger.scores, at);
  if (lead === 0n) return null;
  const common = { weighed, challenger: challenger.option, gap };
  if (lead < 0n) return { ...common, rises: true, step: -lead };
  const isPossible = gap <= weighed.weight * lead && gap < sum * lead;
  return isPossible ? { ...common, rises: false, step: lead } : null;
}

function isSmaller(one: Change, other: Change): boolean {
  return one.gap * other.step < other.gap * one.step;
}

function toSensitivity({ weighed, challenger, rises, gap, step }: Change): Sensitivity {
  const { name, weight } = weighed;
  const change = rises ? gap : -gap;
  return {
    criterion: name,
    weight: fromMillionths(weight),
    criticalWeight: fromMillionths(roundedQuotient(weight * step + change, step)),
    change: fromMillionths(roundedQuotient(change, step)),
    challenger,
  };
}
