/** What a key answers while its first request is open. */

import { assertEquals } from "@std/assert";
import {
  createWorld,
  ENGINE,
  type Person,
  personOf,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";
import { holdAfterWrite, holdBeforeBegin } from "./held_database.ts";
import {
  assertFailure,
  assertWritesNothing,
  COMMITMENT,
  COMMITMENTS,
  pathOf,
  setMaintenance,
} from "./kernel.ts";

const world = sharedWorld();

const BODY = { title: "A title", payload: COMMITMENT };

function create(person: Person, body = BODY, key = "k") {
  return person.call("POST", COMMITMENTS, { key, body });
}

function assertInProgress(response: TestResponse, operation: string): void {
  assertEquals(assertFailure(response, "IDEMPOTENCY_IN_PROGRESS"), { operation });
  assertEquals(response.headers.get("Retry-After"), "1");
}

Deno.test("A repetition while the first request is open answers 409 and writes nothing", async () => {
  const held = holdBeforeBegin(world().database);
  const person = personOf(world().again({ database: held.database }), await world().person());
  const first = create(person);
  await held.reached;
  await assertWritesNothing(world(), async () => {
    assertInProgress(await create(person), "record.create");
    // Neither a different request nor a wrong one is looked at before the key.
    assertInProgress(await create(person, { ...BODY, title: "Another" }), "record.create");
    assertInProgress(await create(person, { ...BODY, payload: {} as never }), "record.create");
  });
  held.letGo();
  const created = await first;
  assertEquals(created.status, 201);
  const replayed = await create(person);
  assertEquals(replayed.headers.get("Idempotency-Replayed"), "true");
  assertEquals(replayed.body.data, created.body.data);
});

Deno.test("A finished request sent again many times at once is replayed each time", async () => {
  const person = await world().person();
  const first = await create(person);
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(person)));
  for (const response of answers) {
    assertEquals([response.status, response.body.data], [201, first.body.data]);
  }
  const reuses = await Promise.all(
    Array.from({ length: 6 }, () => create(person, { ...BODY, title: "Another" })),
  );
  for (const reuse of reuses) assertFailure(reuse, "IDEMPOTENCY_KEY_REUSED");
});

Deno.test("An open key holds up no other key, owner or operation", async () => {
  const held = holdBeforeBegin(world().database);
  const app = world().again({ database: held.database });
  const person = personOf(app, await world().person());
  const other = personOf(app, await world().person());
  const first = create(person);
  await held.reached;
  const second = await create(person, BODY, "K");
  assertEquals(second.status, 201);
  assertEquals((await create(other)).status, 201);
  const path = pathOf(second.body.data);
  assertEquals((await person.call("POST", `${path}/archive`, { key: "k" })).status, 200);
  held.letGo();
  assertEquals((await first).status, 201);
});

Deno.test("An open key is free again once its request was refused", async () => {
  const held = holdBeforeBegin(world().database);
  const person = personOf(world().again({ database: held.database }), await world().person());
  const first = create(person, { ...BODY, payload: {} as never });
  await held.reached;
  assertInProgress(await create(person), "record.create");
  held.letGo();
  assertFailure(await first, "PAYLOAD_INVALID");
  assertEquals((await create(person)).status, 201);
});

Deno.test("The maintenance window wins over an open key", async () => {
  await using own = await createWorld();
  const held = holdBeforeBegin(own.database);
  const person = personOf(own.again({ database: held.database }), await own.person());
  const first = create(person);
  await held.reached;
  await setMaintenance(own, true);
  assertFailure(await create(person), "SYSTEM_MAINTENANCE");
  held.letGo();
  assertFailure(await first, "SYSTEM_MAINTENANCE");
});

Deno.test({
  name: "A repetition at another process answers 409 while the first holds the key",
  // The embedded engine serves one process, and one transaction at a time.
  ignore: ENGINE === "embedded",
  async fn() {
    const identity = await world().person();
    const made = await identity.create("commitment", COMMITMENT);
    const held = holdAfterWrite(world().database);
    const here = personOf(world().again({ database: held.database }), identity);
    const there = personOf(world().again(), identity);
    const options = { key: "k", body: { title: "B" } };
    const first = here.call("PATCH", pathOf(made), options);
    await held.reached;
    assertInProgress(await there.call("PATCH", pathOf(made), options), "record.modify");
    held.letGo();
    const { body } = await first;
    const replayed = await there.call("PATCH", pathOf(made), options);
    assertEquals(replayed.headers.get("Idempotency-Replayed"), "true");
    assertEquals(replayed.body.data, body.data);
  },
});
