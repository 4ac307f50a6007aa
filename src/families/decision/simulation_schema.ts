import { FIELD_LIMITS } from "../../catalog/field_types.ts";
import { isJsonObject } from "../../core/json.ts";
import {
  arrayOf,
  type InferObject,
  integer,
  number,
  object,
  oneOf,
  type Schema,
  string,
} from "../../validate/schema.ts";
import type { WeightedDistribution } from "./simulation_algorithm.ts";

/** An uncertain quantity, and its weight for an option. */
export type Factor = WeightedDistribution & { readonly name: string };

const quantity = number(-1e12, 1e12);
const common = { name: string({ maximum: 200 }), weight: number(-1e6, 1e6) };

const FACTORS = {
  NORMAL: object({
    ...common,
    distribution: oneOf("NORMAL"),
    mean: quantity,
    standardDeviation: number(0, 1e12),
  }),
  UNIFORM: object({
    ...common,
    distribution: oneOf("UNIFORM"),
    minimum: quantity,
    maximum: quantity,
  }),
  TRIANGULAR: object({
    ...common,
    distribution: oneOf("TRIANGULAR"),
    minimum: quantity,
    mode: quantity,
    maximum: quantity,
  }),
};

const distribution = oneOf("NORMAL", "UNIFORM", "TRIANGULAR");

export const FACTOR: Schema<Factor> = {
  check(value, field, violations) {
    if (!isJsonObject(value)) return violations.add("field.type", field);
    if (value.distribution === undefined) return violations.add("field.required", "distribution");
    const known = distribution.check(value.distribution, "distribution", violations);
    return known && FACTORS[known].check(value, field, violations);
  },
  json: { anyOf: Object.values(FACTORS).map(({ json }) => json) },
};

const option = object({
  // Long enough for every spelling of an option, which may have several lines.
  option: string({ maximum: FIELD_LIMITS.textLength, multiline: true }),
  factors: arrayOf(FACTOR, 1, 20),
});

export const SIMULATION_BODY = {
  seed: integer(0, Number.MAX_SAFE_INTEGER),
  runs: integer(1, 100_000),
  options: arrayOf(option, 2, 50),
};
export type SimulationBody = InferObject<typeof SIMULATION_BODY>;
