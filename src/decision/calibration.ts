/** DEC-006: how well the owner's predictions met what happened. */

import type { Query, Sql } from "../database/sql.ts";
import type { FamilyServices } from "../family/write.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { component, COUNT, listOf, nullable, objectOf } from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";
import { type Calibration, calibrationOf, type TenthSums } from "./calibration_figures.ts";

const FIGURE = { type: "number" } as const;

const CALIBRATION_SCHEMA = component<Calibration>("DecisionCalibration", {
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

/** The endpoint of `/calibration`. */
export function createCalibrationEndpoint(
  { database }: Pick<FamilyServices, "database">,
): Endpoint {
  return endpoint({
    contract: {
      summary: "Compare all predictions that have an outcome with what happened",
      responses: { 200: { data: CALIBRATION_SCHEMA } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle({ identity }) {
      return ok(calibrationOf(
        await database.read((sql) => sumByTenth(sql, identity.account.accountId)),
      ));
    },
  });
}

/**
 * Adds up in whole numbers of 10⁻¹², as `TenthSums` says, so that however many predictions there are,
 * ten rows are read. The logarithm holds each probability within 10⁻⁶ and 1 − 10⁻⁶.
 */
function sumByTenth(sql: Sql, owner: string): Query<TenthSums> {
  return sql<TenthSums>`
    select least(floor(probability * 10), 9)::integer as tenth,
           count(*)::integer as count,
           count(*) filter (where occurred)::integer as occurred,
           sum((probability * 1e12)::bigint)::text as probability_sum,
           sum((power(probability - occurred::integer, 2) * 1e12)::bigint)::text as brier_sum,
           sum((-ln(greatest(least(
             case when occurred then probability else 1 - probability end,
             1 - 1e-6), 1e-6)) * 1e12)::bigint)::text as log_sum
      from decision_outcomes join decision_predictions using (owner_id, prediction_id)
     where owner_id = ${owner}
     group by tenth`;
}
