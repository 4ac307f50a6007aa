import { assertEquals, assertRejects } from "@std/assert";
import { ServiceError } from "../../src/errors/service_error.ts";
import { assertOrdered } from "../../src/records/search_index/built.ts";
import { COMMITMENT } from "../http/kernel.ts";
import { idsOf } from "../http/search.ts";
import { createWorld } from "../support/world.ts";
import { formerStatement } from "./former_release.ts";
import { AT, newRoot, nextRoot } from "./rows.ts";
import { assertIndexed, makeIndex } from "./search_rows.ts";

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

Deno.test("Queries of release 2.0.0 find records of this one, and assistants what they may", async () => {
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
  const lent = "((#Apeb:* | #Speb:*) & (#Akept | #Skept) | #A | #S)";
  assertEquals(await found(`${lent} & (#MB | #MC)`), one);
  assertEquals(await found(`${lent} & (#MC)`), []);
});
