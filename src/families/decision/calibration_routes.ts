/** DEC-006: calibration of the owner's predictions. */

import type { Query, Sql } from "../../database/sql.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { component, COUNT, listOf, nullable, objectOf } from "../../validate/json_schema.ts";
import { refuseQuery } from "../../validate/schema.ts";
import { type Calibration, calibrationOf, type TenthSums } from "./calibration.ts";

const FIGURE = { type: "number" } as const;

const CALIBRATION_SCHEMA = component<Calibration>("Calibration", {
  count: COUNT,
  brierScore: nullable(FIGURE),
  logScore: nullable(FIGURE),
  reliability: listOf(objectOf({
    from: FIGURE,
    to: FIGURE,
    count: COUNT,
    meanProbability: nullable(FIGURE),
    observedFrequency: nullable(FIGURE),
  })),
});

export function createCalibrationEndpoint(
  { database }: Pick<FamilyServices, "database">,
): Endpoint {
  return endpoint({
    contract: {
      summary: "Read the calibration of all predictions that have an outcome",
      responses: { 200: { data: CALIBRATION_SCHEMA } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle({ caller }) {
      return ok(calibrationOf(
        await database.read((sql) => sumByTenth(sql, caller.account.accountId)),
      ));
    },
  });
}

/**
 * Sums in whole numbers of 10⁻¹² (`TenthSums`), so ten rows are read for any number of predictions.
 * The difference is a decimal, whose square cannot underflow. Probabilities are limited to 10⁻⁶ to
 * 1 − 10⁻⁶ for the logarithm. The tenth is found by comparison, because 10 × 0.8999999999999999
 * rounds to 9.
 */
export function sumByTenth(sql: Sql, owner: string): Query<TenthSums> {
  return sql<TenthSums>`
    select width_bucket(probability, '{0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9}'::double precision[])
             as tenth,
           count(*)::integer as count,
           count(*) filter (where occurred)::integer as occurred,
           sum((probability * 1e12)::bigint)::text as probability_sum,
           sum((distance * distance * 1e12)::bigint)::text as brier_sum,
           sum((ln(least(greatest(1 - abs(distance), 1e-6), 1 - 1e-6)::double precision)
             * -1e12)::bigint)::text as log_sum
      from decision_outcomes join decision_predictions using (owner_id, prediction_id)
           cross join lateral (select (probability - occurred::integer)::numeric) judged (distance)
     where owner_id = ${owner}
     group by tenth`;
}
