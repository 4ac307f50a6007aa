// engines: postgres

import { assert, assertEquals } from "@std/assert";
import { readCommand } from "../../src/operator/admin/command.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { DEMO_TAXONOMY } from "../../src/operator/seed/demo/samples.ts";
import { QUESTION_BANK } from "../../src/operator/seed/question_bank.ts";
import { STARTER_CATEGORIES, STARTER_TAGS } from "../../src/operator/seed/starter_taxonomy.ts";
import { comparedForm } from "../../src/families/taxonomy/name.ts";
import { assertWritesNothing, walkPages } from "../http/kernel.ts";
import { read } from "../families/memory/api.ts";
import {
  act,
  actOn,
  ASSIGNMENTS,
  CATEGORIES,
  category,
  tag,
  TAGS,
  TREE,
} from "../families/taxonomy/api.ts";
import { type Caller, fileWorld, type Json, type World } from "../support/world.ts";
import { demoLife } from "./demo_life.ts";
import { emailOf, servicesOf } from "./operator.ts";

async function seed(world: World, routine: "catalog", caller: Caller): Promise<string> {
  const command = readCommand({ command: `seed ${routine}`, owner: emailOf(caller) });
  return (await runAdminCommand(servicesOf(world), command)).join("\n");
}

async function termsOf(caller: Caller): Promise<Json[]> {
  const listed = (path: string) => walkPages(caller, path, { inactive: "include", limit: "100" });
  return [...await listed(TAGS), ...await listed(CATEGORIES)].flat();
}

/** Nests the names as the tree does. */
function namesOf(nodes: Json[]): Json[] {
  return nodes.map(({ name, children }) => [name, ...namesOf(children)]);
}

const world = fileWorld();

const NAMES = [...STARTER_TAGS, ...STARTER_CATEGORIES.map(({ name }) => name)];

Deno.test("Names of the starter taxonomy and of the sample life are distinct, within each and by kind", () => {
  const sample = [...DEMO_TAXONOMY.tags, ...DEMO_TAXONOMY.categories].map(({ name }) => name);
  for (const names of [NAMES, sample]) {
    assertEquals(new Set(names.map(comparedForm)).size, names.length);
  }
  // Shared names: the later one uses the existing term.
  const tags = new Set([...STARTER_TAGS, ...DEMO_TAXONOMY.tags.map(({ name }) => name)]);
  for (const { name } of [...STARTER_CATEGORIES, ...DEMO_TAXONOMY.categories]) {
    assert(!tags.has(name), name);
  }
});

Deno.test("Starter taxonomy is created once, as seeded tags and a tree of categories", async () => {
  const caller = await world().createCaller();
  const count = QUESTION_BANK.length + NAMES.length;
  assertEquals(await seed(world(), "catalog", caller), `Added ${count} items to the account`);
  const terms = await termsOf(caller);
  assertEquals(terms.map(({ name }) => name).sort(), NAMES.toSorted());
  assert(terms.every(({ active, revision }) => active && revision === 1));
  const records = (await walkPages(caller, "/api/v2/records/taxonomy", { limit: "100" })).flat();
  assertEquals(records.map(({ sourceType }) => sourceType), terms.map(() => "SEED"));
  const { items } = await read(caller, TREE);
  const below = (name?: string) =>
    STARTER_CATEGORIES.filter(({ parent }) => parent === name).map(({ name }) => name).sort();
  assertEquals(
    namesOf(items),
    below().map((name) => [name, ...below(name).map((child) => [child])]),
  );
  await assertWritesNothing(world(), async () => {
    assertEquals(
      await seed(world(), "catalog", caller),
      `Nothing was changed: all ${count} items already existed`,
    );
  });
});

Deno.test("Term that its owner renamed, moved or deactivated is not created again, even without envelopes", async () => {
  const caller = await world().createCaller();
  await seed(world(), "catalog", caller);
  const terms = await termsOf(caller);
  const named = (name: string) => terms.find((term) => term.name === name);
  await actOn(caller, named("Idea"), "rename", { name: "Thought" });
  await actOn(caller, named("Habit"), "merge", { intoId: named("Tradition").termId });
  await actOn(caller, named("Reading"), "move", { parentId: null });
  await act(caller, named("Faith"), "deactivate");
  await world().raw(`
    alter table idempotency_envelopes disable trigger all;
    delete from idempotency_envelopes;
    alter table idempotency_envelopes enable always trigger fixed;
    alter table idempotency_envelopes enable always trigger retained`);
  await assertWritesNothing(world(), () => seed(world(), "catalog", caller));
});

Deno.test("Starter taxonomy leaves an owner's own terms unchanged, and joins them", async () => {
  const caller = await world().createCaller();
  await tag(caller, "Notion", { aliases: ["IDEA"] });
  const work = await category(caller, "work", null);
  const fitness = await category(caller, "Fitness", null, { aliases: ["Health"] });
  const kitchen = await category(caller, "Food", work);
  const learning = await act(caller, await category(caller, "Learning", null), "deactivate");
  await seed(world(), "catalog", caller);
  const terms = await termsOf(caller);
  const named = (name: string) => terms.filter((term) => term.name === name);
  assertEquals(["Idea", "Work", "Health"].map((name) => named(name).length), [0, 0, 0]);
  assertEquals(named("Career")[0].parentId, work.termId);
  assertEquals(named("Sleep")[0].parentId, fitness.termId);
  assertEquals(named("Food"), [kitchen]);
  // Not under a deactivated category.
  assertEquals(named("Learning"), [learning]);
  assertEquals(named("Reading"), []);
  await assertWritesNothing(world(), () => seed(world(), "catalog", caller));
});

Deno.test("Sample life has tags and categories on its records", async () => {
  const { caller } = await demoLife();
  const terms = await termsOf(caller);
  const samples = [...DEMO_TAXONOMY.tags, ...DEMO_TAXONOMY.categories];
  assertEquals(terms.length, samples.length);
  assert(terms.some(({ active }) => !active));
  for (const sample of samples) {
    const name = ("renamed" in sample ? sample.renamed : undefined) ?? sample.name;
    const term = terms.find((each) => each.name === name);
    assertEquals(term.aliases.includes(sample.name), name !== sample.name, name);
    const carried = (await walkPages(caller, ASSIGNMENTS, { termId: term.termId })).flat();
    const records = await Promise.all(
      carried.map(({ moduleCode, recordId }) =>
        read(caller, `/api/v2/records/${moduleCode}/${recordId}`)
      ),
    );
    assertEquals(
      records.map(({ moduleCode, title }) => `${moduleCode}/${title}`).sort(),
      (sample.records ?? []).toSorted(),
    );
  }
  const { items } = await read(caller, TREE);
  assertEquals(namesOf(items), [
    ["People", ["Family", ["Children"], ["Parents"]]],
    ["Health", ["Sport"]],
    ["Home", ["Garden", ["Orchard"]]],
  ]);
});
