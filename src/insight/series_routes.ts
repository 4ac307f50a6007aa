import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { EQUALITY_SCHEMA } from "../records/port.ts";
import {
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT,
} from "../validate/json_schema.ts";
import type { CountServices } from "./insight_services.ts";
import { DAY_JSON } from "./local_days.ts";
import { countOrdered } from "./pieces.ts";
import { type Point, readSeries, type SeriesPoints } from "./series.ts";
import { readSeriesQuery, SERIES_QUERY, type SeriesQuery } from "./series_query.ts";

interface Series extends SeriesPoints, Omit<SeriesQuery, "module" | "filters"> {
  readonly moduleCode: string;
}

const NUMBER: JsonSchema = nullable({ type: "number" });

const POINT_SCHEMA: JsonSchema = component<Point>("SeriesPoint", {
  start: DAY_JSON,
  count: { type: "integer", minimum: 1 },
  sum: NUMBER,
  minimum: NUMBER,
  median: NUMBER,
  maximum: NUMBER,
  mean: NUMBER,
});

const SERIES_SCHEMA: JsonSchema = component<Series>("Series", {
  moduleCode: TEXT,
  field: nullable(TEXT),
  by: enumOf(["day", "week", "month", "year"]),
  from: DAY_JSON,
  until: DAY_JSON,
  zone: TEXT,
  unit: nullable(TEXT),
  otherUnits: listOf(objectOf({ unit: TEXT, count: COUNT })),
  points: listOf(POINT_SCHEMA),
});

/** Lists and insight [22] to [24]. */
export function createSeriesEndpoint({ database, catalog, counts }: CountServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Count the records of a module, and the values of a field, over time",
      query: SERIES_QUERY,
      filter: EQUALITY_SCHEMA,
      responses: { 200: { data: SERIES_SCHEMA } },
      errors: ["RECORD_MODULE_NOT_FOUND"],
    },
    body: "none",
    parse: ({ caller, query }) => readSeriesQuery(catalog, caller, query),
    async handle({ parsed, caller }) {
      const { module, field, by, from, until, zone } = parsed;
      const reader = { owner: caller.account.accountId, permissions: caller.permissions };
      const points = await counts.run(
        caller,
        () => countOrdered(database, () => readSeries(database, reader, parsed)),
      );
      return ok({ moduleCode: module.code, field, by, from, until, zone, ...points });
    },
  });
}
