/** `POST /api/v2/search`: matches, order, visibility. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { PERMISSIONS } from "../../src/access/permissions.ts";
import { sharedWorld } from "../support/world.ts";
import { decide } from "../families/decision/api.ts";
import { introduce } from "../families/identity/api.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  COMMITMENT,
  HEALTH,
  pathOf,
} from "./kernel.ts";
import { done, remember, textPath, withPermissions } from "../families/memory/api.ts";
import { contact, createPerson } from "../families/relationship/api.ts";
import { keep, measure } from "../families/resource/api.ts";
import { ask, idsOf, SEARCH, search, searchAll } from "./search.ts";
import { act, category, tag } from "../families/taxonomy/api.ts";

const world = sharedWorld();

Deno.test("A record is found by words of its title, summary, texts and tags immediately", async () => {
  const caller = await world().createCaller();
  const capture = await caller.create("knowledge", {
    sourceType: "ARTICLE",
    url: "https://example.org/rivers",
    sourceTitle: "What a river keeps",
    readingStatus: "READ",
    snapshot: "A secret of the Élbe",
    author: "李白",
  }, "Notes of Tuesday");
  const agent = await caller.create("ai-agent", {
    sessionType: "MENTOR",
    prompt: "Which boat?",
    approvalStatus: "PENDING",
    contextRefs: ["harbour plan", "north-wind"],
  }, "Boats");
  const found: [string, string][] = [
    ["tues", capture.recordId],
    ["RIVER keeps", capture.recordId],
    ["example rivers", capture.recordId],
    ["elbe", capture.recordId],
    ["白", capture.recordId],
    ["notes 李", capture.recordId],
    ["wind harb", agent.recordId],
  ];
  for (const [q, id] of found) assertEquals(await idsOf(caller, q), [id], q);
  // Selects, other fields, infixes, and missing words.
  for (const q of ["article", "mentor", "iver", "notes absent"]) {
    assertEquals(await idsOf(caller, q), [], q);
  }
});

Deno.test("A result has module, record, title and an excerpt of the stored text", async () => {
  const caller = await world().createCaller();
  const content = `${"So many words. ".repeat(40)}Der  große\nGarten.${
    " And more words.".repeat(40)
  }`;
  const record = await caller.create("commitment", { ...COMMITMENT, content }, " A title ");
  const { items, nextCursor } = await search(caller, "grosse garten");
  const [{ snippet, ...item }] = items;
  assertEquals([items.length, nextCursor], [1, null]);
  assertEquals(item, { moduleCode: "commitment", recordId: record.recordId, title: " A title " });
  assert(content.includes(snippet) && snippet.includes("Der  große\nGarten."));
  assertEquals([...snippet].length, 200);
  assertEquals((await search(caller, "title garten")).items[0].snippet, " A title ");
});

Deno.test("Only current revisions are found, archived ones on request", async () => {
  const caller = await world().createCaller();
  const record = await caller.create("commitment", COMMITMENT, "Lighthouse");
  const { recordId } = record;
  await caller.call("PATCH", pathOf(record), { body: { title: "Watchtower" } });
  assertEquals(await idsOf(caller, "lighthouse"), []);
  assertEquals(await idsOf(caller, "watchtower"), [recordId]);
  assertEquals(await idsOf(caller, "watchtower", { archived: "only" }), []);
  await caller.call("POST", `${pathOf(record)}/archive`);
  assertEquals(await idsOf(caller, "watchtower"), []);
  assertEquals(await idsOf(caller, "watchtower", { archived: "exclude" }), []);
  assertEquals(await idsOf(caller, "watchtower", { archived: "only" }), [recordId]);
  assertEquals(await idsOf(caller, "watchtower", { archived: "include" }), [recordId]);
  await caller.call("POST", `${pathOf(record)}/restore`);
  assertEquals(await idsOf(caller, "watchtower"), [recordId]);
});

Deno.test("Every family is searched, with texts that its records do not show", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, {
    title: "Zebra title",
    summary: "zebra summary",
    originalContent: "zebra original",
    currentContent: "zebra current",
    timePrecision: "LIFE_PERIOD",
    timeText: "zebra epoch",
  });
  await done(caller, textPath(memory, "/ai-draft"), {
    expectedRevision: 1,
    aiDraft: "zebra draft",
    provider: "zebraprovider",
  });
  const known = await createPerson(caller, { personName: "Zebra Anna", opinion: "zebra opinion" });
  await contact(caller, known, { note: "a giraffe" });
  const decision = await decide(caller, {
    question: "Zebra or horse?",
    rationale: "zebra rationale",
  });
  const resource = await keep(caller, { name: "Zebra hours", notes: "zebra notes" });
  await measure(caller, resource, { note: "a giraffe" });
  const term = await tag(caller, "Zebra tag", {
    aliases: ["zebra alias"],
    description: "zebra description",
    color: "#decade",
  });
  await introduce(caller, { displayName: "Zebra Me", biography: "a giraffe" });
  const ids = {
    memory: memory.memoryId,
    relationship: known.personId,
    decision: decision.decisionId,
    resource: resource.resourceId,
    taxonomy: term.termId,
  };
  const words: Record<keyof typeof ids, string> = {
    memory: "title summary original current epoch draft",
    relationship: "anna opinion",
    decision: "rationale",
    resource: "hours notes",
    taxonomy: "tag alias description",
  };
  const queries = Object.entries(ids).flatMap(([module, id]) =>
    words[module as keyof typeof ids].split(" ").map((word) => [word, module, id] as const)
  );
  for (const [word, module, id] of queries) {
    const found = await searchAll(caller, `zebra ${word}`);
    assertEquals(
      found.map((item) => [item.moduleCode, item.recordId]),
      [[module, id]],
      word,
    );
  }
  // Ledgers, identity without a record, other fields, and a colour.
  for (const q of ["giraffe", "zebra me", "zebraprovider", "decade"]) {
    assertEquals(await idsOf(caller, q), [], q);
  }
  const everywhere = await searchAll(caller, "zebra");
  assertEquals(everywhere.map((item) => item.recordId), Object.values(ids).sort().reverse());
  const modules = ["memory", "taxonomy", "memory"];
  assertEquals(
    (await searchAll(caller, "zebra", { modules })).map((item) => item.moduleCode).sort(),
    ["memory", "taxonomy"],
  );
});

Deno.test("A deactivated term counts as archived, and a removed alias is not found", async () => {
  const caller = await world().createCaller();
  const term = await category(caller, "Allotment", null, { aliases: ["Plot"] });
  await done(caller, `/api/v2/taxonomy/categories/${term.termId}/rename`, {
    expectedRevision: 1,
    name: "Vineyard",
  });
  assertEquals(await idsOf(caller, "allotment"), []);
  assertEquals(await idsOf(caller, "vineyard plot"), [term.termId]);
  await act(caller, term, "deactivate");
  assertEquals(await idsOf(caller, "vineyard"), []);
  assertEquals(await idsOf(caller, "vineyard", { archived: "only" }), [term.termId]);
});

Deno.test("Search pages are ordered by identifier, and each record is on one", async () => {
  const caller = await world().createCaller();
  const made: string[] = [];
  for (let index = 0; index < 23; index++) {
    const module = index % 3 === 0 ? "health" : "commitment";
    const payload = module === "commitment" ? COMMITMENT : HEALTH;
    made.push((await caller.create(module, payload, `Pebble ${index}`)).recordId);
  }
  for (const limit of [1, 5, 22, 23, 24, 100]) {
    assertEquals(await idsOf(caller, "pebble", { limit }), made.toSorted().reverse(), `${limit}`);
  }
  assertEquals((await search(caller, "pebble", { limit: 23 })).nextCursor, null);
  const first = await search(caller, "pebble", { limit: 5 });
  const rest = await search(caller, "pebble", { limit: 100, cursor: first.nextCursor });
  assertEquals(rest.items.length, 18);
});

Deno.test("A cursor works for its owner, words, modules and archival only", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  for (const one of [caller, caller, other]) {
    await one.create("commitment", COMMITMENT, "Pebble stone");
  }
  const modules = ["commitment", "health"];
  const whole = { modules, archived: "include", limit: 1 };
  const { nextCursor: cursor } = await search(caller, "pebble", whole);
  assert(cursor !== null);
  assertEquals((await search(caller, "pebble", { ...whole, cursor })).items.length, 1);
  assertEquals(
    (await search(caller, "pebble", { ...whole, modules: modules.toReversed(), cursor })).items
      .length,
    1,
  );
  const wrong = [
    ask(other, "pebble", { ...whole, cursor }),
    ask(caller, "stone", { ...whole, cursor }),
    ask(caller, "Pebble", { ...whole, cursor }),
    ask(caller, "pebble", { ...whole, modules: ["commitment"], cursor }),
    ask(caller, "pebble", { archived: "include", limit: 1, cursor }),
    ask(caller, "pebble", { ...whole, archived: "exclude", cursor }),
    ask(caller, "pebble", { ...whole, cursor: `${cursor}A` }),
    ask(caller, "pebble", { ...whole, cursor: "01JD5A0000000000000000RECD" }),
  ];
  for (const response of await Promise.all(wrong)) {
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
});

Deno.test("A cursor shows no identifier", async () => {
  const caller = await world().createCaller();
  for (let index = 0; index < 5; index++) {
    await remember(caller, { title: "Pebble", privacyLevel: "SECRET" });
    await caller.create("commitment", COMMITMENT, "Pebble");
  }
  const hidden = (await idsOf(caller, "pebble")).concat(caller.accountId);
  const reader = await withPermissions(world(), caller, "search.read", "record.read");
  const lengths = new Set<number>();
  for (const limit of [1, 2, 3, 4]) {
    const { nextCursor } = await search(reader, "pebble", { limit });
    assert(nextCursor !== null);
    assertMatch(nextCursor, /^[\w-]{60,200}$/);
    lengths.add(nextCursor.length);
    const shown = `${nextCursor} ${Buffer.from(nextCursor, "base64url").toString("latin1")}`;
    for (const id of hidden) {
      for (const part of [id, id.slice(0, 10), id.slice(-8)]) assert(!shown.includes(part), part);
    }
  }
  assertEquals(lengths.size, 1);
});

Deno.test("An invalid search is rejected with the violated rule", async () => {
  const caller = await world().createCaller();
  const refused: [unknown, string, string | undefined][] = [
    [{}, "field.required", "q"],
    [{ q: 1 }, "field.type", "q"],
    [{ q: "" }, "field.blank", "q"],
    [{ q: " \n" }, "field.blank", "q"],
    [{ q: "…!? 😀" }, "search.words", "q"],
    [{ q: "one ".repeat(17).trim() }, "search.words", "q"],
    [{ q: "x".repeat(257) }, "field.length", "q"],
    [{ q: "a", modules: [] }, "field.length", "modules"],
    [{ q: "a", modules: ["nothing"] }, "field.option", "modules"],
    [{ q: "a", modules: Array(25).fill("health") }, "field.length", "modules"],
    [{ q: "a", modules: null }, "field.type", "modules"],
    [{ q: "a", archived: "yes" }, "field.option", "archived"],
    [{ q: "a", limit: 0 }, "field.range", "limit"],
    [{ q: "a", limit: 101 }, "field.range", "limit"],
    [{ q: "a", cursor: null }, "field.type", "cursor"],
    [{ q: "a", ownerId: caller.accountId }, "undeclared_field", undefined],
  ];
  for (const [body, rule, field] of refused) {
    const response = await caller.call("POST", SEARCH, {
      raw: JSON.stringify(body),
      headers: JSON_BODY,
    });
    assertInvalid(response, [rule], field === undefined ? [] : [field], JSON.stringify(body));
  }
  const accepted = [
    { q: "one ".repeat(16) },
    { q: "𝒳".repeat(256) },
    { q: "a\tb\n" },
    { q: "a", modules: CATALOG.modules.map(({ code }) => code) },
  ];
  for (const body of accepted) await search(caller, body.q, body);
  assertInvalid(await caller.call("POST", `${SEARCH}?limit=1`, { body: { q: "a" } }), [
    "undeclared_field",
  ], ["limit"]);
});

const JSON_BODY = { "Content-Type": "application/json" };

Deno.test("A search writes nothing, accepts no key, and is not frozen", async () => {
  const caller = await world().createCaller();
  await caller.create("commitment", COMMITMENT, "Pebble");
  await assertWritesNothing(world(), async () => {
    const response = await caller.call("POST", SEARCH, { body: { q: "pebble" }, key: "the same" });
    assertEquals([response.status, response.body.data.items.length], [200, 1]);
    const again = await caller.call("POST", SEARCH, { body: { q: "stone" }, key: "the same" });
    assertEquals([again.status, again.body.data.items], [200, []]);
    assertEquals(again.headers.get("Idempotency-Replayed"), null);
  });
});

Deno.test("A reader finds records of readable modules, and may name no other", async () => {
  const caller = await world().createCaller();
  const record = await caller.create("commitment", COMMITMENT, "Pebble");
  const memory = await remember(caller, { title: "Pebble" });
  const known = await createPerson(caller, { personName: "Pebble" });
  const term = await tag(caller, "Pebble");
  const all = [record.recordId, memory.memoryId, known.personId, term.termId];
  const readers = [
    { permissions: ["record.read"], ids: [record.recordId] },
    { permissions: ["memory.read"], ids: [memory.memoryId] },
    {
      permissions: ["record.read", "relationship.person.read"],
      ids: [record.recordId, known.personId],
    },
    { permissions: ["taxonomy.read"], ids: [term.termId] },
    { permissions: [], ids: [] },
    { permissions: PERMISSIONS, ids: all },
  ] as const;
  for (const { permissions, ids } of readers) {
    const reader = await withPermissions(world(), caller, "search.read", ...permissions);
    assertEquals((await idsOf(reader, "pebble")).sort(), [...ids].sort(), permissions.join());
  }
  const reader = await withPermissions(world(), caller, "search.read", "record.read");
  for (const module of ["memory", "identity", "relationship", "decision", "resource", "taxonomy"]) {
    const response = await ask(reader, "pebble", { modules: ["commitment", module] });
    assertFailure(response, "FORBIDDEN", module);
  }
  assertEquals(await idsOf(reader, "pebble", { modules: ["commitment"] }), [record.recordId]);
  const outsider = await withPermissions(world(), caller, "record.read", "memory.read");
  assertFailure(await ask(outsider, "pebble"), "FORBIDDEN");
  const stranger = await world().createCaller();
  assertEquals(await idsOf(stranger, "pebble"), []);
  assertNotEquals(await idsOf(caller, "pebble"), []);
});

Deno.test("A guarded record is not found without its permission, immediately", async () => {
  const caller = await world().createCaller();
  const reader = await withPermissions(world(), caller, "search.read", "memory.read");
  const memory = await remember(caller, { title: "Pebble", originalContent: "quartz" });
  const { memoryId } = memory;
  assertEquals(await idsOf(reader, "quartz"), [memoryId]);
  await done(caller, textPath(memory, "/privacy"), { expectedRevision: 1, privacyLevel: "SECRET" });
  for (const q of ["pebble", "quartz", "peb", "q"]) {
    for (const archived of ["exclude", "include", "only"]) {
      assertEquals(await search(reader, q, { archived }), { items: [], nextCursor: null }, q);
    }
  }
  assertEquals(await idsOf(caller, "quartz"), [memoryId]);
  await done(caller, textPath(memory, "/revisions"), {
    expectedRevision: 2,
    currentContent: "basalt",
  });
  assertEquals(await idsOf(reader, "basalt"), []);
  assertEquals(await idsOf(caller, "basalt quartz"), [memoryId]);
});

Deno.test("No search error repeats the query", async () => {
  const caller = await world().createCaller();
  const response = await ask(caller, "hushhush ".repeat(17), {
    modules: ["hushhush"],
    cursor: "hushhush",
  });
  assertEquals(response.status, 400);
  assert(!response.text.includes("hush"));
  assert(!JSON.stringify(world().log).includes("hush"));
});
