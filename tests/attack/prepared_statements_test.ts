/** Clients cannot make the database prepare unlimited statements. */

import { assert, assertEquals } from "@std/assert";
import { seededRandom } from "../support/random.ts";
import { randomList, shuffledList } from "../support/random_lists.ts";
import { fileWorld, type World } from "../support/world.ts";

const world = fileWorld();

/** Counts statements in the next read's session. */
async function preparedStatements(world: World): Promise<number> {
  const [row] = await world.rows("select count(*)::integer as n from pg_prepared_statements");
  return row.n;
}

Deno.test("Lists that differ only in the order of filters share one statement", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(20_261_122);
  await caller.call("GET", shuffledList(random));
  const before = await preparedStatements(world());
  for (let list = 0; list < 30; list++) {
    const response = await caller.call("GET", shuffledList(random));
    assertEquals(response.status, 200, response.text);
  }
  // The count itself may be prepared too.
  assert(await preparedStatements(world()) <= before + 1);
});

Deno.test("A session prepares a limited number of statements, and still answers others", async () => {
  const caller = await world().createCaller();
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
  const prepared = await preparedStatements(world());
  assert(prepared <= 300, `${prepared} statements are prepared`);
  const response = await caller.call("GET", shuffledList(random));
  assertEquals(response.body.data.items.map((item: { recordId: string }) => item.recordId), [
    recordId,
  ]);
});
