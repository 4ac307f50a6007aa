// engines: postgres
/** An assistant's search examines the same rows whether or not hidden texts match. */

import { assert, assertEquals } from "@std/assert";
import { createAssistant, LIMITS, send, type TestAssistant } from "../http/assistants.ts";
import { ACTION } from "../http/calendar.ts";
import { COMMITMENT, pathOf } from "../http/kernel.ts";
import { done, remember, textPath } from "../families/memory/api.ts";
import { createPerson, move } from "../families/relationship/api.ts";
import { type Caller, callerOf, fileWorld, type Json } from "../support/world.ts";
import { executedRows } from "./plans.ts";
import { createRecordingDatabase } from "./recording.ts";
import { forgetIndex, makeIndex } from "./search_rows.ts";

const world = fileWorld({ assistants: LIMITS });
const LENT = ["commitment", "memory", "relationship"];

/** A search of an assistant, and the rows of all steps of its plans. */
async function searchRows({ token }: TestAssistant, owner: Caller, q: string) {
  const recording = createRecordingDatabase(world().database);
  const app = world().again({ database: recording.database });
  const caller = callerOf(app, { ...owner, secret: token });
  let items: Json[] = [];
  const sent = await recording.during(async () => {
    const { body } = await send(caller, "tools/call", { name: "search", arguments: { q } });
    assert(!body.result.isError);
    ({ items } = body.result.structuredContent);
  });
  const searches = sent.filter(({ text }) => text.includes("word_candidates"));
  assert(searches.length > 0);
  let rows = 0;
  for (const statement of searches) rows += await executedRows(world(), statement);
  return { rows, items };
}

/** Creates records with "quartz" in parts hidden from assistants, and "pebble" in visible parts. */
async function hideWord(owner: Caller): Promise<void> {
  for (let index = 0; index < 20; index++) {
    await owner.create("commitment", { ...COMMITMENT, content: "Quartz" }, `Pebble ${index}`);
    await owner.create("action", ACTION, "Quartz");
  }
  for (let index = 0; index < 5; index++) {
    await remember(owner, { title: "Quartz", privacyLevel: "SECRET" });
    const sealed = await createPerson(owner, { personName: "Pebble", opinion: "Quartz" });
    await move(owner, sealed, "SEALED");
    await createPerson(owner, { personName: "Quartz", opinion: "Quartz" });
  }
  const later = await remember(owner, { title: "Quartz" });
  await done(owner, textPath(later, "/privacy"), { privacyLevel: "SECRET", expectedRevision: 1 });
}

Deno.test("A word of hidden texts costs an assistant's search no row", async () => {
  const owner = await world().createCaller();
  await hideWord(owner);
  const helper = await createAssistant(world(), owner, { modules: LENT });
  for (const round of ["written", "built"]) {
    const hidden = await searchRows(helper, owner, "quartz");
    const nowhere = await searchRows(helper, owner, "feldspar");
    assertEquals([hidden.items, nowhere.items], [[], []], round);
    assertEquals(hidden.rows, nowhere.rows, round);
    const shown = await searchRows(helper, owner, "pebble");
    assertEquals(shown.items.length, 20, round);
    assert(shown.rows > hidden.rows);
    await forgetIndex(world());
    await makeIndex(world());
  }
});

Deno.test("An assistant that reads sensitive fields examines no row of what it may not see", async () => {
  const owner = await world().createCaller();
  await hideWord(owner);
  const helper = await createAssistant(world(), owner, { modules: LENT, sensitive: "SHOWN" });
  // 20 commitments and 5 people that it sees.
  assertEquals((await searchRows(helper, owner, "quartz")).items.length, 20);
  await createPerson(owner, { personName: "Ana", opinion: "Tangerine" });
  await remember(owner, { title: "Tangerine", privacyLevel: "SECRET" });
  await owner.create("action", ACTION, "Tangerine");
  const hidden = await searchRows(helper, owner, "tangerine");
  const nowhere = await searchRows(helper, owner, "feldspar");
  assertEquals(hidden, nowhere);
});

Deno.test("A record is found by its new words only, also by an assistant", async () => {
  const owner = await world().createCaller();
  const made = await owner.create("commitment", COMMITMENT, "Basalt");
  const helper = await createAssistant(world(), owner, { modules: LENT });
  await owner.call("PATCH", pathOf(made), { body: { title: "Gneiss" } });
  assertEquals((await searchRows(helper, owner, "basalt")).items, []);
  assertEquals((await searchRows(helper, owner, "gneiss")).items.length, 1);
});
