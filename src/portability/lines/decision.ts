import { ANALYSIS } from "../../families/decision/analysis.ts";
import { COUNTERFACTUAL } from "../../families/decision/counterfactual.ts";
import { DECISION_ROOT } from "../../families/decision/decision.ts";
import { OUTCOME } from "../../families/decision/outcome.ts";
import { PREDICTION } from "../../families/decision/prediction.ts";
import { SIMULATION } from "../../families/decision/simulation.ts";
import { declaredRoot, projectedAs } from "../description.ts";

export const DECISION_LINES = declaredRoot("decision", DECISION_ROOT, {
  projection: projectedAs("decision"),
});
export const ANALYSIS_LINES = declaredRoot("analysis", ANALYSIS);
export const PREDICTION_LINES = declaredRoot("prediction", PREDICTION);
export const OUTCOME_LINES = declaredRoot("outcome", OUTCOME);
export const COUNTERFACTUAL_LINES = declaredRoot("counterfactual", COUNTERFACTUAL);
export const SIMULATION_LINES = declaredRoot("simulation", SIMULATION);
