/** `order: "BEST"` of `POST /api/v2/search`: items, tags, cursors, and refusals. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { remember, withPermissions } from "../families/memory/api.ts";
import { createPerson } from "../families/relationship/api.ts";
import { act, assign, category, tag } from "../families/taxonomy/api.ts";
import { type Caller, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, COMMITMENT } from "./kernel.ts";
import { ask, idsOf, search } from "./search.ts";

const world = sharedWorld();

const BEST = { order: "BEST" };

function best(caller: Caller, q: string, more: JsonObject = {}) {
  return search(caller, q, { ...BEST, ...more });
}

Deno.test("Best matches come first, with their class, time and snippet", async () => {
  const caller = await world().createCaller();
  const make = async (title: string, content: string, dueAt?: string) => {
    const payload = { ...COMMITMENT, content, ...(dueAt && { dueAt }) };
    return (await caller.create("commitment", payload, title)).recordId;
  };
  const text = await make("Notes", `${"word ".repeat(60)}hospitals ${"word ".repeat(60)}`);
  const close = await make("Hospitel", "A text");
  const late = await make("The hospital visit", "A text", "2026-05-01T10:00:00+02:00");
  const early = await make("Hospital 1997", "A text", "2020-01-01T00:00:00Z");
  const exact = await make("HOSPITAL", "A text");
  const { personId } = await createPerson(caller, { personName: "Hospital Anna" });
  const { items, nextCursor } = await best(caller, "hospital");
  const item = (recordId: string, match: string, title: string, time: string | null = null) => ({
    moduleCode: recordId === personId ? "relationship" : "commitment",
    recordId,
    title,
    snippet: title,
    time,
    match,
  });
  assertEquals(nextCursor, null);
  assertEquals(items.filter(({ match }) => match !== "TEXT"), [
    item(exact, "EXACT", "HOSPITAL"),
    item(personId, "START", "Hospital Anna"),
    item(early, "START", "Hospital 1997", "2020-01-01T00:00:00.000Z"),
    item(late, "TITLE", "The hospital visit", "2026-05-01T08:00:00.000Z"),
    item(close, "CLOSE", "Hospitel"),
  ]);
  const [found] = items.filter(({ match }) => match === "TEXT");
  assertEquals([found.recordId, items.indexOf(found)], [text, 4]);
  assert(/^ ?word .* hospitals .* word ?$/.test(found.snippet), found.snippet);
  // Newest first, as before.
  assertEquals(
    Object.keys((await search(caller, "hospital")).items[0]).join(),
    "moduleCode,recordId,title,snippet",
  );
  assertEquals(
    await idsOf(caller, "hospital", { order: "NEWEST" }),
    await idsOf(caller, "hospital"),
  );
});

Deno.test("A tag in the query restricts the records to those that carry it", async () => {
  const caller = await world().createCaller();
  const house = await tag(caller, "Summer house", { aliases: ["Cabin by the sea"] });
  const tagged = await caller.create("commitment", COMMITMENT, "Lake");
  await caller.create("commitment", COMMITMENT, "Lake summer house");
  const other = await category(caller, "Winter");
  for (const term of [house, other]) await assign(caller, term, tagged);
  const ids = (q: string, reader = caller) => idsOf(reader, q, BEST);
  const { recordId } = tagged;
  for (
    const q of [
      "#summer-house",
      "#SUMMER_HOUSE lake",
      "lake #Cabin-by-the-Sea",
      "the #summer-house",
    ]
  ) {
    assertEquals(await ids(q), [recordId], q);
  }
  assertEquals((await best(caller, "#summer-house")).items[0].match, "TAG");
  assertEquals((await best(caller, "#summer-house lake")).items[0].match, "EXACT");
  assertEquals(await ids("#summer-house pond"), []);
  // Categories, unknown names and other places of a # are words.
  assertEquals(await ids("#winter"), [other.termId]);
  assertEquals((await ids("#summer-hous")).length, 2);
  const reader = await withPermissions(world(), caller, "search.read", "record.read");
  assertEquals((await ids("lake #summer-house", reader)).length, 1);
  assertNotEquals(await ids("lake #summer-house", reader), [recordId]);
  await act(caller, house, "deactivate");
  assertNotEquals(await ids("lake #summer-house"), [recordId]);
});

Deno.test("A cursor of BEST works for its query only, and shows nothing that is hidden", async () => {
  const caller = await world().createCaller();
  for (let index = 0; index < 5; index++) await caller.create("commitment", COMMITMENT, "Pebble");
  const reader = await withPermissions(
    world(),
    caller,
    "search.read",
    "record.read",
    "memory.read",
  );
  const pages = async () => {
    const cursors = [];
    for (const limit of [1, 3, 5, 7]) cursors.push(await best(reader, "pebble", { limit }));
    return cursors;
  };
  const before = await pages();
  assertEquals(before.map(({ nextCursor }) => nextCursor === null), [false, false, true, true]);
  for (let index = 0; index < 4; index++) {
    await remember(caller, { title: "Pebble", privacyLevel: "SECRET" });
  }
  assertEquals(await pages(), before);
  assertEquals((await best(caller, "pebble")).items.length, 9);

  const { nextCursor: cursor } = await best(caller, "pebble", { limit: 2 });
  const { nextCursor: newest } = await search(caller, "pebble", { limit: 2 });
  assert(cursor !== null && newest !== null);
  assertEquals((await best(caller, "pebble", { limit: 100, cursor })).items.length, 7);
  const wrong = [
    ask(caller, "pebble", { cursor }),
    ask(caller, "pebble", { ...BEST, cursor: newest }),
    ask(caller, "pebbles", { ...BEST, cursor }),
    ask(caller, "pebble", { ...BEST, archived: "include", cursor }),
    ask(caller, "pebble", { ...BEST, modules: ["commitment"], cursor }),
    ask(await world().createCaller(), "pebble", { ...BEST, cursor }),
    ask(caller, "pebble", { ...BEST, cursor: `${cursor}A` }),
  ];
  for (const response of await Promise.all(wrong)) {
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
});

Deno.test("BEST refuses what NEWEST refuses, and counts no words of tags", async () => {
  const caller = await world().createCaller();
  await tag(caller, "One two three");
  const words = (count: number) => "stone ".repeat(count).trim();
  const refused: [JsonObject, string, string][] = [
    [{ q: "a", order: "FIRST" }, "field.option", "order"],
    [{ q: "a", order: null }, "field.option", "order"],
    [{ q: "…!?", ...BEST }, "search.words", "q"],
    [{ q: "#… !", ...BEST }, "search.words", "q"],
    [{ q: words(17), ...BEST }, "search.words", "q"],
    [{ q: `${words(17)} #one-two-three`, ...BEST }, "search.words", "q"],
    [{ q: `${words(16)} #unknown`, ...BEST }, "search.words", "q"],
  ];
  for (const [{ q, ...more }, rule, field] of refused) {
    assertInvalid(await ask(caller, String(q), more), [rule], [field], JSON.stringify([q, more]));
  }
  for (const q of [words(16), `${words(16)} #one-two-three`, "#one-two-three"]) {
    await best(caller, q);
  }
  const reader = await withPermissions(world(), caller, "search.read", "record.read");
  assertFailure(await ask(reader, "a", { ...BEST, modules: ["memory"] }), "FORBIDDEN");
});
