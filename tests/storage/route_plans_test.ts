/** Plans of every route's statements: no scan of a growing table. */

import { assert } from "@std/assert";
import {
  assertPassed,
  callRoute,
  EXAMPLE_SERVICES,
  makeExample,
  proofFor,
} from "../http/examples.ts";
import { callerOf, sharedWorld } from "../support/world.ts";
import { assertSeeks, indexPlansOf } from "./plans.ts";
import { createRecordingDatabase, type SentStatement } from "./recording.ts";

const world = sharedWorld(EXAMPLE_SERVICES);

/** Includes protected routes and open reads. */
async function sentByRoutes(): Promise<Map<string, SentStatement>> {
  const recording = createRecordingDatabase(world().database, "all");
  const app = world().again({ database: recording.database });
  const statements = new Map<string, SentStatement>();
  const reader = await makeExample(world());
  for (const route of app.routes) {
    if (route.access === "public" && !route.path.includes(":")) continue;
    const example = route.method === "GET" ? reader : await makeExample(world());
    const path = await example.pathOf(route);
    const parts = await example.partsOf(route);
    const headers = route.access === "public" ? {} : await proofFor(world(), route, example.caller);
    const sent = await recording.during(async () => {
      const caller = callerOf(app, example.caller);
      const response = await callRoute(caller, route, path, { ...parts, headers });
      assertPassed(route, response, `${route.method} ${path}`);
    });
    for (const statement of sent) statements.set(statement.text, statement);
  }
  return statements;
}

Deno.test("Each statement of every route finds its rows by index", async () => {
  const statements = await sentByRoutes();
  assert(statements.size >= 50, "The statements were not recorded");
  for (const statement of statements.values()) {
    // SET CONSTRAINTS has no plan.
    if (/^\s*set constraints/.test(statement.text)) continue;
    for (const plan of await indexPlansOf(world(), statement)) assertSeeks(plan, statement.text);
  }
});
