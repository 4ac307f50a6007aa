/**
 * Exact arithmetic of an analysis (DEC-002): weighted totals, and how much one weight may change
 * before another option leads.
 *
 * Weights and scores are counted in millionths; everything else is whole numbers and quotients. No
 * figure is computed from a rounded one. Each is rounded half up to six decimals, also below 0
 * (towards the greater number), so that weight and change always add up to the critical weight.
 */

import { fromMillionths, millionthsOf, roundedQuotient } from "../../core/millionths.ts";

export interface Criterion {
  readonly name: string;
  /** Not negative. */
  readonly weight: number;
}

export interface ScoredOption {
  readonly option: string;
  /** One per criterion, in their order; not negative. */
  readonly scores: readonly number[];
}

interface WeighedCriterion extends Criterion {
  readonly normalisedWeight: number;
}

export type Scores = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface Total {
  readonly option: string;
  readonly total: number;
}

interface RankedTotal extends Total {
  readonly rank: number;
}

/** The smallest change of one weight that lets a challenger reach the leading option. */
interface Sensitivity {
  readonly criterion: string;
  readonly weight: number;
  /** The weight after the change. */
  readonly criticalWeight: number;
  readonly change: number;
  readonly challenger: string;
}

/** Result of an analysis, with weights and scores as computed: with six decimals. */
export interface AnalysisFigures {
  readonly criteria: readonly WeighedCriterion[];
  readonly scores: Scores;
  readonly totals: readonly Total[];
  /**
   * Best first. Equal totals share a rank and keep their order; the following ranks are skipped.
   */
  readonly ranking: readonly RankedTotal[];
  /** Null if several options lead, or no change of one weight lets another reach the leader. */
  readonly sensitivity: Sensitivity | null;
}

interface Weighed {
  readonly name: string;
  readonly weight: bigint;
}

/** Scores in millionths, and the sum of their products with the weights. */
interface Rated {
  readonly option: string;
  readonly scores: readonly bigint[];
  readonly points: bigint;
}

/** A change of a weight by `gap / step` millionths; both are greater than 0. */
interface Change {
  readonly weighed: Weighed;
  readonly challenger: string;
  readonly rises: boolean;
  readonly gap: bigint;
  readonly step: bigint;
}

/** Whether any weight is above 0 when rounded to six decimals. */
export function hasWeight(criteria: readonly Criterion[]): boolean {
  return criteria.some(({ weight }) => millionthsOf(weight) > 0n);
}

/**
 * @param criteria Their names differ, and at least one weight is above 0 (`hasWeight`).
 * @param options At least one option; all differ.
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
  // The first of equal changes wins.
  const [first, ...further] = changes;
  if (first === undefined) return null;
  return toSensitivity(
    further.reduce((least, next) => isSmaller(next, least) ? next : least, first),
  );
}

/** Null if there is no such change, or if the weight would become negative or all weights 0. */
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
