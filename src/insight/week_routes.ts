/** `GET /api/v2/insight/week`: counts of seven days. */

import { addDays } from "../core/days.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import {
  component,
  COUNT,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT,
} from "../validate/json_schema.ts";
import { readQuery, type Schema } from "../validate/schema.ts";
import type { CountServices } from "./insight_services.ts";
import { DAY, DAY_JSON, ZONE } from "./local_days.ts";
import { countOrdered, ExaminedRows } from "./pieces.ts";
import { countDue, DUE_STATES, type DueCount } from "./week_due.ts";
import {
  type ContactCounts,
  countContacts,
  countDecisions,
  countLived,
  countRoutines,
  countWritten,
  type DecisionCounts,
  type MeasureFigures,
  type ModuleCount,
  type RoutineCounts,
  summariseMeasures,
} from "./week_parts.ts";
import type { WeekCount } from "./week_records.ts";

/** The last day whose week ends in the year 9999. */
const LAST_START = "9999-12-24";

const START: Schema<string> = {
  ...DAY,
  check(value, field, violations) {
    const day = DAY.check(value, field, violations);
    if (day !== undefined && day > LAST_START) violations.add("field.date", field);
    return day;
  },
};

const WEEK_QUERY = { start: START, zone: ZONE };

/** Seven days. A part that the reader may not read is null. */
interface Week {
  readonly from: string;
  readonly until: string;
  readonly zone: string;
  readonly due: readonly DueCount[] | null;
  readonly routines: RoutineCounts | null;
  readonly lived: readonly ModuleCount[] | null;
  readonly written: readonly ModuleCount[] | null;
  readonly contacts: ContactCounts | null;
  readonly measures: readonly MeasureFigures[] | null;
  readonly decisions: DecisionCounts | null;
}

const MODULE_COUNTS = listOf(objectOf({ moduleCode: TEXT, count: COUNT }));
const FIGURE: JsonSchema = { type: "number" };

const WEEK_SCHEMA = component<Week>("Week", {
  from: DAY_JSON,
  until: DAY_JSON,
  zone: TEXT,
  due: nullable(listOf(objectOf({
    moduleCode: TEXT,
    ...Object.fromEntries(DUE_STATES.map((state) => [state, COUNT])),
  }))),
  routines: nullable(objectOf({
    routines: COUNT,
    completions: COUNT,
    complete: { type: "boolean" },
  })),
  lived: nullable(MODULE_COUNTS),
  written: nullable(MODULE_COUNTS),
  contacts: nullable(objectOf({ people: COUNT, contacts: COUNT })),
  measures: nullable(listOf(objectOf({
    kind: TEXT,
    unit: TEXT,
    count: COUNT,
    minimum: FIGURE,
    median: FIGURE,
    maximum: FIGURE,
    mean: FIGURE,
  }))),
  decisions: nullable(objectOf({ decided: COUNT, outcomes: COUNT, predictionsDue: COUNT })),
});

export function createWeekEndpoint({ database, catalog, counts }: CountServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Count due, lived and written records of seven days",
      query: WEEK_QUERY,
      responses: { 200: { data: WEEK_SCHEMA } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readQuery(WEEK_QUERY, query),
    async handle({ parsed: { start, zone }, caller: reader, now }) {
      const days = { from: start, until: addDays(start, 7), zone };
      const count = { database, catalog, reader, days, now, examined: new ExaminedRows() };
      return ok(await counts.run(reader, () => countOrdered(database, () => readWeek(count))));
    },
  });
}

/** @throws ServiceError as `readPieces`; all parts share one limit of rows. */
async function readWeek(count: WeekCount): Promise<Week> {
  const lived = await countLived(count);
  return {
    ...count.days,
    due: await countDue(count),
    routines: await countRoutines(count),
    lived,
    written: await countWritten(count),
    contacts: await countContacts(count),
    measures: await summariseMeasures(count),
    decisions: await countDecisions(count, lived),
  };
}
