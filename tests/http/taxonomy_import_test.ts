/** TAX-008: exports and imports. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { seededRandom } from "../support/random.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, pathOf } from "./kernel.ts";
import { done, post, read } from "../families/memory/api.ts";
import {
  act,
  category,
  EXPORTS,
  fileOf,
  fileTerm,
  IMPORTS,
  patch,
  tag,
  TAGS,
  termPath,
  TREE,
} from "../families/taxonomy/api.ts";

const world = sharedWorld();

async function exported(caller: Caller): Promise<string> {
  const { status, text } = await caller.call("GET", EXPORTS);
  assertEquals(status, 200, text);
  return text.slice(text.indexOf(":") + 1, text.lastIndexOf(`,"meta"`));
}

async function importInto(caller: Caller, data: string, conflictMode = "REJECT"): Promise<Json> {
  const { format, version, terms } = JSON.parse(data);
  return await done(caller, IMPORTS, { format, version, conflictMode, terms });
}

Deno.test("Export has categories in tree order, then tags by name", async () => {
  const caller = await world().createCaller();
  const home = await category(caller, "Home", null, { sortOrder: 2 });
  const work = await category(caller, "Work", null, { sortOrder: 1 });
  await category(caller, "kitchen", home, { aliases: ["Cooking", "食"], color: "#AAbbcc" });
  const attic = await category(caller, "Attic", home, { description: "Up\nthere" });
  await act(caller, attic, "deactivate");
  await tag(caller, "zebra");
  const merged = await tag(caller, "Apple");
  const target = await tag(caller, "ape", { sortOrder: 0 });
  const body = { expectedRevision: 1, intoId: target.termId };
  await done(caller, termPath(merged, "/merge"), body);
  const data = await exported(caller);
  assertEquals(JSON.parse(data), {
    format: "prs-taxonomy",
    version: 1,
    count: 6,
    terms: [
      { ...fileTerm("CATEGORY", "Work"), sortOrder: 1 },
      { ...fileTerm("CATEGORY", "Home"), sortOrder: 2 },
      {
        ...fileTerm("CATEGORY", "Attic", { active: false }),
        parent: "Home",
        description: "Up\nthere",
      },
      {
        ...fileTerm("CATEGORY", "kitchen", { aliases: ["Cooking", "食"] }),
        parent: "Home",
        color: "#AAbbcc",
      },
      { ...fileTerm("TAG", "ape", { aliases: ["Apple"] }), sortOrder: 0 },
      fileTerm("TAG", "zebra"),
    ],
  });
  assertEquals(Object.keys(JSON.parse(data).terms[3]), [
    "kind",
    "name",
    "parent",
    "aliases",
    "color",
    "active",
  ]);
  const other = await world().createCaller();
  const { executionId, ...counts } = await importInto(other, data);
  assertEquals(counts, { created: 6, skipped: 0 });
  assertEquals(await exported(other), data);
  assertEquals(work.kind, "CATEGORY");
  assertEquals(executionId.length, 26);
  assertEquals(JSON.parse(await exported(await world().createCaller())), {
    format: "prs-taxonomy",
    version: 1,
    count: 0,
    terms: [],
  });
});

Deno.test("Imported terms are complete, in one execution and one audit entry", async () => {
  const caller = await world().createCaller();
  const terms = [
    fileTerm("CATEGORY", "Below", { parent: "ABOVE", aliases: ["Under"] }),
    fileTerm("CATEGORY", "Above", { color: "#123456", sortOrder: 3, description: "Top" }),
    fileTerm("TAG", "Ended", { active: false }),
  ];
  const [key, body] = [ulid(), fileOf(terms)];
  const response = await caller.call("POST", IMPORTS, { key, body });
  const { executionId } = response.body.data;
  assertEquals([response.status, response.body.data], [
    200,
    { executionId, created: 3, skipped: 0 },
  ]);
  const { items: [above] } = await read(caller, TREE);
  assertEquals(above.children.map(({ name, parentId, depth }: Json) => [name, parentId, depth]), [
    ["Below", above.termId, 2],
  ]);
  assertEquals([above.color, above.sortOrder, above.description], ["#123456", 3, "Top"]);
  const { items: [ended] } = await read(caller, `${TAGS}?inactive=only`);
  assertEquals([ended.name, ended.active, ended.revision], ["Ended", false, 1]);
  for (const { kind, termId, active } of [above, ended]) {
    const { items } = await read(caller, termPath({ kind, termId }, "/revisions"));
    assertEquals(items.map(({ change }: Json) => change), ["CREATED"]);
    const record = await read(caller, pathOf({ moduleCode: "taxonomy", recordId: termId }));
    assertEquals(record.sourceType, "IMPORT");
    assertEquals(record.archivedAt, active ? null : record.createdAt);
  }
  const audit = (await read(caller, "/api/v2/audit")).items;
  assertEquals(
    audit.map(({ operation, subjectId, revision }: Json) => [operation, subjectId, revision]),
    [["taxonomy.import", executionId, null]],
  );
  const executions = await world().rows(`
    select execution_id, feature_id, output::text from executions
     where owner_id = '${caller.accountId}'`);
  assertEquals(executions.map((row) => Object.values(row)), [[
    executionId,
    "TAX-008",
    `{"format":"prs-taxonomy","version":1,"conflictMode":"REJECT","created":3,"skipped":0}`,
  ]]);
  await assertWritesNothing(world(), async () => {
    const again = await caller.call("POST", IMPORTS, { key, body });
    assertEquals([again.status, again.body.data], [200, response.body.data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  });
});

Deno.test("An invalid file is rejected as a whole", async () => {
  const caller = await world().createCaller();
  const good = fileTerm("TAG", "Good");
  const { terms: _, ...file } = fileOf([]);
  const many = (count: number) => Array.from({ length: count }, (_, n) => fileTerm("TAG", `${n}`));
  const withoutAliases = { kind: "TAG", name: "A", active: true };
  const refused: readonly (readonly [JsonObject, string, readonly string[]])[] = [
    [{ ...file, terms: [] }, "field.length", ["terms"]],
    [{ ...file, terms: many(2_001) }, "field.length", ["terms"]],
    [{ ...file, terms: [good], format: "prs" }, "field.option", ["format"]],
    [{ ...file, terms: [good], version: 2 }, "field.option", ["version"]],
    [{ ...file, terms: [good], conflictMode: "MERGE" }, "field.option", ["conflictMode"]],
    [{ ...file, terms: [good], count: 1 }, "undeclared_field", []],
    [fileOf([good, withoutAliases]), "field.required", ["aliases"]],
    [fileOf([good, fileTerm("TAG", " ")]), "field.blank", ["name"]],
    [fileOf([good, fileTerm("TAG", "A", { color: "#12345" })]), "taxonomy.color_is_hexadecimal", [
      "color",
    ]],
    [fileOf([good, fileTerm("TAG", "A", { sortOrder: -1 })]), "field.range", ["sortOrder"]],
    [fileOf([good, fileTerm("TAG", "A", { termId: ulid() })]), "undeclared_field", []],
    [
      fileOf([good, fileTerm("TAG", "A", { parent: "Good" })]),
      "taxonomy.parent_id_requires_category",
      ["parent", "kind"],
    ],
    [
      fileOf([good, fileTerm("TAG", "A", { aliases: ["ａ"] })]),
      "taxonomy.no_alias_is_the_name",
      ["aliases", "name"],
    ],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [body, rule, fields] of refused) {
      assertInvalid(await post(caller, IMPORTS, body), [rule], fields, rule);
    }
  });
});

Deno.test("Conflicts leave nothing, and the first in the contract's order is reported", async () => {
  const caller = await world().createCaller();
  await tag(caller, "Taken", { aliases: ["Other"] });
  const ended = await category(caller, "Ended");
  await act(caller, ended, "deactivate");
  const c = (name: string, parent?: string, more: JsonObject = {}) =>
    fileTerm("CATEGORY", name, { ...(parent !== undefined && { parent }), ...more });
  const chain = (length: number) =>
    Array.from({ length }, (_, n) => c(`Level ${n}`, n === 0 ? undefined : `level ${n - 1}`));
  const tagTaken = [fileTerm("TAG", "Free", { aliases: ["TAKEN"] })];
  const cycle = [c("A", "B"), c("B", "C"), c("C", "a")];
  const cases: readonly (readonly [readonly JsonObject[], string])[] = [
    [tagTaken, "TAXONOMY_TAG_NAME_CONFLICT"],
    [[fileTerm("TAG", "other")], "TAXONOMY_TAG_NAME_CONFLICT"],
    [[fileTerm("TAG", "a"), fileTerm("TAG", "Ａ")], "TAXONOMY_TAG_NAME_CONFLICT"],
    [
      [fileTerm("TAG", "a"), fileTerm("TAG", "b", { aliases: ["A"] })],
      "TAXONOMY_TAG_NAME_CONFLICT",
    ],
    [[c("ended")], "TAXONOMY_CATEGORY_NAME_CONFLICT"],
    [[c("a"), c("b", undefined, { aliases: ["A"] })], "TAXONOMY_CATEGORY_NAME_CONFLICT"],
    [[c("a", "nowhere")], "TAXONOMY_CATEGORY_PARENT_INVALID"],
    [[c("a", "Taken")], "TAXONOMY_CATEGORY_PARENT_INVALID"],
    [[c("a", "Ended")], "TAXONOMY_CATEGORY_PARENT_INVALID"],
    [[c("a", "b"), c("b", undefined, { active: false })], "TAXONOMY_CATEGORY_PARENT_INVALID"],
    [[c("a", "A")], "TAXONOMY_CATEGORY_CYCLE"],
    [cycle, "TAXONOMY_CATEGORY_CYCLE"],
    [chain(9), "TAXONOMY_CATEGORY_DEPTH_EXCEEDED"],
    [[...tagTaken, ...chain(9)], "TAXONOMY_CATEGORY_DEPTH_EXCEEDED"],
    [[...tagTaken, ...chain(9), ...cycle], "TAXONOMY_CATEGORY_CYCLE"],
    [[...tagTaken, ...chain(9), ...cycle, c("x", "y")], "TAXONOMY_CATEGORY_PARENT_INVALID"],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [terms, code] of cases) {
      for (const order of [terms, terms.toReversed()]) {
        assertFailure(await post(caller, IMPORTS, fileOf(order)), code as never, code);
      }
    }
  });
  // Names are unique per kind; eight levels are allowed.
  await done(caller, IMPORTS, fileOf([c("Taken"), ...chain(8).toReversed()]));
});

Deno.test("Skipped terms stay unchanged, and imported children are attached to them", async () => {
  const caller = await world().createCaller();
  const home = await category(caller, "Home", null, { aliases: ["House"], color: "#000000" });
  const label = await tag(caller, "Label");
  const terms = [
    fileTerm("CATEGORY", "HOME", { parent: "Elsewhere", color: "#ffffff" }),
    fileTerm("CATEGORY", "house", { aliases: ["Building"] }),
    fileTerm("CATEGORY", "Garden", { parent: "Home" }),
    fileTerm("CATEGORY", "Roof", { parent: "House" }),
    fileTerm("CATEGORY", "Shed", { parent: "garden" }),
    fileTerm("TAG", "label", { aliases: ["Etiquette"] }),
    fileTerm("TAG", "New"),
  ];
  const imported = await done(caller, IMPORTS, fileOf(terms, "SKIP"));
  assertEquals([imported.created, imported.skipped], [4, 3]);
  assertEquals(await read(caller, termPath(home)), home);
  assertEquals(await read(caller, termPath(label)), label);
  const { items } = await read(caller, TREE);
  const names = (nodes: Json): Json =>
    nodes.map(({ name, children }: Json) => [name, names(children)]);
  assertEquals(names(items), [["Home", [["Garden", [["Shed", []]]], ["Roof", []]]]]);
  await assertWritesNothing(world(), async () => {
    // The name is free, the alias is taken.
    const clash = fileOf([fileTerm("TAG", "Free", { aliases: ["LABEL"] })], "SKIP");
    assertFailure(await post(caller, IMPORTS, clash), "TAXONOMY_TAG_NAME_CONFLICT");
    // Terms of a file are distinct, skipped or not.
    const twice = fileOf([fileTerm("TAG", "Label"), fileTerm("TAG", "LABEL")], "SKIP");
    assertFailure(await post(caller, IMPORTS, twice), "TAXONOMY_TAG_NAME_CONFLICT");
  });
  const again = await done(caller, IMPORTS, fileOf(terms, "SKIP"));
  assertEquals([again.created, again.skipped], [0, 7]);
  // A stored parent works too, unless inactive.
  const below = fileOf([fileTerm("CATEGORY", "Cellar", { parent: "building" })]);
  assertFailure(await post(caller, IMPORTS, below), "TAXONOMY_CATEGORY_PARENT_INVALID");
  await patch(caller, termPath(home), {
    expectedRevision: 1,
    set: { aliases: ["House", "Building"] },
  });
  await done(caller, IMPORTS, below);
});

/** Names in several scripts. */
function randomFile(seed: number, count: number): readonly JsonObject[] {
  const random = seededRandom(seed);
  const levels = new Map<string, number>();
  const inactive = new Set<string>();
  return Array.from({ length: count }, (_, index) => {
    const isCategory = random.chance(0.9);
    const name = `${random.text(1, 40)} ${index}`;
    const parents = [...levels].filter(([, level]) => level < 8).map(([parent]) => parent);
    const parent = isCategory && parents.length > 0 && random.chance(0.9)
      ? random.pick(parents)
      : undefined;
    const active = (parent === undefined || !inactive.has(parent)) && random.chance(0.95);
    if (isCategory) levels.set(name, (levels.get(parent ?? "") ?? 0) + 1);
    if (!active) inactive.add(name);
    const aliases = Array.from({ length: random.integer(0, 2) }, (_, n) => `alias ${index} ${n} É`);
    return fileTerm(isCategory ? "CATEGORY" : "TAG", name, {
      aliases,
      active,
      ...(parent !== undefined && { parent }),
      ...(random.chance(0.3) && { sortOrder: random.integer(0, 5) }),
      ...(random.chance(0.3) && { description: random.text(0, 60) }),
      ...(random.chance(0.3) && { color: "#0a1B2c" }),
    });
  });
}

Deno.test("Two thousand terms are imported, and hundreds exported to equal bytes", async () => {
  const [most, here, there] = await Promise.all(
    Array.from({ length: 3 }, () => world().createCaller()),
  ) as [Caller, Caller, Caller];
  const largest = await done(most, IMPORTS, fileOf(randomFile(18, 2_000)));
  assertEquals([largest.created, largest.skipped], [2_000, 0]);

  const terms = randomFile(19, 300);
  await done(here, IMPORTS, fileOf(terms));
  const { items } = await read(here, `${TREE}?inactive=include`);
  const countOf = (nodes: Json): number =>
    nodes.reduce((sum: number, { children }: Json) => sum + 1 + countOf(children), 0);
  assertEquals(countOf(items), terms.filter(({ kind }) => kind === "CATEGORY").length);
  const data = await exported(here);
  await importInto(there, data);
  assertEquals(await exported(there), data);
});
