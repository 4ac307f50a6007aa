// engines: embedded
/**
 * Every route on the built-in engine: it succeeds, and no statement scans a growing table. On
 * PostgreSQL `http/contract_walk_test.ts` has both.
 */

import {
  assertPassed,
  callRoute,
  EXAMPLE_SERVICES,
  makeExample,
  proofFor,
} from "../http/examples.ts";
import { callerOf, sharedWorld } from "../support/world.ts";
import { assertAllSeek } from "./plans.ts";
import { createRecordingDatabase, type SentStatement } from "./recording.ts";

const world = sharedWorld(EXAMPLE_SERVICES);

/** Includes protected routes and open reads. */
async function sentByRoutes(): Promise<SentStatement[]> {
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
  return [...statements.values()];
}

Deno.test("Each statement of every route finds its rows by index", async () => {
  await assertAllSeek(world(), await sentByRoutes());
});
