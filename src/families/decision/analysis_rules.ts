import { newId } from "../../core/ids.ts";
import { isJsonObject } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { firstRevision, nextRevision, type NextRow } from "../../kit/root.ts";
import { isDangerousKey, JSON_CEILINGS } from "../../validate/json_limits.ts";
import { serialiseJson } from "../../validate/json_output.ts";
import {
  checkObject,
  describeObject,
  type InferObject,
  number,
  optional,
  revision,
  type Schema,
  string,
  Violations,
} from "../../validate/schema.ts";
import { comparisonKey, distinctTexts, isLongerThan } from "../../validate/text.ts";
import type { AnalysisColumns, AnalysisRow } from "./analysis.ts";
import {
  analyse,
  type Criterion,
  hasWeight,
  type ScoredOption,
  type Scores,
} from "./analysis_arithmetic.ts";
import { type DecisionRow, optionsOf } from "./decision.ts";

const CRITERIA = { minimum: 1, maximum: 20 } as const;
const MINIMUM_OPTIONS = 2;

/** The name is a key of the scores, so it has the same limit. */
const CRITERION = {
  name: string({ maximum: JSON_CEILINGS.keyCodePoints }),
  weight: number(0, 1_000),
};

const SCORE = number(0, 10);

const criteria: Schema<readonly Criterion[]> = {
  check(value, field, violations) {
    if (!Array.isArray(value)) return violations.add("field.type", field);
    if (value.length < CRITERIA.minimum || value.length > CRITERIA.maximum) {
      return violations.add("field.length", field);
    }
    return value.flatMap((criterion) =>
      isJsonObject(criterion)
        ? checkObject(CRITERION, criterion, violations)
        : violations.add("field.type", field) ?? []
    );
  },
  json: {
    type: "array",
    items: describeObject(CRITERION),
    minItems: CRITERIA.minimum,
    maxItems: CRITERIA.maximum,
  },
};

const scores: Schema<Scores> = {
  check(value, field, violations) {
    if (!isJsonObject(value)) return violations.add("field.type", field);
    const rows = Object.values(value);
    if (rows.length < MINIMUM_OPTIONS) violations.add("field.length", field);
    for (const row of rows) {
      if (!isJsonObject(row)) return violations.add("field.type", field);
      for (const score of Object.values(row)) SCORE.check(score, field, violations);
    }
    // If a score is invalid, it violated a rule, and the result is not used.
    return value as Scores;
  },
  json: {
    type: "object",
    description: "A score for each criterion, for at least two options, by their names.",
    additionalProperties: { type: "object", additionalProperties: SCORE.json },
  },
};

export const ANALYSIS_BODY = { criteria, scores };
export type AnalysisBody = InferObject<typeof ANALYSIS_BODY>;

export const REANALYSIS_BODY = {
  expectedRevision: revision,
  criteria: optional(criteria),
  scores: optional(scores),
};
type ReanalysisBody = InferObject<typeof REANALYSIS_BODY>;

export type AnalysedDecision = Pick<DecisionRow, "revision" | "options">;

/**
 * Checks that need no decision: names of criteria (unique, usable as a key), some weight, unique
 * options, and scores that match the criteria exactly if both are given.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
export function checkAnalysis({ criteria, scores }: Partial<AnalysisBody>): void {
  const violations = new Violations();
  if (criteria !== undefined) {
    const names = criteria.map(({ name }) => name);
    if (!areDistinct(names)) violations.add("field.repeated", "criteria");
    if (!names.every(isKey)) violations.add("criterion.not_a_key", "criteria");
    if (!hasWeight(criteria)) violations.add("analysis.without_weight", "criteria");
  }
  if (scores !== undefined && !areDistinct(Object.keys(scores))) {
    violations.add("field.repeated", "scores");
  }
  if (criteria !== undefined && scores !== undefined && !isComplete(criteria, scores)) {
    violations.add("analysis.scores_fit_criteria", "scores");
  }
  violations.throwIfAny();
}

/**
 * @throws ServiceError `PAYLOAD_INVALID` if a score names something that is not an option of the
 *   decision, or cannot be a key.
 */
export function decideAnalysis(
  decision: DecisionRow,
  body: AnalysisBody,
  now: Date,
): AnalysisRow {
  return {
    analysis_id: newId(now),
    decision_id: decision.decision_id,
    ...firstRevision(now),
    ...analysed(decision, body),
  };
}

/**
 * Checks and computes the whole analysis again, for the current options.
 *
 * @throws ServiceError `PAYLOAD_INVALID` as for a creation.
 */
export function decideReanalysis(
  before: AnalysisRow,
  sent: Omit<ReanalysisBody, "expectedRevision">,
  decision: AnalysedDecision,
  now: Date,
): NextRow<AnalysisRow, "MODIFIED"> {
  const body: AnalysisBody = {
    criteria: sent.criteria ?? JSON.parse(before.criteria),
    scores: sent.scores ?? JSON.parse(before.scores),
  };
  checkAnalysis(body);
  return nextRevision(before, "MODIFIED", now, analysed(decision, body));
}

function analysed(decision: AnalysedDecision, { criteria, scores }: AnalysisBody): AnalysisColumns {
  const figures = analyse(criteria, scoredOptions(optionsOf(decision), criteria, scores));
  return {
    decision_revision: decision.revision,
    criteria: serialiseJson(figures.criteria),
    scores: serialiseJson(figures.scores),
    totals: serialiseJson(figures.totals),
    ranking: serialiseJson(figures.ranking),
    sensitivity: figures.sensitivity && serialiseJson(figures.sensitivity),
  };
}

function scoredOptions(
  options: readonly string[],
  criteria: readonly Criterion[],
  scores: Scores,
): ScoredOption[] {
  const sent = byComparisonKey(scores);
  const scored = options.flatMap((option) => {
    const row = sent.get(comparisonKey(option));
    return row === undefined ? [] : { option, scores: scoresInOrder(criteria, row) };
  });
  if (scored.length < sent.size) throw payloadInvalid(["option.unknown"], ["scores"]);
  if (!scored.every(({ option }) => isKey(option))) {
    throw payloadInvalid(["option.not_a_key"], ["scores"]);
  }
  return scored;
}

function scoresInOrder(
  criteria: readonly Criterion[],
  row: Readonly<Record<string, number>>,
): number[] {
  const scores = byComparisonKey(row);
  return criteria.flatMap(({ name }) => scores.get(comparisonKey(name)) ?? []);
}

function isComplete(criteria: readonly Criterion[], scores: Scores): boolean {
  return Object.values(scores).every((row) =>
    Object.keys(row).length === criteria.length &&
    scoresInOrder(criteria, row).length === criteria.length
  );
}

function areDistinct(names: readonly string[]): boolean {
  return distinctTexts(names).length === names.length;
}

function byComparisonKey<Value>(members: Readonly<Record<string, Value>>): Map<string, Value> {
  return new Map(Object.entries(members).map(([name, value]) => [comparisonKey(name), value]));
}

function isKey(name: string): boolean {
  return !isDangerousKey(name) && !isLongerThan(name, JSON_CEILINGS.keyCodePoints);
}
