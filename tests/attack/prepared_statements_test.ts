/** What clients ask for never makes the database prepare statements without end. */

import { assert, assertEquals } from "@std/assert";
import { seededRandom } from "../support/random.ts";
import { randomList, shuffledList } from "../support/random_lists.ts";
import { createWorld, type World } from "../support/world.ts";

/** How many statements the session that serves the next read has prepared. */
async function preparedStatements(world: World): Promise<number> {
  const [row] = await world.rows("select count(*)::integer as n from pg_prepared_statements");
  return row.n;
}

Deno.test("Lists that differ in the order of their filters are one statement", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const random = seededRandom(20_261_122);
  await caller.call("GET", shuffledList(random));
  const before = await preparedStatements(world);
  for (let list = 0; list < 100; list++) {
    const response = await caller.call("GET", shuffledList(random));
    assertEquals(response.status, 200, response.text);
  }
  // The count itself may have been prepared meanwhile.
  assert(await preparedStatements(world) <= before + 1);
});

Deno.test("A session prepares a bounded number of statements, and answers all others too", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const { recordId } = await caller.create("action", {
    actionType: "TASK",
    actionStatus: "ACTIVE",
    actionTitle: "Move house",
    parentId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    priority: 3,
    targetDate: "2027-01-01T00:00:00.000Z",
    successCriteria: "All is there",
  });
  const random = seededRandom(20_261_122);
  for (let list = 0; list < 400; list++) {
    const response = await caller.call("GET", randomList(random));
    assertEquals(response.status, 200, response.text);
  }
  const prepared = await preparedStatements(world);
  assert(prepared <= 300, `${prepared} statements are prepared`);
  const response = await caller.call("GET", shuffledList(random));
  assertEquals(response.body.data.items.map((item: { recordId: string }) => item.recordId), [
    recordId,
  ]);
});
