/**
 * A newer release adds columns to every table while this one serves. A statement that selects `*`
 * would be rejected by sessions that prepared it ("cached plan must not change result type") and
 * answered 503.
 */

import { assertEquals } from "@std/assert";
import { DECISIONS } from "../families/decision/api.ts";
import {
  assertPassed,
  callRoute,
  EXAMPLE_SERVICES,
  makeExample,
  proofFor,
} from "../http/examples.ts";
import { COMMITMENTS } from "../http/kernel.ts";
import { TEXTS } from "../families/memory/api.ts";
import { createWorld, type World } from "../support/world.ts";

const READS = /\.(list|detail|read)$/;
const WRITES =
  /^(record|memory|decision|resource|relationship\.person|taxonomy\.tag|identity\.stage)\.(create|modify|archive)$/;

/** Reads that send other statements than their route without a query. */
const VARIANTS = [
  ...["-createdAt", "updatedAt"].flatMap((sort) => [
    `${COMMITMENTS}?sort=${sort}&archived=include`,
    `${COMMITMENTS}?sort=${sort}&filter[completionStatus]=OPEN`,
  ]),
  `${TEXTS}?archived=include&memoryType=PLACE`,
  `${DECISIONS}?archived=include`,
  "/api/v2/audit?kind=access",
];

/**
 * Each call must succeed: lists, details, and writes of each family. `http/contract_walk_test.ts`
 * proves for every route that no statement returns columns that it does not name.
 */
async function useMuch(world: World): Promise<void> {
  const reader = await makeExample(world);
  for (const route of world.app.routes) {
    if (route.access === "public") continue;
    const known = route.method === "GET" ? READS : WRITES;
    if (!known.test(route.operation)) continue;
    const example = route.method === "GET" ? reader : await makeExample(world);
    const path = await example.pathOf(route);
    const headers = await proofFor(world, route, example.caller);
    const sent = { ...await example.partsOf(route), headers };
    const response = await callRoute(example.caller, route, path, sent);
    assertPassed(route, response, `${route.method} ${path}`);
  }
  for (const path of VARIANTS) {
    const response = await reader.caller.call("GET", path);
    assertEquals(response.status, 200, `GET ${path}: ${response.text}`);
  }
  assertEquals((await world.call("GET", "/readyz")).status, 200);
}

Deno.test("Existing statements work after every table gains a column", async () => {
  await using world = await createWorld(EXAMPLE_SERVICES);
  await useMuch(world);
  await world.raw(`
    do $$ declare place regclass; begin
      for place in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      loop execute format('alter table %s add column of_a_newer_release text', place); end loop;
    end $$`);
  const from = world.log.length;
  await useMuch(world);
  const failures = world.log.slice(from).filter(({ level }) => level !== "info");
  assertEquals(failures, []);
});
