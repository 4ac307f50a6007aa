// engines: postgres
/** Plans of resource statements: all use an index. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import {
  NETWORK,
  OVERLOAD_ANALYSES,
  RESOURCE_EXPORTS,
  RESOURCES,
} from "../families/resource/api.ts";
import { callerOf, createWorld, type World } from "../support/world.ts";
import { insertResources } from "../families/resource/crowd.ts";
import { assertSeeks, assertWalks, plansOf } from "./plans.ts";
import { createRecordingDatabase, type SentStatement } from "./recording.ts";

const COUNT = 1_000;

/** Also of its first snapshot. */
function idOf(number: number): string {
  return `01KA${String(number).padStart(22, "0")}`;
}

/** Sends a call while another owner has as many rows. */
type StatementsOf = (
  method: string,
  path: string,
  body?: JsonObject,
) => Promise<readonly SentStatement[]>;

async function prepare(world: World): Promise<StatementsOf> {
  const [owner, other] = [await world.createCaller(), await world.createCaller()];
  await world.raw(
    `${insertResources(owner, COUNT, 3)} ${insertResources(other, COUNT, 3)} analyze`,
  );
  const recording = createRecordingDatabase(world.database);
  const caller = callerOf(world.again({ database: recording.database }), owner);
  return async (method, path, body) => {
    const sent = await recording.during(async () => {
      const options = body === undefined ? {} : { key: ulid(), body };
      const response = await caller.call(method, path, options);
      assertEquals(response.status, body === undefined ? 200 : 201, `${path}: ${response.text}`);
    });
    // Without the credential look-up.
    const reads = sent.filter(({ text }) =>
      /\b(resource|executions)/.test(text) && !/\binsert\b/.test(text)
    );
    assert(reads.length >= 1, path);
    return reads;
  };
}

async function assertPlans(
  world: World,
  statements: readonly SentStatement[],
  check: typeof assertWalks,
): Promise<void> {
  for (const statement of statements) {
    for (const plan of await plansOf(world, statement)) check(plan, statement.text);
  }
}

Deno.test("Every list uses an index, and so do analyses and exports", async () => {
  await using world = await createWorld();
  const statementsOf = await prepare(world);
  const resource = `${RESOURCES}/${idOf(7)}`;
  const executions = [OVERLOAD_ANALYSES, RESOURCE_EXPORTS].map((path, index) => ({
    path,
    id: `01KA${index + 7}${idOf(500).slice(5)}`,
  }));
  const paths = [
    ...["exclude", "only", "include"].flatMap((archived) => [
      `${RESOURCES}?archived=${archived}`,
      `${RESOURCES}?archived=${archived}&resourceType=NETWORK&cursor=${idOf(500)}`,
    ]),
    resource,
    `${resource}?revision=1`,
    `${resource}/revisions`,
    `${resource}/snapshots`,
    `${resource}/snapshots?cursor=${idOf(7)}`,
    `${resource}/snapshots/${idOf(7)}`,
    NETWORK,
    `${NETWORK}?cursor=${idOf(500)}`,
    ...executions.flatMap(({ path, id }) => [path, `${path}?cursor=${id}`, `${path}/${id}`]),
  ];
  for (const path of paths) {
    await assertPlans(world, await statementsOf("GET", path), assertWalks);
  }
  const resourceIds = Array.from({ length: 500 }, (_, index) => idOf(index + 1));
  for (const body of [{}, { resourceIds }]) {
    await assertPlans(world, await statementsOf("POST", OVERLOAD_ANALYSES, body), assertSeeks);
  }
  for (const dataset of ["RESOURCES", "SNAPSHOTS"]) {
    const reads = await statementsOf("POST", RESOURCE_EXPORTS, { format: "CSV", dataset });
    assertEquals(reads.length, 2, "One statement chooses the rows, one reads their texts");
    await assertPlans(world, reads, assertSeeks);
  }
});
