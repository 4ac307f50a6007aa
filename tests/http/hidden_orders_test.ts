/** Sorted lists and BEST do not depend on hidden records, nor on other accounts. */

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { remember, TEXTS } from "../families/memory/api.ts";
import { createPerson, detail, PEOPLE } from "../families/relationship/api.ts";
import { assign, tag } from "../families/taxonomy/api.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import {
  answersTo,
  type Question,
  withoutSecretMemories,
  writeSecretMemory,
} from "./hidden_traces.ts";
import { COMMITMENT } from "./kernel.ts";

const world = fileWorld();

const MEMORIES = "/api/v2/records/memory";

/** Lists in which a hidden memory stands, by its title or own time. */
const MEMORY_LISTS: readonly Question[] = ["title", "-title", "time", "-time"]
  .map((sort) => [`${MEMORIES}?sort=${sort}&archived=include&limit=2`]);

const OTHERS: readonly Question[] = [
  [`${MEMORIES}?sort=time&archived=include&limit=2&time%5Bfrom%5D=2000-01-01T00:00:00Z`],
  ["/api/v2/records/commitment?sort=-title&limit=2"],
  ...["name", "-lastContact"].map((sort): Question => [`${PEOPLE}?sort=${sort}&limit=2`]),
  ...["lake", "nick"].map((q): Question => [`${PEOPLE}/find`, { q, limit: 2 }]),
  ...["the lake", "lake", "gaden", "garden", "#by-the-lake", "aaa"].flatMap((q) =>
    ["exclude", "include"].map((archived): Question => [
      "/api/v2/search",
      { q, archived, order: "BEST", limit: 2 },
    ])
  ),
];

const LAKE: JsonObject = {
  title: "The lake",
  summary: "A lake with a garden",
  originalContent: "The garden by the lake.",
  occurredAt: "2026-11-10T12:00:00Z",
  timePrecision: "DAY",
};

/** Some of everything that the questions find. */
async function fill(caller: Caller): Promise<{ readonly person: Json; readonly term: Json }> {
  for (const title of ["The lake", "Lake house", "A garden", "Late"]) {
    await remember(caller, { ...LAKE, title });
    await caller.create("commitment", { ...COMMITMENT, content: "By the lake" }, title);
  }
  const person = await createPerson(caller, { personName: "Lake Anna" });
  await createPerson(caller, { personName: "Laka" });
  const term = await tag(caller, "By the lake");
  const { memoryId: recordId } = await remember(caller, LAKE);
  await assign(caller, term, { moduleCode: "memory", recordId });
  return { person, term };
}

Deno.test("A SECRET memory or nickname changes no order, page or match without its permission", async () => {
  const caller = await world().createCaller();
  const { person, term } = await fill(caller);
  const blind = await withoutSecretMemories(world(), caller);
  const others = await answersTo(blind, OTHERS);
  for (const [question, pages] of Object.entries(others)) {
    const isEmpty = question.includes("nick") || question.includes("aaa");
    assert(isEmpty || pages[0]?.[0].items.length > 0, question);
  }
  const shown = await itemsOf(blind);
  await writeSecretMemory(caller, LAKE, async (step, recordId) => {
    if (step === "created") await assign(caller, term, { moduleCode: "memory", recordId });
    assertEquals(await answersTo(blind, OTHERS), others, step);
    const now = await itemsOf(blind);
    const hidden = now.map((items) => items.at(-1));
    for (const item of hidden) assertEquals([item.recordId, item.redacted], [recordId, true]);
    assertEquals(now.map((items) => items.slice(0, -1)), shown, step);
  });
  const nickname = { kind: "NAME", value: { nickname: "Nick of the lake" }, privacy: "SECRET" };
  await detail(caller, person, nickname);
  const found = await answersTo(caller, [[`${PEOPLE}/find`, { q: "nick" }]]);
  assertEquals(Object.values(found), [[[{ items: [] }, false]]]);
});

/** The records of each list of memories. */
async function itemsOf(reader: Caller): Promise<Json[][]> {
  const answers = await answersTo(reader, MEMORY_LISTS);
  return Object.values(answers).map((pages) => pages.flatMap(([{ items }]) => items));
}

Deno.test("Another account with the same words changes no order, page or match", async () => {
  const caller = await world().createCaller();
  await fill(caller);
  const questions: Question[] = [...OTHERS, ...MEMORY_LISTS, [`${TEXTS}?sort=occurredAt&limit=2`]];
  const before = await answersTo(caller, questions);
  await fill(await world().createCaller());
  assertEquals(await answersTo(caller, questions), before);
});
