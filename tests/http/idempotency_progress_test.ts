/** A key during its first request. */

import { assertEquals } from "@std/assert";
import {
  type Caller,
  callerOf,
  createWorld,
  ENGINE,
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

function create(caller: Caller, body = BODY, key = "k") {
  return caller.call("POST", COMMITMENTS, { key, body });
}

function assertInProgress(response: TestResponse, operation: string): void {
  assertEquals(assertFailure(response, "IDEMPOTENCY_IN_PROGRESS"), { operation });
  assertEquals(response.headers.get("Retry-After"), "1");
}

Deno.test("A repetition during the first request answers 409 and writes nothing", async () => {
  const held = holdBeforeBegin(world().database);
  const caller = callerOf(world().again({ database: held.database }), await world().createCaller());
  const first = create(caller);
  await held.reached;
  await assertWritesNothing(world(), async () => {
    assertInProgress(await create(caller), "record.create");
    // Nothing else is checked before the key.
    assertInProgress(await create(caller, { ...BODY, title: "Another" }), "record.create");
    assertInProgress(await create(caller, { ...BODY, payload: {} as never }), "record.create");
  });
  held.letGo();
  const created = await first;
  assertEquals(created.status, 201);
  const replayed = await create(caller);
  assertEquals(replayed.headers.get("Idempotency-Replayed"), "true");
  assertEquals(replayed.body.data, created.body.data);
});

Deno.test("Concurrent repetitions of a finished request are all replayed", async () => {
  const caller = await world().createCaller();
  const first = await create(caller);
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(caller)));
  for (const response of answers) {
    assertEquals([response.status, response.body.data], [201, first.body.data]);
  }
  const reuses = await Promise.all(
    Array.from({ length: 6 }, () => create(caller, { ...BODY, title: "Another" })),
  );
  for (const reuse of reuses) assertFailure(reuse, "IDEMPOTENCY_KEY_REUSED");
});

Deno.test("An open key blocks no other key, owner or operation", async () => {
  const held = holdBeforeBegin(world().database);
  const app = world().again({ database: held.database });
  const caller = callerOf(app, await world().createCaller());
  const other = callerOf(app, await world().createCaller());
  const first = create(caller);
  await held.reached;
  const second = await create(caller, BODY, "K");
  assertEquals(second.status, 201);
  assertEquals((await create(other)).status, 201);
  const path = pathOf(second.body.data);
  assertEquals((await caller.call("POST", `${path}/archive`, { key: "k" })).status, 200);
  held.letGo();
  assertEquals((await first).status, 201);
});

Deno.test("An open key is free again once its request was rejected", async () => {
  const held = holdBeforeBegin(world().database);
  const caller = callerOf(world().again({ database: held.database }), await world().createCaller());
  const first = create(caller, { ...BODY, payload: {} as never });
  await held.reached;
  assertInProgress(await create(caller), "record.create");
  held.letGo();
  assertFailure(await first, "PAYLOAD_INVALID");
  assertEquals((await create(caller)).status, 201);
});

Deno.test("The maintenance window takes precedence over an open key", async () => {
  await using own = await createWorld();
  const held = holdBeforeBegin(own.database);
  const caller = callerOf(own.again({ database: held.database }), await own.createCaller());
  const first = create(caller);
  await held.reached;
  await setMaintenance(own, true);
  assertFailure(await create(caller), "SYSTEM_MAINTENANCE");
  held.letGo();
  assertFailure(await first, "SYSTEM_MAINTENANCE");
});

Deno.test({
  name: "A repetition at another process answers 409 while the first holds the key",
  // The embedded engine serves one process and transaction at a time.
  ignore: ENGINE === "embedded",
  async fn() {
    const identity = await world().createCaller();
    const made = await identity.create("commitment", COMMITMENT);
    const held = holdAfterWrite(world().database);
    const here = callerOf(world().again({ database: held.database }), identity);
    const there = callerOf(world().again(), identity);
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
