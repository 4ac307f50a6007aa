// engines: postgres
import { assertEquals, assertRejects } from "@std/assert";
import { migrate } from "../../src/database/migrate.ts";
import { MIGRATIONS } from "../../src/database/migration_files.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { assertOrdered } from "../../src/records/search_index/built.ts";
import { createAssistant, LIMITS, send } from "../http/assistants.ts";
import { COMMITMENT } from "../http/kernel.ts";
import { idsOf } from "../http/search.ts";
import { createWorld } from "../support/world.ts";
import { emptyDatabases } from "./empty_database.ts";
import { formerStatement } from "./former_release.ts";
import { AT, insertInto, insertRecord, newAccount, newRoot, nextRoot } from "./rows.ts";
import { assertIndexed, makeIndex } from "./search_rows.ts";

const openEmpty = emptyDatabases();

Deno.test("Writes of release 2.0.0 are found at once, and in order after the build repeats them", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const kept = await caller.create("commitment", COMMITMENT, "Kept pebble");
  const created = newRoot(caller.accountId, {
    title: "Basalt",
    payload: JSON.stringify(COMMITMENT),
  });
  const isOrdered = () => world.database.read(assertOrdered);
  const repeats = async (statement: string) => {
    await world.raw(statement);
    await assertRejects(isOrdered, ServiceError);
    assertEquals(await makeIndex(world), 1);
    await isOrdered();
    assertEquals(await makeIndex(world), 0);
  };
  await isOrdered();

  await world.raw(formerStatement(created));
  assertEquals(await idsOf(caller, "basalt"), [created.record_id]);
  assertEquals(await idsOf(caller, "pebble"), [kept.recordId]);
  await repeats("");

  const changed = nextRoot(created, {
    title: "Quartz",
    payload: JSON.stringify({ ...COMMITMENT, dueAt: AT }),
  });
  await repeats(formerStatement(changed));
  assertEquals(await idsOf(caller, "basalt"), []);
  assertEquals(await idsOf(caller, "quartz"), [created.record_id]);
  const form = "select order_form, own_time, is_archived from record_order where rule = 3";
  const where = `and record_id = '${created.record_id}'`;
  assertEquals(await world.rows(`${form} ${where}`), [
    { order_form: "quartz", own_time: new Date(AT), is_archived: false },
  ]);

  // The words do not change; then this release writes the record before the build repeats it.
  const archived = nextRoot(changed, { archived_at: AT });
  await repeats(formerStatement(archived));
  assertEquals((await world.rows(`${form} ${where}`))[0].is_archived, true);
  await world.raw(formerStatement(nextRoot(archived, { archived_at: null, title: "Gneiss" })));
  const path = `/api/v2/records/commitment/${created.record_id}`;
  const response = await caller.call("PATCH", path, { body: { title: "Marble" } });
  assertEquals(response.status, 200, response.text);
  await isOrdered();
  assertEquals(await makeIndex(world), 0);
  await assertIndexed(world);
});

/** The newest step of release 2.0.0. */
const FORMER_STEP = 22;

Deno.test("The index of release 2.0.0 serves owners until the build has replaced it", async () => {
  for (const isIndexed of [true, false]) {
    await using old = await openEmpty();
    await migrate(old.database, MIGRATIONS.filter(({ version }) => version <= FORMER_STEP));
    const account = newAccount();
    const root = newRoot(String(account.account_id));
    const script = insertInto("accounts", account) +
      (isIndexed ? formerStatement(root) : insertRecord(root));
    await old.database.transaction((tx) => tx.script(script));
    await migrate(old.database);
    const state = "select rule, is_complete, order_is_complete from search_index_build";
    assertEquals(await old.rows(state), [
      { rule: 1, is_complete: isIndexed, order_is_complete: false },
    ]);
    assertEquals(await makeIndex(old), 1);
    assertEquals(await old.rows(state), [{ rule: 1, is_complete: true, order_is_complete: true }]);
  }
});

Deno.test("An assistant's search waits for the words that release 2.0.0 does not write", async () => {
  await using world = await createWorld({ assistants: LIMITS });
  const owner = await world.createCaller();
  const helper = await createAssistant(world, owner, { modules: ["commitment"] });
  const root = newRoot(owner.accountId, {
    title: "Basalt",
    payload: JSON.stringify(COMMITMENT),
  });
  await world.raw(formerStatement(root));
  assertEquals(await idsOf(owner, "basalt"), [root.record_id]);
  const call = { name: "search", arguments: { q: "basalt" } };
  const search = () => send(helper.caller, "tools/call", call);
  assertEquals((await search()).status, 503);
  await makeIndex(world);
  assertEquals((await search()).body.result.structuredContent.items.length, 1);
});

Deno.test("Queries of release 2.0.0 find records of this one", async () => {
  await using world = await createWorld();
  const { accountId, create } = await world.createCaller();
  const code = accountId.slice(-6);
  const { recordId } = await create("commitment", COMMITMENT, "Kept pebble");
  const found = (query: string) =>
    world.rows(
      `select record_id from search_candidates('${query.replaceAll("#", code)}'::tsquery, 10)`,
    );
  const one = [{ record_id: recordId }];
  assertEquals(await found("(#peb:* & #kept) | #"), one);
  assertEquals(await found("(#peb:* & #kep) | #"), []);
});
