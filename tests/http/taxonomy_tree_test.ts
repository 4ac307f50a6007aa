/** TAX-002: creation, moves, activity and the tree. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing } from "./kernel.ts";
import { done, post, read } from "../families/memory/api.ts";
import {
  act,
  actOn,
  assertKeepsKeyOnly,
  CATEGORIES,
  category,
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

/** Each under the one before. */
async function chain(caller: Caller, length: number, prefix = "Level"): Promise<Json[]> {
  const made: Json[] = [];
  for (let level = 1; level <= length; level++) {
    made.push(await category(caller, `${prefix} ${level}`, made.at(-1) ?? null));
  }
  return made;
}

/** Lists the names level by level. */
function namesIn(nodes: readonly Json[]): Json {
  return nodes.map(({ name, children }) =>
    children.length === 0 ? name : { [name]: namesIn(children) }
  );
}

function move(caller: Caller, moved: Json, parentId: string | null) {
  return post(caller, termPath(moved, "/move"), { expectedRevision: moved.revision, parentId });
}

Deno.test("Tree has all categories in their hierarchy, siblings in order", async () => {
  const caller = await world().createCaller();
  const root = await category(caller, "Root");
  const made = [
    await category(caller, "zebra", root, { sortOrder: 1 }),
    await category(caller, "Äpfel", root),
    await category(caller, "apples", root),
    await category(caller, "Ｂears", root),
    await category(caller, "yak", root, { sortOrder: 0 }),
  ];
  const below = await category(caller, "Under", made[1]);
  const alone = await category(caller, "Another root");
  await tag(caller, "No category");
  const { items } = await read(caller, TREE);
  const names = { Root: ["yak", "zebra", "apples", "Ｂears", { "Äpfel": ["Under"] }] };
  assertEquals(namesIn(items), ["Another root", names]);
  const node = items[1].children[4].children[0];
  assertEquals(node, { ...below, depth: 3, children: [] });
  assertEquals(items[0], { ...alone, depth: 1, children: [] });
  assertEquals(await read(await world().createCaller(), TREE), { items: [] });
});

Deno.test("Tree omits inactive categories unless requested", async () => {
  const caller = await world().createCaller();
  const [root, middle, leaf] = await chain(caller, 3);
  for (const term of [leaf, middle]) await act(caller, term, "deactivate");
  assertEquals(namesIn((await read(caller, TREE)).items), ["Level 1"]);
  assertEquals(namesIn((await read(caller, `${TREE}?inactive=exclude`)).items), ["Level 1"]);
  const { items } = await read(caller, `${TREE}?inactive=include`);
  assertEquals(namesIn(items), [{ "Level 1": [{ "Level 2": ["Level 3"] }] }]);
  assertEquals(items[0].children[0].active, false);
  assertInvalid(await caller.call("GET", `${TREE}?inactive=only`), ["field.option"], ["inactive"]);
  assertInvalid(await caller.call("GET", `${TREE}?limit=1`), ["undeclared_field"], ["limit"]);
  assertEquals(root?.termId, items[0].termId);
});

Deno.test("List of categories shows the direct children of one, or the top", async () => {
  const caller = await world().createCaller();
  const [root, middle, leaf] = await chain(caller, 3);
  world().advance(1);
  const second = await category(caller, "Second", root);
  const listed = async (query: string) =>
    (await read(caller, `${CATEGORIES}?${query}`)).items.map(({ termId }: Json) => termId);
  assertEquals(await listed("parentId=root"), [root.termId]);
  assertEquals(await listed(`parentId=${root.termId}`), [second.termId, middle.termId]);
  assertEquals(await listed(`parentId=${root.termId}&limit=1&cursor=${second.termId}`), [
    middle.termId,
  ]);
  assertEquals(await listed(`parentId=${leaf.termId}`), []);
  assertEquals(await listed(`parentId=${ulid()}`), []);
  assertEquals((await listed("")).length, 4);
  await act(caller, second, "deactivate");
  assertEquals(await listed(`parentId=${root.termId}`), [middle.termId]);
  assertEquals(await listed(`parentId=${root.termId}&inactive=only`), [second.termId]);
  for (const wrong of ["Root", "", root.termId.toLowerCase()]) {
    const response = await caller.call("GET", `${CATEGORIES}?parentId=${wrong}`);
    assertInvalid(response, ["field.identifier"], ["parentId"]);
  }
  assertInvalid(await caller.call("GET", `${TAGS}?parentId=root`), ["undeclared_field"], [
    "parentId",
  ]);
});

Deno.test("A missing, foreign, inactive or tag parent is rejected alike", async () => {
  const caller = await world().createCaller();
  const ended = await category(caller, "Ended");
  await act(caller, ended, "deactivate");
  const foreign = await category(await world().createCaller(), "Foreign");
  const moved = await category(caller, "Moved");
  const parents = [ulid(), foreign.termId, (await tag(caller, "A tag")).termId, ended.termId];
  await assertWritesNothing(world(), async () => {
    for (const parentId of parents) {
      const made = await post(caller, CATEGORIES, { name: "Below", parentId });
      assertFailure(made, "TAXONOMY_CATEGORY_PARENT_INVALID");
      assertFailure(await move(caller, moved, parentId), "TAXONOMY_CATEGORY_PARENT_INVALID");
    }
  });
});

Deno.test("A ninth level is rejected, for a category and its descendants", async () => {
  const caller = await world().createCaller();
  const levels = await chain(caller, 8);
  const below = await post(caller, CATEGORIES, { name: "Ninth", parentId: levels[7].termId });
  assertEquals(assertFailure(below, "TAXONOMY_CATEGORY_DEPTH_EXCEEDED"), { limit: 8 });
  const others = await chain(caller, 3, "Other");
  const refused = await move(caller, others[0], levels[5].termId);
  assertFailure(refused, "TAXONOMY_CATEGORY_DEPTH_EXCEEDED");
  const moved = await move(caller, others[0], levels[4].termId);
  assertEquals([moved.status, moved.body.data.parentId], [200, levels[4].termId], moved.text);
  assertEquals((await move(caller, moved.body.data, null)).body.data.parentId, null);
  // Inactive ones count: they may be reactivated.
  for (const term of others.toReversed()) await act(caller, term, "deactivate");
  const deep = await category(caller, "Deep", levels[6]);
  assertEquals(deep.parentId, levels[6].termId);
});

Deno.test("A category never becomes its own descendant", async () => {
  const caller = await world().createCaller();
  const levels = await chain(caller, 4);
  await assertWritesNothing(world(), async () => {
    for (const parent of levels) {
      const response = await move(caller, levels[0], parent.termId);
      assertFailure(response, "TAXONOMY_CATEGORY_CYCLE");
    }
  });
  // In two steps without a cycle.
  const [first, second, third] = levels;
  assertEquals((await move(caller, third, null)).status, 200);
  assertEquals((await move(caller, first, third.termId)).status, 200);
  const { items } = await read(caller, TREE);
  assertEquals(namesIn(items), [{ "Level 3": [{ "Level 1": ["Level 2"] }, "Level 4"] }]);
  assertEquals(second.parentId, first.termId);
});

Deno.test("A move is a revision, and one without effect writes nothing", async () => {
  const caller = await world().createCaller();
  const [root, middle, leaf] = await chain(caller, 3);
  world().advance(5);
  const { data: moved } = (await move(caller, leaf, root.termId)).body;
  assertEquals(moved, {
    ...leaf,
    parentId: root.termId,
    revision: 2,
    updatedAt: world().now().toISOString(),
  });
  for (const still of [moved, root]) {
    const again = await assertKeepsKeyOnly(world(), () => move(caller, still, still.parentId));
    assertEquals([again.status, again.body.data], [200, still], again.text);
  }
  const { items } = await read(caller, termPath(leaf, "/revisions"));
  assertEquals(items.map(({ change, parentId }: Json) => [change, parentId]), [
    ["MOVED", root.termId],
    ["CREATED", middle.termId],
  ]);
  const path = termPath(leaf, "/move");
  const expectedRevision = 2;
  assertInvalid(await post(caller, path, { expectedRevision }), ["field.required"], ["parentId"]);
  const body = { expectedRevision, parentId: "root" };
  assertInvalid(await post(caller, path, body), ["field.identifier"], ["parentId"]);
  assertInvalid(await post(caller, path, { parentId: null }), ["field.required"], [
    "expectedRevision",
  ]);
  assertFailure(
    await post(caller, path, { ...body, parentId: null, expectedRevision: 1 }),
    "REVISION_CONFLICT",
  );
  const lost = `${CATEGORIES}/${ulid()}/move`;
  assertFailure(await post(caller, lost, { ...body, parentId: null }), "RECORD_NOT_FOUND");
  const tagged = termPath(await tag(caller, "A tag"), "/move");
  assertFailure(await post(caller, tagged, { ...body, parentId: null }), "HTTP_404");
});

Deno.test("An active category's parent is always active", async () => {
  const caller = await world().createCaller();
  const [root, middle, leaf] = await chain(caller, 3);
  for (const parent of [root, middle]) {
    const response = await post(caller, termPath(parent, "/deactivate"), {});
    assertFailure(response, "TAXONOMY_STATE_CONFLICT");
  }
  for (const term of [leaf, middle, root]) await act(caller, term, "deactivate");
  for (const term of [leaf, middle]) {
    const response = await post(caller, termPath(term, "/reactivate"), {});
    assertFailure(response, "TAXONOMY_CATEGORY_PARENT_INVALID");
    const moved = await post(caller, termPath(term, "/move"), {
      expectedRevision: 2,
      parentId: null,
    });
    assertFailure(moved, "TAXONOMY_STATE_CONFLICT");
  }
  for (const term of [root, middle, leaf]) {
    assertEquals((await act(caller, term, "reactivate")).active, true);
  }
});

Deno.test("Of all errors of a write the first in the contract's order is reported", async () => {
  const caller = await world().createCaller();
  const levels = await chain(caller, 8);
  const ended = await category(caller, "Ended");
  await act(caller, ended, "deactivate");
  const taken = { name: "LEVEL 1" };
  const creations = [
    [{ ...taken, color: "red", parentId: ended.termId }, "PAYLOAD_INVALID"],
    [{ ...taken, parentId: ended.termId }, "TAXONOMY_CATEGORY_PARENT_INVALID"],
    [{ ...taken, parentId: levels[7].termId }, "TAXONOMY_CATEGORY_DEPTH_EXCEEDED"],
    [{ ...taken, parentId: levels[0].termId }, "TAXONOMY_CATEGORY_NAME_CONFLICT"],
  ] as const;
  for (const [body, code] of creations) assertFailure(await post(caller, CATEGORIES, body), code);
  const path = termPath(ended);
  const lost = `${CATEGORIES}/${ulid()}`;
  const [stale, present] = [{ expectedRevision: 1 }, { expectedRevision: 2 }];
  const parentId = ended.termId;
  assertFailure(await post(caller, `${lost}/move`, { ...stale, parentId: "x" }), "PAYLOAD_INVALID");
  assertFailure(await post(caller, `${lost}/move`, { ...stale, parentId }), "RECORD_NOT_FOUND");
  assertFailure(await post(caller, `${path}/move`, { ...stale, parentId }), "REVISION_CONFLICT");
  const own = await post(caller, `${path}/move`, { ...present, parentId });
  assertFailure(own, "TAXONOMY_STATE_CONFLICT");
  assertFailure(await post(caller, `${path}/rename`, { ...stale, ...taken }), "REVISION_CONFLICT");
  const renamed = await post(caller, `${path}/rename`, { ...present, ...taken });
  assertFailure(renamed, "TAXONOMY_STATE_CONFLICT");
  // Validation precedes the term's look-up, names follow it.
  const aliases = ["Ended"];
  assertFailure(await patch(caller, lost, { ...stale, set: { color: "red" } }), "PAYLOAD_INVALID");
  assertFailure(await patch(caller, lost, { ...stale, set: { aliases } }), "RECORD_NOT_FOUND");
  assertFailure(await patch(caller, path, { ...stale, set: { aliases } }), "REVISION_CONFLICT");
  const still = await patch(caller, path, { ...present, set: { aliases } });
  assertFailure(still, "TAXONOMY_STATE_CONFLICT");
  // Cycles are reported before levels.
  const under = await move(caller, levels[0], levels[7].termId);
  assertFailure(under, "TAXONOMY_CATEGORY_CYCLE");
});

Deno.test("An owner has at most two thousand categories, active or not", async () => {
  const caller = await world().createCaller();
  const terms = Array.from(
    { length: 1_999 },
    (_, index) => fileTerm("CATEGORY", `Category ${index}`, { active: index % 2 === 0 }),
  );
  await done(caller, IMPORTS, fileOf(terms));
  const root = await category(caller, "The last one");
  await assertWritesNothing(world(), async () => {
    for (const parentId of [undefined, root.termId, ulid()]) {
      const body = { name: "The last one", ...(parentId !== undefined && { parentId }) };
      assertFailure(await post(caller, CATEGORIES, body), "TAXONOMY_STATE_CONFLICT");
    }
    const one = fileOf([fileTerm("CATEGORY", "One more")]);
    assertFailure(await post(caller, IMPORTS, one), "TAXONOMY_STATE_CONFLICT");
  });
  await tag(caller, "Tags are not counted");
  await actOn(caller, root, "rename", { name: "Still the last one" });
  assertEquals((await read(caller, `${TREE}?inactive=include`)).items.length, 2_000);
});
