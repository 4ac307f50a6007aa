/** TAX-003 and TAX-007: search and usage. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { PAGE_BYTES } from "../../src/database/page_bytes.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertInvalid, assertWritesNothing, pathOf, walkPages } from "./kernel.ts";
import { done, post, read, remember } from "../families/memory/api.ts";
import {
  act,
  assign,
  ASSIGNMENTS,
  carrying,
  category,
  fileOf,
  fileTerm,
  IMPORTS,
  makeRecord,
  SEARCH,
  tag,
  USAGE,
} from "../families/taxonomy/api.ts";

const world = sharedWorld();

/** Name and match of each term. */
async function found(caller: Caller, q: string, more: JsonObject = {}): Promise<Json> {
  const response = await caller.call("POST", SEARCH, { body: { q, ...more } });
  assertEquals([response.status, response.body.data?.nextCursor], [200, null], response.text);
  return response.body.data.items.map(({ name, matched }: Json) => [name, matched.text]);
}

Deno.test("Search finds names and aliases with a text: equal, then prefix, then any", async () => {
  const caller = await world().createCaller();
  await tag(caller, "Gardening");
  await category(caller, "garden");
  await tag(caller, "Rose garden", { aliases: ["GARDEN of roses"] });
  await tag(caller, "Yard", { aliases: ["My garden", "garden"] });
  await tag(caller, "Kindergarden");
  await tag(caller, "Allotment", { aliases: ["Gardener", "gardens"] });
  await tag(caller, "Lawn");
  await tag(await world().createCaller(), "Garden");
  assertEquals(await found(caller, " ＧＡＲＤＥＮ "), [
    ["garden", "garden"],
    ["Yard", "garden"],
    ["Allotment", "Gardener"],
    ["Gardening", "Gardening"],
    ["Rose garden", "GARDEN of roses"],
    ["Kindergarden", "Kindergarden"],
  ]);
  assertEquals(await found(caller, "garden", { kind: "CATEGORY" }), [["garden", "garden"]]);
  assertEquals((await found(caller, "garden", { kind: "TAG" })).length, 5);
  assertEquals((await found(caller, "garden", { limit: 2 })).length, 2);
  assertEquals(await found(caller, "nothing"), []);
  // SQL wildcards are literal.
  for (const wildcard of ["%", "_", "\\", "g_rden"]) {
    assertEquals(await found(caller, wildcard), []);
  }
});

Deno.test("Search compares like names, in every script", async () => {
  const caller = await world().createCaller();
  const names = ["Straße", "İzmir", "ﬁsh", "ΟΔΟΣ", "שלום עולם", "مرحبا", "가나", "Ｆｕｌｌ", "É"];
  for (const name of names) await tag(caller, name);
  const queries = {
    STRASS: "Straße",
    "i̇z": "İzmir",
    fi: "ﬁsh",
    "οδος": "ΟΔΟΣ",
    "οδοσ": "ΟΔΟΣ",
    "עולם": "שלום עולם",
    "حبا": "مرحبا",
    "\u1100\u1161": "가나",
    full: "Ｆｕｌｌ",
    "e\u0301": "É",
  };
  for (const [q, name] of Object.entries(queries)) {
    assertEquals(await found(caller, q), [[name, name]], q);
  }
  // Diacritics count.
  assertEquals(await found(caller, "e"), [["Straße", "Straße"]]);
});

Deno.test("Search shows whole terms, inactive ones on request", async () => {
  const caller = await world().createCaller();
  const active = await tag(caller, "Active", { aliases: ["thing"], description: "x" });
  const ended = await act(caller, await tag(caller, "Ended thing"), "deactivate");
  const items = async (inactive: string) =>
    (await caller.call("POST", SEARCH, { body: { q: "thing", inactive } })).body.data.items;
  const shown = [
    { ...active, matched: { field: "aliases", text: "thing" } },
    { ...ended, matched: { field: "name", text: "Ended thing" } },
  ];
  assertEquals(await items("exclude"), shown.slice(0, 1));
  assertEquals(await items("only"), shown.slice(1));
  assertEquals(await items("include"), shown);
});

Deno.test("Search only reads, accepts no key, and rejects invalid texts", async () => {
  const caller = await world().createCaller();
  await tag(caller, "A");
  await assertWritesNothing(world(), async () => {
    for (const key of [ulid(), "k"]) {
      const response = await caller.call("POST", SEARCH, { key, body: { q: "a" } });
      assertEquals([response.status, response.headers.has("Idempotency-Replayed")], [200, false]);
    }
  });
  const refused = [
    [{}, "field.required", "q"],
    [{ q: "" }, "field.blank", "q"],
    [{ q: " \t ".replace("\t", "\u2003") }, "field.blank", "q"],
    [{ q: "x".repeat(201) }, "field.length", "q"],
    [{ q: "a", limit: 101 }, "field.range", "limit"],
    [{ q: "a", limit: 0 }, "field.range", "limit"],
    [{ q: "a", kind: "tag" }, "field.option", "kind"],
    [{ q: "a", inactive: "all" }, "field.option", "inactive"],
  ] as const;
  for (const [body, rule, field] of refused) {
    const response = await caller.call("POST", SEARCH, { body });
    assertInvalid(response, [rule], [field], JSON.stringify(body));
  }
  assertInvalid(
    await caller.call("POST", SEARCH, { body: { q: "a", cursor: ulid() } }),
    ["undeclared_field"],
  );
  assertEquals(await found(caller, "x".repeat(200)), []);
});

Deno.test("Search ends with the page that reaches the byte limit", async () => {
  const caller = await world().createCaller();
  const description = "\u0001".repeat(80_000);
  for (let index = 0; index < 20; index++) await tag(caller, `Long ${index}`, { description });
  const response = await caller.call("POST", SEARCH, { body: { q: "long" } });
  const { items } = response.body.data;
  assert(items.length > 10 && items.length < 20, `${items.length} items`);
  assert(response.text.length < PAGE_BYTES + 64 * 1024);
});

Deno.test("Usage counts records per term, under a category once, archived ones too", async () => {
  const caller = await world().createCaller();
  const root = await category(caller, "Root");
  world().advance(1);
  const middle = await category(caller, "Middle", root);
  world().advance(1);
  const leaf = await category(caller, "Leaf", middle);
  world().advance(1);
  const label = await tag(caller, "Label");
  const records = [await makeRecord(caller), await makeRecord(caller), await makeRecord(caller)];
  const memory = { moduleCode: "memory", recordId: (await remember(caller)).memoryId };
  await caller.call("POST", `${pathOf(records[0])}/archive`);
  for (
    const [term, ...carriers] of [
      [leaf, records[0], records[1], memory],
      [middle, records[1], records[2]],
      [label, memory],
    ]
  ) {
    for (const carrier of carriers) await assign(caller, term, carrier);
  }
  await act(caller, leaf, "deactivate");
  world().advance(1_000);
  const last = await assign(caller, middle, memory);
  await done(caller, `${ASSIGNMENTS}/remove`, carrying(middle, records[2]));
  const at = leaf.createdAt.replace(/\d\d\dZ$/, "");
  const usageOf = async (query = "") => (await read(caller, `${USAGE}${query}`)).items;
  const commitments = (count: number) => ({ moduleCode: "commitment", count });
  const memories = { moduleCode: "memory", count: 1 };
  const expected = [
    { ...shown(label), direct: 1, total: 1, modules: [memories] },
    { ...shown(leaf), active: false, direct: 3, total: 3, modules: [commitments(2), memories] },
    { ...shown(middle), direct: 2, total: 3, modules: [commitments(1), memories] },
    { ...shown(root), direct: 0, total: 3, modules: [] },
  ];
  const items = await usageOf("?inactive=include");
  assertEquals(items.map(({ lastAssignedAt: _, ...item }: Json) => item), expected);
  assertEquals(items.map(({ lastAssignedAt }: Json) => lastAssignedAt?.startsWith(at) ?? null), [
    true,
    true,
    false,
    null,
  ]);
  assertEquals(items[2].lastAssignedAt, last.assignedAt);
  const names = (items: Json) => items.map(({ name }: Json) => name);
  assertEquals(names(await usageOf()), ["Label", "Middle", "Root"]);
  assertEquals(names(await usageOf("?inactive=only")), ["Leaf"]);
  assertEquals(names(await usageOf("?kind=TAG")), ["Label"]);
  assertEquals(names(await usageOf("?kind=CATEGORY&inactive=include")), ["Leaf", "Middle", "Root"]);
  const pages = await walkPages(caller, USAGE, { limit: "1", inactive: "include" });
  assertEquals(names(pages.flat()), ["Label", "Leaf", "Middle", "Root"]);
  assertInvalid(await caller.call("GET", `${USAGE}?cursor=${ulid()}`), ["cursor.unknown"], [
    "cursor",
  ]);
  const executions = await world().rows(`
    select 1 from executions where owner_id = '${caller.accountId}'`);
  assertEquals(executions.length, 0);
});

function shown({ termId, kind, name, active }: Json): JsonObject {
  return { termId, kind, name, active };
}

Deno.test("Usage omits merged tags, and walks past many others", async () => {
  const caller = await world().createCaller();
  const [first, second] = [await tag(caller, "First"), await tag(caller, "Second")];
  const body = { expectedRevision: 1, intoId: second.termId };
  await done(caller, `/api/v2/taxonomy/tags/${first.termId}/merge`, body);
  const { items } = await read(caller, `${USAGE}?inactive=include`);
  assertEquals(items.map(({ name }: Json) => name), ["Second"]);
  world().advance(1);
  const ended = Array.from(
    { length: 300 },
    (_, n) => fileTerm("TAG", `Ended ${n}`, { active: false }),
  );
  await done(caller, IMPORTS, fileOf(ended));
  assertEquals((await read(caller, USAGE)).items.map(({ name }: Json) => name), ["Second"]);
  assertEquals((await walkPages(caller, USAGE, { inactive: "only" })).flat().length, 300);
  await post(caller, SEARCH, { q: "ended" });
});
