/** Analyses in fractions, directly from the definition. */

import { type Fraction, sumOf, ZERO } from "../../../support/fractions.ts";

/** Exact weights by criterion and scores by option. */
export interface Model {
  readonly criteria: readonly { readonly name: string; readonly weight: Fraction }[];
  readonly options: readonly { readonly option: string; readonly scores: readonly Fraction[] }[];
}

/** A change of one weight at which a challenger equals the leader. */
export interface ModelChange {
  readonly index: number;
  readonly challenger: string;
  readonly change: Fraction;
}

export function totalsOf({ criteria, options }: Model): Fraction[] {
  const sum = sumOf(criteria.map(({ weight }) => weight));
  const shares = criteria.map(({ weight }) => weight.over(sum));
  return options.map(({ scores }) =>
    sumOf(scores.map((score, index) => score.times(shares[index] ?? ZERO)))
  );
}

export function leadersOf(model: Model): string[] {
  const totals = totalsOf(model);
  return model.options
    .filter((_, index) => totals.every((total) => total.compare(totals[index] ?? ZERO) <= 0))
    .map(({ option }) => option);
}

/** With one weight changed; null if none is left or one is negative. */
export function withChange(model: Model, index: number, change: Fraction): Model | null {
  const criteria = model.criteria.map((criterion, at) =>
    at === index ? { ...criterion, weight: criterion.weight.plus(change) } : criterion
  );
  const isPossible = criteria.every(({ weight }) => weight.compare(ZERO) >= 0) &&
    criteria.some(({ weight }) => weight.compare(ZERO) > 0);
  return isPossible ? { ...model, criteria } : null;
}

/** Weights at which an option equals the leader: intersections of lines. */
export function crossings(model: Model, leader: string): ModelChange[] {
  const found = model.options.find(({ option }) => option === leader);
  return model.criteria.flatMap((_, index) =>
    model.options.flatMap(({ option: challenger, scores }) => {
      if (found === undefined || challenger === leader) return [];
      const slope = (scores[index] ?? ZERO).minus(found.scores[index] ?? ZERO);
      if (slope.compare(ZERO) === 0) return [];
      const distance = sumOf(
        model.criteria.map(({ weight }, at) =>
          weight.times((found.scores[at] ?? ZERO).minus(scores[at] ?? ZERO))
        ),
      );
      const change = distance.over(slope);
      return withChange(model, index, change) === null ? [] : [{ index, challenger, change }];
    })
  );
}
