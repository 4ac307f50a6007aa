/** Frozen and unfrozen routes of the maintenance window. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { isMaintenance, setMaintenance } from "../../src/command/maintenance.ts";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { JsonValue } from "../../src/core/json.ts";
import type { ProtectedRoute } from "../../src/http/route.ts";
import { callerOf, fileWorld, type TestResponse, type World } from "../support/world.ts";
import { AUTH, register } from "./access.ts";
import {
  callRoute,
  type Example,
  EXAMPLE_SERVICES,
  isForOldest,
  makeExample,
  proofFor,
} from "./examples.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  COMMITMENT,
  COMMITMENTS,
  pathOf,
} from "./kernel.ts";
import { isClosed } from "./legacy.ts";
import { done, DRAFTS, MEMORY, remember, TEXTS } from "../families/memory/api.ts";

const FROZEN: readonly string[] = [
  "record.create",
  "record.modify",
  "record.archive",
  "record.restore",
  "record.feature",
  "attachment.create",
  "attachment.thumbnail.put",
  "account.import",
  "import.create",
  "import.map",
  "import.run",
  "import.withdraw",
  "memory.create",
  "memory.archive",
  "memory.restore",
  // Only commits that create are frozen.
  "memory.draft.commit",
];

const shared = fileWorld(EXAMPLE_SERVICES);

/** The world outside of a maintenance window. */
async function opened(): Promise<World> {
  await setMaintenance(shared().database, false);
  return shared();
}

/** Returns an example call that can be repeated. */
async function prepareCall(
  world: World,
  route: ProtectedRoute,
  key: string,
  given?: Example,
): Promise<() => Promise<TestResponse>> {
  const example = given ?? await makeExample(world);
  const { caller } = example;
  const path = await example.pathOf(route);
  const parts = await example.partsOf(route);
  const headers = await proofFor(world, route, caller);
  return () => callRoute(caller, route, path, { ...parts, key, headers });
}

function protectedRoutes(world: World): ProtectedRoute[] {
  return world.app.routes.filter((route) => route.access !== "public");
}

function assertFrozen(response: TestResponse, entryPoint: string): void {
  const details = assertFailure(response, "SYSTEM_MAINTENANCE", entryPoint);
  assertEquals(details, { scope: "ORDINARY_WRITES", entryPoint });
  assertEquals(response.headers.get("Retry-After"), "30");
}

Deno.test("Maintenance window answers 503 to every frozen write and its replays", async () => {
  const world = await opened();
  const frozen = protectedRoutes(world).filter(({ operation }) => FROZEN.includes(operation));
  assertEquals(frozen.map(({ operation }) => operation).toSorted(), FROZEN.toSorted());
  for (const route of frozen) {
    const { operation, idempotency } = route;
    const before = await prepareCall(world, route, "before");
    const during = await prepareCall(world, route, "during");
    const finished = await before();
    assert(finished.status < 300, `${operation}: ${finished.text}`);
    assert(await setMaintenance(world.database, true));
    await assertWritesNothing(world, async () => {
      assertFrozen(await before(), operation);
      assertFrozen(await during(), operation);
    });
    assert(await setMaintenance(world.database, false));
    const late = await during();
    assertEquals([late.status, late.headers.get("Idempotency-Replayed")], [finished.status, null]);
    if (idempotency === "none") continue;
    const replayed = await before();
    assertEquals(replayed.headers.get("Idempotency-Replayed"), "true", operation);
  }
});

Deno.test("Maintenance window answers 503 to version 1 writes, before their 410", async () => {
  const world = await opened();
  const closed = protectedRoutes(world).filter(isClosed);
  assertEquals(closed.length, 3 * 6);
  const example = await makeExample(world);
  const calls = closed.map((route) => async () => {
    const response = await callRoute(example.caller, route, await example.pathOf(route));
    return { operation: route.operation, response };
  });
  for (const call of calls) assertEquals((await call()).response.status, 410);
  await setMaintenance(world.database, true);
  await assertWritesNothing(world, async () => {
    for (const call of calls) {
      const { operation, response } = await call();
      assertFrozen(response, operation);
    }
  });
});

Deno.test("Maintenance window leaves every other route open", async () => {
  const world = await opened();
  const open = protectedRoutes(world).filter((route) =>
    !FROZEN.includes(route.operation) && !isClosed(route) && !isForOldest(route)
  );
  const calls = new Map<string, () => Promise<TestResponse>>();
  const example = await makeExample(world);
  for (const route of open) {
    // Routes that may revoke their credential use another caller.
    const isOfAccess = /^\/api\/v2\/(auth|account)\//.test(route.path) && route.method !== "GET";
    const given = isOfAccess ? undefined : example;
    calls.set(route.operation, await prepareCall(world, route, ulid(), given));
  }
  await setMaintenance(world.database, true);
  let succeeded = 0;
  for (const [operation, call] of calls) {
    const response = await call();
    // A later check may refuse it: the window precedes them.
    assert(response.status < 300 || [400, 404, 409].includes(response.status), response.text);
    assert(response.body?.error?.code !== "SYSTEM_MAINTENANCE", operation);
    if (response.status < 300) succeeded++;
  }
  assert(succeeded > calls.size * 0.8, `${succeeded} of ${calls.size} succeeded`);
});

Deno.test("Maintenance window leaves sign-in and set-up open", async () => {
  const world = await opened();
  const login = await register(world);
  await setMaintenance(world.database, true);
  assertEquals((await world.call("POST", `${AUTH}/login`, { body: login })).status, 200);
  const body = { ...login, setupToken: "prs_i_unknown", displayName: "Me" };
  assertFailure(await world.call("POST", `${AUTH}/setup`, { body }), "SETUP_CLOSED");
});

Deno.test("Maintenance window allows drafts to revise a memory, but not to create one", async () => {
  const world = await opened();
  const caller = await world.createCaller();
  const { memoryId } = await remember(caller);
  const drafts = { revises: ulid(), makes: ulid() };
  const save = async (draftId: string, body: { [name: string]: JsonValue }) => {
    const response = await caller.call("PUT", `${DRAFTS}/${draftId}`, {
      body: { draftVersion: 1, ...body },
    });
    assertEquals(response.status, 200, response.text);
  };
  await setMaintenance(world.database, true);
  await save(drafts.revises, { memoryId, content: { title: "B" } });
  await save(drafts.makes, { content: MEMORY });
  const revised = await done(caller, `${DRAFTS}/${drafts.revises}/commit`, { expectedRevision: 1 });
  assertEquals([revised.revision, revised.title], [2, "B"]);
  const refused = await caller.call("POST", `${DRAFTS}/${drafts.makes}/commit`);
  assertFrozen(refused, "memory.draft.commit");
});

Deno.test("Maintenance window freezes capture, after a dedicated module's own rejection", async () => {
  const world = await opened();
  const caller = await world.createCaller();
  await setMaintenance(world.database, true);
  const statuses = new Map<string, number[]>();
  for (const { code, access: entry, features } of CATALOG.modules) {
    const path = `/api/v2/records/${code}`;
    const create = await caller.call("POST", path, { key: "k", body: { title: "A", payload: {} } });
    if (entry === "GENERIC") assertFrozen(create, "record.create");
    else assert(create.body.error.code.endsWith("_DEDICATED_ENDPOINT_REQUIRED"), create.text);
    const [feature] = features.filter(({ id }) => id !== "CMT-001");
    const run = await caller.call("POST", `${path}/${ulid()}/features/${feature?.id}`, {
      key: "k",
      body: {},
    });
    statuses.set(code, [create.status, run.status]);
    assert(run.body.error.code !== "SYSTEM_MAINTENANCE", run.text);
  }
  assertEquals(statuses.get("capture"), [503, 501]);
  assertEquals(statuses.get("memory"), [400, 400]);
});

Deno.test("Maintenance window precedes policy, 404 and 409, and follows body validation", async () => {
  const world = await opened();
  const caller = await world.createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  await setMaintenance(world.database, true);
  const absent = `${COMMITMENTS}/01JD5A0000000000000000RECD`;
  const frozen = [
    await caller.call("POST", COMMITMENTS, { key: "k", body: { title: "A", payload: {} } }),
    await caller.call("PATCH", pathOf(made), { body: { payload: { completionStatus: "NO" } } }),
    await caller.call("PATCH", pathOf(made), { body: { title: "B", expectedRevision: 9 } }),
    await caller.call("PATCH", absent, { body: { title: "B" } }),
    await caller.call("POST", `${absent}/archive`),
    await caller.call("POST", `${pathOf(made)}/restore`),
    await caller.call("POST", `${TEXTS}/01JD5A0000000000000000RECD/archive`, { key: "k" }),
  ];
  for (const response of frozen) assertFailure(response, "SYSTEM_MAINTENANCE");
  const shape = await caller.call("PATCH", pathOf(made), { body: { owner: "x" } });
  assertInvalid(shape, ["undeclared_field"]);
});

Deno.test("Maintenance window applies to every process at its next write", async () => {
  const world = await opened();
  const caller = await world.createCaller();
  const there = callerOf(world.again(), caller);
  const path = pathOf(await there.create("commitment", COMMITMENT));
  await setMaintenance(world.database, true);
  assertFrozen(await there.call("PATCH", path, { body: { title: "B" } }), "record.modify");
  await setMaintenance(world.database, false);
  assertEquals((await there.call("PATCH", path, { body: { title: "B" } })).status, 200);
});

Deno.test("Maintenance window reports its state, and a switch reports whether it changed", async () => {
  const { database } = await opened();
  assertEquals(await isMaintenance(database), false);
  for (const active of [true, false]) {
    const switched = [
      await setMaintenance(database, active),
      await setMaintenance(database, active),
    ];
    assertEquals(switched, [true, false]);
    assertEquals(await isMaintenance(database), active);
  }
});
