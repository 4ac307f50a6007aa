// engines: postgres
/** Costs of family requests do not depend on data size. */

import { assert } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import type { ProtectedRoute } from "../../src/http/route.ts";
import { callRoute, Example, EXAMPLE_SERVICES, proofFor } from "../http/examples.ts";
import { type Caller, callerOf, createWorld, type World } from "../support/world.ts";
import { insertDecisionCrowd } from "../families/decision/crowd.ts";
import { insertRelationshipCrowd } from "../families/relationship/crowd.ts";
import { insertTaxonomyCrowd } from "../families/taxonomy/crowd.ts";
import { countNow, openWithKeptPlans } from "./statistics.ts";

interface Family {
  /** Prefix of its paths. */
  readonly path: string;
  /** Writes objects with one identifier prefix. */
  readonly crowd: (caller: Caller, count: number, beginning: string) => string;
  /** They read all of a caller's rows. */
  readonly readingAll: readonly string[];
}

const FAMILIES: readonly Family[] = [
  {
    path: "/api/v2/decision/",
    crowd: insertDecisionCrowd,
    readingAll: ["decision.calibration"],
  },
  {
    path: "/api/v2/relationship/",
    crowd: insertRelationshipCrowd,
    readingAll: [
      "relationship.date.list",
      "relationship.export.create",
      "relationship.person.find",
    ],
  },
  {
    path: "/api/v2/taxonomy/",
    crowd: insertTaxonomyCrowd,
    // They count existing categories.
    readingAll: [
      "taxonomy.category.tree",
      "taxonomy.category.create",
      "taxonomy.import",
      "taxonomy.export",
      "taxonomy.search",
      "taxonomy.usage",
    ],
  },
];

/** So that each session has planned its statements. */
const EXECUTIONS = 2;
const COUNT = 200;
/** Fifty rows and the next page; writes need far fewer. */
const ROWS_A_REQUEST = 65;

/**
 * Rows read since creation. A statement that adds content also reads its account's sum, one row
 * unless writes were concurrent.
 */
async function rowsRead(world: World, database: Database): Promise<number> {
  await countNow({ database });
  const [row] = await world.rows(`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
      from pg_stat_user_tables where relname <> 'account_storage'`);
  return row.rows;
}

/** A call of a route, whose objects are made. */
interface Prepared {
  readonly operation: string;
  readonly call: () => Promise<void>;
}

/** Writes get their own example. */
async function prepare(
  world: World,
  caller: Caller,
  routes: readonly ProtectedRoute[],
): Promise<Prepared[]> {
  const reads = new Example(world, caller);
  const prepared: Prepared[] = [];
  for (const route of routes) {
    const example = route.method === "GET" ? reads : new Example(world, caller);
    const path = await example.pathOf(route);
    const parts = await example.partsOf(route);
    const headers = await proofFor(world, route, caller);
    const call = async () => {
      const response = await callRoute(caller, route, path, { ...parts, headers });
      assert(response.status < 300, `${route.method} ${path}: ${response.text}`);
    };
    prepared.push({ operation: route.operation, call });
  }
  return prepared;
}

for (const { path, crowd, readingAll } of FAMILIES) {
  Deno.test(`A request under ${path} reads few rows, also with a plan made for few rows`, async () => {
    await using world = await createWorld(EXAMPLE_SERVICES);
    const database = await openWithKeptPlans(world);
    const caller = callerOf(world.again({ database }), await world.createCaller());
    const routes = world.app.routes.filter((route) => route.access !== "public")
      .filter((route) => route.path.startsWith(path) && !readingAll.includes(route.operation));
    for (let execution = 0; execution < EXECUTIONS; execution++) {
      for (const { call } of await prepare(world, caller, routes)) await call();
    }
    // On both sides of the requested rows.
    for (const beginning of ["01KA", "01ZA"]) await world.raw(crowd(caller, COUNT, beginning));
    const prepared = await prepare(world, caller, routes);
    await countNow(world);
    let before = await rowsRead(world, database);
    for (const { operation, call } of prepared) {
      await call();
      const after = await rowsRead(world, database);
      const rows = after - before;
      assert(rows > 0, `${operation} was not counted`);
      assert(rows <= ROWS_A_REQUEST, `${operation} read ${rows} rows`);
      before = after;
    }
    await database.close();
  });
}
