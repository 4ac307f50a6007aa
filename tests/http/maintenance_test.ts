import { assert, assertEquals } from "@std/assert";
import { createWorld, ENGINE, type Person, personOf } from "../support/world.ts";
import { holdBeforeCommit } from "./held_database.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  catalogWith,
  COMMITMENT,
  COMMITMENTS,
  pathOf,
  setMaintenance,
} from "./kernel.ts";

/** A world with one implemented feature. */
function openWorld() {
  return createWorld({
    catalog: catalogWith({ "CMT-001": { status: "implemented_local", strategy: "record" } }),
    executors: { record: () => ({}) },
  });
}

/** Every frozen write of the kernel, on one record. */
function writesOf(person: Person, path: string) {
  return {
    "record.create": (key: string) =>
      person.call("POST", COMMITMENTS, { key, body: { title: "A", payload: COMMITMENT } }),
    "record.modify": (key: string) => person.call("PATCH", path, { key, body: { title: "B" } }),
    "record.archive": (key: string) => person.call("POST", `${path}/archive`, { key }),
    "record.restore": (key: string) => person.call("POST", `${path}/restore`, { key }),
    "record.feature": (key: string) =>
      person.call("POST", `${path}/features/CMT-001`, { key, body: {} }),
  };
}

Deno.test("The maintenance window answers 503 to every write and to every replay", async () => {
  await using world = await openWorld();
  const person = await world.person();
  const writes = writesOf(person, pathOf(await person.create("commitment", COMMITMENT)));
  for (const write of Object.values(writes)) assert((await write("before")).status < 300);
  await setMaintenance(world, true);
  await assertWritesNothing(world, async () => {
    for (const [entryPoint, write] of Object.entries(writes)) {
      for (const key of ["before", "during"]) {
        const answer = await write(key);
        const details = assertFailure(answer, "SYSTEM_MAINTENANCE");
        assertEquals(details, { scope: "ORDINARY_WRITES", entryPoint });
        assertEquals(answer.headers.get("Retry-After"), "30");
      }
    }
  });
  await setMaintenance(world, false);
  for (const [operation, write] of Object.entries(writes)) {
    const [replayed, fresh] = [await write("before"), await write("during")];
    assertEquals(replayed.headers.get("Idempotency-Replayed"), "true", operation);
    assert(fresh.status < 300, operation);
    assertEquals(fresh.headers.get("Idempotency-Replayed"), null, operation);
  }
});

Deno.test("The maintenance window leaves every read open", async () => {
  await using world = await openWorld();
  const person = await world.person();
  const path = pathOf(await person.create("commitment", COMMITMENT));
  await setMaintenance(world, true);
  const reads = [
    COMMITMENTS,
    path,
    `${path}?revision=1`,
    `${path}/revisions`,
    `${path}/executions`,
    "/api/v2/catalog",
    "/api/v2/auth/session",
  ];
  for (const read of reads) assertEquals((await person.call("GET", read)).status, 200, read);
});

Deno.test("The maintenance window is seen by every process at its next write", async () => {
  await using world = await openWorld();
  const person = await world.person();
  const there = personOf(world.again(), person);
  const path = pathOf(await there.create("commitment", COMMITMENT));
  await setMaintenance(world, true);
  const frozen = await there.call("PATCH", path, { body: { title: "B" } });
  assertFailure(frozen, "SYSTEM_MAINTENANCE");
  await setMaintenance(world, false);
  assertEquals((await there.call("PATCH", path, { body: { title: "B" } })).status, 200);
});

Deno.test("The maintenance window wins over policy, 404 and 409, and loses to the body's shape", async () => {
  await using world = await openWorld();
  const person = await world.person();
  const made = await person.create("commitment", COMMITMENT);
  await setMaintenance(world, true);
  const absent = `${COMMITMENTS}/01JD5A0000000000000000RECD`;
  const frozen = [
    await person.call("POST", COMMITMENTS, { key: "k", body: { title: "A", payload: {} } }),
    await person.call("PATCH", pathOf(made), { body: { payload: { completionStatus: "NO" } } }),
    await person.call("PATCH", pathOf(made), { body: { title: "B", expectedRevision: 9 } }),
    await person.call("PATCH", absent, { body: { title: "B" } }),
    await person.call("POST", `${absent}/archive`),
    await person.call("POST", `${pathOf(made)}/restore`),
  ];
  for (const answer of frozen) assertFailure(answer, "SYSTEM_MAINTENANCE");
  const shape = await person.call("PATCH", pathOf(made), { body: { owner: "x" } });
  assertInvalid(shape, ["undeclared_field"]);
});

Deno.test({
  name: "Opening the maintenance window waits for writes in flight",
  // The embedded engine has one session: its transactions wait for each other anyway.
  ignore: ENGINE === "embedded",
  async fn() {
    await using world = await openWorld();
    const identity = await world.person();
    const made = await identity.create("commitment", COMMITMENT);
    const held = holdBeforeCommit(world.database);
    const person = personOf(world.again({ database: held.database }), identity);
    const write = person.call("PATCH", pathOf(made), { body: { title: "B" } });
    await held.reached;
    const opening = world.raw(`
      select pg_advisory_xact_lock(maintenance_lock());
      update maintenance_window set active = true`);
    const waiting = `
      select 1 from pg_locks join pg_database on pg_database.oid = database
       where datname = current_database() and locktype = 'advisory' and not granted`;
    while ((await world.rows(waiting)).length === 0);
    held.letGo();
    assertEquals((await write).status, 200);
    await opening;
    const late = await identity.call("PATCH", pathOf(made), { body: { title: "C" } });
    assertFailure(late, "SYSTEM_MAINTENANCE");
  },
});
