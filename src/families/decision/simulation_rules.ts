import { newId } from "../../core/ids.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { firstRevision } from "../../kit/root.ts";
import { serialiseJson } from "../../validate/json_output.ts";
import { Violations } from "../../validate/schema.ts";
import { comparisonKey, distinctTexts } from "../../validate/text.ts";
import { type DecisionRow, optionsOf } from "./decision.ts";
import type { SimulationRow } from "./simulation.ts";
import { type OptionFigures, SIMULATION_ALGORITHM } from "./simulation_algorithm.ts";
import type { Factor, SimulationBody } from "./simulation_schema.ts";

/** Maximum number of runs × factors of all options. */
const MAX_DRAWS = 5_000_000;

/**
 * Checks that need no decision: repeated options or factors, parameters out of order, too much
 * work.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
export function checkSimulation({ runs, options }: SimulationBody): void {
  const violations = new Violations();
  if (!areDistinct(options.map(({ option }) => option))) {
    violations.add("field.repeated", "options");
  }
  for (const { factors } of options) {
    if (!areDistinct(factors.map(({ name }) => name))) violations.add("field.repeated", "factors");
    for (const factor of factors) checkOrder(factor, violations);
  }
  violations.throwIfAny();
  const draws = options.reduce((sum, { factors }) => sum + runs * factors.length, 0);
  if (draws <= MAX_DRAWS) return;
  throw new ServiceError("PAYLOAD_INVALID", {
    details: { rules: ["simulation.draws"], fields: ["runs", "factors"], limit: MAX_DRAWS },
  });
}

function areDistinct(names: readonly string[]): boolean {
  return distinctTexts(names).length === names.length;
}

function checkOrder(factor: Factor, violations: Violations): void {
  if (factor.distribution === "NORMAL") return;
  const { minimum, maximum } = factor;
  if (minimum > maximum) {
    violations.add("range.order", "minimum");
    violations.add("range.order", "maximum");
  } else if (factor.distribution === "TRIANGULAR") {
    if (factor.mode < minimum || factor.mode > maximum) violations.add("range.order", "mode");
  }
}

/**
 * Returns the options in the decision's spelling, in the order sent.
 *
 * @throws ServiceError `PAYLOAD_INVALID` if one is not an option of the decision.
 */
export function spellOptions(
  decision: Pick<DecisionRow, "options">,
  options: SimulationBody["options"],
): SimulationBody["options"] {
  const spellings = new Map(optionsOf(decision).map((option) => [comparisonKey(option), option]));
  return options.map((sent) => {
    const option = spellings.get(comparisonKey(sent.option));
    if (option === undefined) throw payloadInvalid(["option.unknown"], ["option"]);
    return { ...sent, option };
  });
}

/**
 * @param figures One for each option sent.
 * @throws ServiceError `PAYLOAD_INVALID` if the decision has lost one of the options since.
 */
export function decideSimulation(
  decision: DecisionRow,
  { seed, runs, options }: SimulationBody,
  figures: readonly OptionFigures[],
  now: Date,
): SimulationRow {
  const spelt = spellOptions(decision, options);
  return {
    simulation_id: newId(now),
    decision_id: decision.decision_id,
    ...firstRevision(now),
    decision_revision: decision.revision,
    algorithm: SIMULATION_ALGORITHM,
    seed,
    runs,
    options: serialiseJson(spelt),
    results: serialiseJson(spelt.map(({ option }, index) => ({ option, ...figures[index] }))),
  };
}
