/** Maintenance and seeding during writes. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { setMaintenance } from "../../src/command/maintenance.ts";
import { seedCatalog } from "../../src/operator/seed/catalog.ts";
import { seedDemo } from "../../src/operator/seed/demo.ts";
import { DEMO_RECORDS } from "../../src/operator/seed/demo/samples.ts";
import { QUESTION_BANK } from "../../src/operator/seed/question_bank.ts";
import { holdAfterWrite } from "../http/held_database.ts";
import { introduce } from "../families/identity/api.ts";
import { assertFailure, COMMITMENT, COMMITMENTS, pathOf, walkPages } from "../http/kernel.ts";
import { emailOf, servicesOf } from "../storage/operator.ts";
import { type Caller, callerOf, createWorld, ENGINE, type World } from "../support/world.ts";
import { assertNoneCommitsBehind, impatient } from "./closing.ts";

/** The embedded engine has no concurrent transactions. */
function onServer(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ignore: ENGINE === "embedded" });
}

/**
 * Waits for a lock wait, or for the event.
 *
 * @returns whether one waits.
 */
async function untilWaiting(world: World, event: Promise<unknown>): Promise<boolean> {
  let happened = false;
  const note = () => {
    happened = true;
  };
  event.then(note, note);
  const waiting = `
    select 1 from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`;
  while (!happened) {
    if ((await world.rows(waiting)).length > 0) return true;
  }
  return false;
}

onServer(
  "Opening the maintenance window waits for a write in flight, as long as it takes",
  async () => {
    await using world = await createWorld();
    const identity = await world.createCaller();
    const path = pathOf(await identity.create("commitment", COMMITMENT));
    const held = holdAfterWrite(world.database);
    const caller = callerOf(world.again({ database: held.database }), identity);
    const write = caller.call("PATCH", path, { body: { title: "B" } });
    await held.reached;
    const opening = setMaintenance(impatient(world.database), true);
    await untilWaiting(world, opening);
    held.letGo();
    assertEquals((await write).status, 200);
    assertEquals(await opening, true);
    const late = await identity.call("PATCH", path, { body: { title: "C" } });
    assertFailure(late, "SYSTEM_MAINTENANCE");
  },
);

onServer("Write that comes while the window waits to open is frozen by it", async () => {
  await using world = await createWorld();
  const identity = await world.createCaller();
  const path = pathOf(await identity.create("commitment", COMMITMENT));
  const held = holdAfterWrite(world.database);
  const caller = callerOf(world.again({ database: held.database }), identity);
  const write = caller.call("PATCH", path, { body: { title: "B" } });
  await held.reached;
  const opening = setMaintenance(world.database, true);
  await untilWaiting(world, opening);
  const late = identity.call("POST", COMMITMENTS, {
    key: "late",
    body: { title: "A", payload: COMMITMENT },
  });
  held.letGo();
  assertEquals((await write).status, 200);
  await opening;
  assertFailure(await late, "SYSTEM_MAINTENANCE");
});

Deno.test("No frozen write of any process commits once the window is open", async () => {
  await using world = await createWorld();
  await assertNoneCommitsBehind(world, {
    close: ({ database }) => setMaintenance(database, true),
    open: ({ database }) => setMaintenance(database, false),
    assertRefused: (response) => assertFailure(response, "SYSTEM_MAINTENANCE"),
  });
});

onServer(
  "Record or profile that is being written when a sample life begins keeps it out",
  async () => {
    await using world = await createWorld();
    const writes = [(caller: Caller) => caller.create("commitment", COMMITMENT), introduce];
    for (const write of writes) {
      const identity = await world.createCaller();
      const held = holdAfterWrite(world.database);
      const caller = callerOf(world.again({ database: held.database }), identity);
      const writing = write(caller);
      await held.reached;
      const seeding = seedDemo(servicesOf(world), emailOf(identity));
      const refused = assertRejects(
        () => seeding,
        Error,
        "The account already has records or a profile",
      );
      await untilWaiting(world, refused);
      held.letGo();
      await Promise.all([writing, refused]);
      assertEquals(await seededCount(world), 0);
    }
  },
);

onServer(
  "Record that comes while a sample life begins waits for it, and stands beside it",
  async () => {
    await using world = await createWorld();
    const caller = await world.createCaller();
    const held = holdAfterWrite(world.database);
    const services = { ...servicesOf(world), database: held.database };
    const seeding = seedDemo(services, emailOf(caller));
    await held.reached;
    const writing = caller.create("commitment", COMMITMENT, "Of my own");
    const waited = await untilWaiting(world, writing);
    held.letGo();
    await Promise.all([writing, seeding]);
    assert(waited);
    const listed = (await walkPages(caller, COMMITMENTS, { archived: "include" })).flat();
    const samples = DEMO_RECORDS.filter(({ moduleCode }) => moduleCode === "commitment");
    assertEquals(listed.length, samples.length + 1);
  },
);

Deno.test("Routines that run twice at once create each object once", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  for (
    const [run, total] of [[seedDemo, DEMO_RECORDS.length], [
      seedCatalog,
      QUESTION_BANK.length,
    ]] as const
  ) {
    const before = await seededCount(world);
    const runs = [1, 2].map(() => run(servicesOf(world), emailOf(caller)));
    const ended = await Promise.allSettled(runs);
    const refused = ended.filter((outcome) => outcome.status === "rejected");
    assert(refused.length < 2, "one of them must come to its end");
    for (const { reason } of refused) assertEquals(reason.code, "IDEMPOTENCY_IN_PROGRESS");
    assertEquals(await seededCount(world) - before, total);
  }
});

async function seededCount(world: World): Promise<number> {
  const generic = CATALOG.modules.filter(({ access: entry }) => entry === "GENERIC");
  const [{ rows }] = await world.rows(`
    select count(*)::integer as rows from records
     where source_type = 'SEED' and module_code in (${
    generic.map(({ code }) => `'${code}'`).join()
  })`);
  return rows;
}
