/** Adds sample decisions, with the schemas and rules of requests. */

import { DECISION } from "../../catalog/modules/decision.ts";
import type { CommandResult } from "../../command/command.ts";
import { ANALYSES } from "../../families/decision/analysis.ts";
import {
  ANALYSIS_BODY,
  checkAnalysis,
  decideAnalysis,
} from "../../families/decision/analysis_rules.ts";
import {
  COUNTERFACTUAL_BODY,
  COUNTERFACTUALS,
  decideCounterfactual,
} from "../../families/decision/counterfactual.ts";
import { DECISION_FIELDS } from "../../families/decision/decision.ts";
import { decideOutcome, OUTCOME_BODY } from "../../families/decision/outcome.ts";
import { lockPrediction, OUTCOMES } from "../../families/decision/outcome_store.ts";
import {
  decidePrediction,
  PREDICTION_BODY,
  PREDICTIONS,
} from "../../families/decision/prediction.ts";
import { decideCreate } from "../../families/decision/decision_rules.ts";
import { STORED_SIMULATIONS } from "../../families/decision/simulation.ts";
import { type OptionFigures, simulate } from "../../families/decision/simulation_algorithm.ts";
import { SimulationQueue } from "../../families/decision/simulation_queue.ts";
import { checkSimulation, decideSimulation } from "../../families/decision/simulation_rules.ts";
import { SIMULATION_BODY } from "../../families/decision/simulation_schema.ts";
import { decisionsFrom, type DecisionTypes } from "../../families/decision/decision_store.ts";
import { fieldsBody, patchRoute } from "../../kit/fields.ts";
import {
  createRoot,
  createRootBelow,
  type Root,
  type RootCreationBelow,
  type RootResult,
  type RootTypes,
} from "../../kit/write.ts";
import { readBody } from "../../validate/schema.ts";
import type { Life, SampleDecision } from "./sample.ts";
import type { Seeding } from "./seeding.ts";
import { archiveSeeded, patchSeeded, type SeededRoot, stepCommand } from "./steps.ts";

const DECISIONS = decisionsFrom("SEED").root;
const PATCH = patchRoute(DECISIONS.idOf, DECISION_FIELDS);

type SeededDecision = SeededRoot<DecisionTypes>;

/** Also creates the decision's entries and later revisions; yields each creation's outcome. */
export async function* seedDecision(
  seeding: Seeding,
  life: Life,
  sample: SampleDecision,
): AsyncGenerator<CommandResult<unknown>, void, void> {
  const { name, changes = [] } = sample;
  const command = stepCommand({ seeding, name }, DECISIONS, "", "create");
  const body = readBody(fieldsBody(DECISION), life.fill(sample.decision));
  const made = await createRoot(seeding, DECISIONS, command, {
    decide: () => decideCreate(body, command.now),
  });
  yield made;
  const key = { decisionId: made.id };
  const decision: SeededDecision = { seeding, root: DECISIONS, name, key };
  yield* seedWeighing(decision, life, sample);
  for (const [index, set] of changes.entries()) {
    await patchSeeded(decision, PATCH, index + 2, life.fill(set));
  }
  yield* seedExperience(decision, life, sample);
  if (sample.archived) await archiveSeeded(decision);
}

async function* seedWeighing(
  decision: SeededDecision,
  life: Life,
  { analyses = [], simulations = [], counterfactuals = [] }: SampleDecision,
): AsyncGenerator<CommandResult<unknown>, void, void> {
  for (const [index, sent] of analyses.entries()) {
    const body = readBody(ANALYSIS_BODY, life.fill(sent));
    yield await createBelow(decision, ANALYSES, "analysis", index, (now) => ({
      check: () => checkAnalysis(body),
      decide: (decision) => decideAnalysis(decision, body, now),
    }));
  }
  for (const [index, sent] of simulations.entries()) {
    const body = readBody(SIMULATION_BODY, life.fill(sent));
    yield await createBelow(decision, STORED_SIMULATIONS.root, "simulation", index, (now) => ({
      check: () => checkSimulation(body),
      prepare: () => {
        const options = body.options.map(({ factors }) => factors);
        return new SimulationQueue().run(simulate({ ...body, options }));
      },
      decide: (decision, _, figures: readonly OptionFigures[]) =>
        decideSimulation(decision, body, figures, now),
    }));
  }
  for (const [index, sent] of counterfactuals.entries()) {
    const body = readBody(COUNTERFACTUAL_BODY, life.fill(sent));
    yield await createBelow(decision, COUNTERFACTUALS, "counterfactual", index, (now) => ({
      decide: (decision) => decideCounterfactual(decision, body, now),
    }));
  }
}

async function* seedExperience(
  decision: SeededDecision,
  life: Life,
  { predictions = [], outcomes = [] }: SampleDecision,
): AsyncGenerator<CommandResult<unknown>, void, void> {
  const known = outcomes.map((outcome) => life.fill(outcome));
  for (const [index, { prediction, outcome }] of predictions.entries()) {
    const body = readBody(PREDICTION_BODY, life.fill(prediction));
    const made = await createBelow(decision, PREDICTIONS, "prediction", index, (now) => ({
      decide: (decision) => decidePrediction(decision, body, now),
    }));
    yield made;
    if (outcome !== undefined) known.push({ ...life.fill(outcome), predictionId: made.id });
  }
  const owner = decision.seeding.caller.account.accountId;
  for (const [index, sent] of known.entries()) {
    const body = readBody(OUTCOME_BODY, sent);
    yield await createBelow(decision, OUTCOMES, "outcome", index, (now) => ({
      related: (sql, decision) => lockPrediction(sql, owner, decision, body),
      decide: (decision, predictions) => decideOutcome(decision, body, predictions, now),
    }));
  }
}

type Creation<T extends RootTypes, Related, Prepared> = Omit<
  RootCreationBelow<DecisionTypes, T, Related, Prepared>,
  "key"
>;

async function createBelow<T extends RootTypes, Related, Prepared>(
  decision: SeededDecision,
  root: Root<T>,
  kind: string,
  index: number,
  creation: (now: Date) => Creation<T, Related, Prepared>,
): Promise<RootResult<T["shown"]>> {
  const { seeding, key } = decision;
  const command = stepCommand(decision, root, `/${kind} ${index + 1}`, `${kind}.create`);
  return await createRootBelow(seeding, DECISIONS, root, command, {
    key,
    ...creation(command.now),
  });
}
