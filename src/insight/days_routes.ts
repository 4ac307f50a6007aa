import type { Caller } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { ServiceError } from "../errors/service_error.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { seesModule } from "../records/port.ts";
import {
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  listOf,
  objectOf,
  TEXT,
} from "../validate/json_schema.ts";
import { optional, readQuery } from "../validate/schema.ts";
import {
  countDays,
  countRanges,
  countsDaysOf,
  type DayCount,
  LONG_PRECISIONS,
  modulesOnDays,
  type RangeCount,
} from "./day_counts.ts";
import { ANY_TEXT, checkRange, DAY_RANGE_QUERY, type DayRange } from "./day_range.ts";
import type { CountServices } from "./insight_services.ts";
import { DAY_JSON } from "./local_days.ts";
import { countOrdered, ExaminedRows } from "./pieces.ts";

interface CountedModule {
  readonly moduleCode: string;
  readonly count: number;
}

interface CountedDay {
  readonly day: string;
  readonly total: number;
  /** In the order of the catalog. */
  readonly modules: readonly CountedModule[];
}

interface Days extends DayRange {
  /** In order; those without a record are absent. */
  readonly days: readonly CountedDay[];
  readonly ranges: readonly RangeCount[];
}

const DAYS_QUERY = {
  module: optional(ANY_TEXT),
  ...DAY_RANGE_QUERY,
};

const DAYS_SCHEMA: JsonSchema = component<Days>("Days", {
  from: DAY_JSON,
  until: DAY_JSON,
  zone: TEXT,
  days: listOf(objectOf({
    day: DAY_JSON,
    total: COUNT,
    modules: listOf(objectOf({ moduleCode: TEXT, count: COUNT })),
  })),
  ranges: listOf(component<RangeCount>("RangeCount", {
    moduleCode: TEXT,
    precision: enumOf(LONG_PRECISIONS),
    from: DAY_JSON,
    until: DAY_JSON,
    count: COUNT,
  })),
});

/** Lists and insight [25] and [26]. */
export function createDaysEndpoint({ database, catalog, counts }: CountServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Count the records of each day by their own times",
      query: DAYS_QUERY,
      responses: { 200: { data: DAYS_SCHEMA } },
      errors: ["RECORD_MODULE_NOT_FOUND"],
    },
    body: "none",
    parse({ caller, query }) {
      const modules = modulesToCount(catalog, caller, query.get("module"));
      const { module: _named, ...days } = readQuery(DAYS_QUERY, query);
      checkRange(days);
      return { modules, days };
    },
    async handle({ parsed: { modules, days }, caller }) {
      const count = { database, reader: caller, days, examined: new ExaminedRows() };
      return ok(
        await counts.run(caller, () => countOrdered(database, () => countModules(count, modules))),
      );
    },
  });
}

/**
 * In the order of the catalog. Routines have no days here, so that `module=routine` counts nothing.
 *
 * @throws ServiceError `RECORD_MODULE_NOT_FOUND`; `FORBIDDEN` if the reader may not read the named
 *   module, or the contacts of `relationship`.
 */
function modulesToCount(
  catalog: Catalog,
  reader: Caller,
  named: string | null,
): readonly CatalogModule[] {
  const isCounted = (module: CatalogModule) => countsDaysOf(module, reader);
  if (named === null) return catalog.modules.filter(isCounted);
  const module = catalog.module(named);
  if (module === undefined) throw new ServiceError("RECORD_MODULE_NOT_FOUND");
  if (module.code === "routine" && seesModule(reader, module)) return [];
  if (!isCounted(module)) throw new ServiceError("FORBIDDEN");
  return [module];
}

async function countModules(count: DayCount, modules: readonly CatalogModule[]): Promise<Days> {
  const byDay = new Map<string, CountedModule[]>();
  const ranges: RangeCount[] = [];
  const present = await modulesOnDays(count, modules);
  for (const module of modules) {
    const counts = present.includes(module) ? await countDays(count, module) : [];
    for (const [day, records] of counts) {
      const counted = { moduleCode: module.code, count: records };
      byDay.getOrInsertComputed(day, () => []).push(counted);
    }
    ranges.push(...await countRanges(count, module));
  }
  const days = [...byDay].map(([day, modules]) => ({
    day,
    total: modules.reduce((sum, { count }) => sum + count, 0),
    modules,
  }));
  return {
    ...count.days,
    days: days.sort((one, other) => one.day < other.day ? -1 : 1),
    ranges: ranges.sort(byPlace),
  };
}

function byPlace(one: RangeCount, other: RangeCount): number {
  const [first, second] = [one, other].map(({ from, until, moduleCode, precision }) =>
    `${from} ${until} ${moduleCode} ${precision}`
  );
  return (first ?? "") < (second ?? "") ? -1 : 1;
}
