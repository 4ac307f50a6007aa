/** `GET /api/v2/insight/calibration`: the calibration of predictions, with intervals. */

import { calibrationOf, sumByTenth, type TenthSums } from "../families/decision/port.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { component, COUNT, listOf, nullable, objectOf } from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";
import type { InsightServices } from "./insight_services.ts";
import { wilsonInterval } from "./wilson.ts";

type Figures = ReturnType<typeof calibrationOf>;

interface Reliability extends ReturnType<typeof wilsonInterval> {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Predicted events that occurred. */
  readonly occurred: number;
  readonly meanProbability: number | null;
  readonly observedFrequency: number | null;
}

interface CalibrationIntervals extends Omit<Figures, "reliability"> {
  readonly occurred: number;
  readonly reliability: readonly Reliability[];
}

const FIGURE = { type: "number" } as const;

const CALIBRATION_INTERVALS = component<CalibrationIntervals>("CalibrationIntervals", {
  count: COUNT,
  occurred: COUNT,
  brierScore: nullable(FIGURE),
  logScore: nullable(FIGURE),
  reliability: listOf(objectOf({
    from: FIGURE,
    to: FIGURE,
    count: COUNT,
    occurred: COUNT,
    meanProbability: nullable(FIGURE),
    observedFrequency: nullable(FIGURE),
    low: nullable(FIGURE),
    high: nullable(FIGURE),
  })),
});

export function createCalibrationEndpoint({ database }: InsightServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Read the calibration of all predictions that have an outcome, with intervals",
      responses: { 200: { data: CALIBRATION_INTERVALS } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle({ caller }) {
      const owner = caller.account.accountId;
      return ok(withIntervals(await database.read((sql) => sumByTenth(sql, owner))));
    },
  });
}

function withIntervals(sums: readonly TenthSums[]): CalibrationIntervals {
  const { count, brierScore, logScore, reliability } = calibrationOf(sums);
  return {
    count,
    occurred: sums.reduce((all, { occurred }) => all + occurred, 0),
    brierScore,
    logScore,
    reliability: reliability.map(({ meanProbability, observedFrequency, ...range }, tenth) => {
      const occurred = sums.find((candidate) => candidate.tenth === tenth)?.occurred ?? 0;
      const interval = wilsonInterval(occurred, range.count);
      return { ...range, occurred, meanProbability, observedFrequency, ...interval };
    }),
  };
}
