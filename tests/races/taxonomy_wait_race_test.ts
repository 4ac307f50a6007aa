/** Waiting writes of taxonomy see the first one's result. */

import { assertEquals } from "@std/assert";
import { assertFailure } from "../http/kernel.ts";
import { post, read } from "../families/memory/api.ts";
import {
  act,
  ASSIGNMENTS,
  carrying,
  CATEGORIES,
  category,
  fileOf,
  fileTerm,
  IMPORTS,
  makeRecord,
  patch,
  tag,
  TAGS,
  termPath,
  TREE,
} from "../families/taxonomy/api.ts";
import { type Caller, type Json, sharedWorld, type TestResponse } from "../support/world.ts";
import { ENDINGS, race } from "./holding.ts";

const world = sharedWorld();

function move(caller: Caller, moved: Json, parent: Json): Promise<TestResponse> {
  const body = { expectedRevision: moved.revision, parentId: parent.termId };
  return post(caller, termPath(moved, "/move"), body);
}

Deno.test("A write that waited for the tree sees the parents' new state", async () => {
  const caller = await world().createCaller();
  const [left, right] = [await category(caller, "Left"), await category(caller, "Right")];
  const crossed = await race(world(), caller, [
    (caller) => move(caller, left, right),
    (caller) => move(caller, right, left),
  ]);
  assertEquals(crossed[0].status, 200);
  assertFailure(crossed[1], "TAXONOMY_CATEGORY_CYCLE");

  const parent = await category(caller, "Parent");
  const ended = await race(world(), caller, [
    (caller) => post(caller, termPath(parent, "/deactivate"), {}),
    (caller) => post(caller, CATEGORIES, { name: "Below", parentId: parent.termId }),
  ]);
  assertEquals(ended[0].status, 200);
  assertFailure(ended[1], "TAXONOMY_CATEGORY_PARENT_INVALID");

  const used = await act(caller, parent, "reactivate");
  const filled = await race(world(), caller, [
    (caller) => post(caller, CATEGORIES, { name: "Below", parentId: used.termId }),
    (caller) => post(caller, termPath(used, "/deactivate"), {}),
  ]);
  assertEquals(filled[0].status, 201);
  assertFailure(filled[1], "TAXONOMY_STATE_CONFLICT");

  let [seventh, deep] = [await category(caller, "Level 1"), await category(caller, "Deep")];
  for (let level = 2; level <= 7; level++) {
    seventh = await category(caller, `Level ${level}`, seventh);
  }
  const nested = await race(world(), caller, [
    (caller) => post(caller, CATEGORIES, { name: "In the deep", parentId: deep.termId }),
    (caller) => move(caller, deep, seventh),
  ]);
  assertEquals(nested[0].status, 201);
  assertFailure(nested[1], "TAXONOMY_CATEGORY_DEPTH_EXCEEDED");
  deep = await read(caller, termPath(deep));
  assertEquals(deep.parentId, null);
  await read(caller, TREE);
});

Deno.test("A name being freed or taken is awaited", async () => {
  const caller = await world().createCaller();
  const term = await tag(caller, "Old", { aliases: ["Other"] });
  const rename = (caller: Caller) =>
    post(caller, termPath(term, "/rename"), { expectedRevision: 1, name: "New" });
  const freed = await race(world(), caller, [
    rename,
    (caller) => post(caller, TAGS, { name: "OLD" }),
  ]);
  assertEquals(freed.map(({ status }) => status), [200, 201], freed[1].text);
  const create = (caller: Caller) => post(caller, TAGS, { name: "Third", aliases: ["Fourth"] });
  const taken = await race(world(), caller, [
    create,
    (caller) =>
      patch(caller, termPath(term), { expectedRevision: 2, set: { aliases: ["FOURTH"] } }),
  ]);
  assertEquals(taken[0].status, 201);
  assertFailure(taken[1], "TAXONOMY_TAG_NAME_CONFLICT");
  const imported = await race(world(), caller, [
    (caller) => post(caller, IMPORTS, fileOf([fileTerm("TAG", "Fifth")])),
    (caller) => post(caller, IMPORTS, fileOf([fileTerm("TAG", "fifth")], "SKIP")),
  ]);
  assertEquals(imported.map(({ status }) => status), [200, 200], imported[1].text);
  assertEquals([imported[1].body.data.created, imported[1].body.data.skipped], [0, 1]);
});

Deno.test("A merge and an assignment wait for each other, and no record keeps a merged tag", async () => {
  const caller = await world().createCaller();
  const record = await makeRecord(caller);
  const [first, second, target] = [
    await tag(caller, "A"),
    await tag(caller, "B"),
    await tag(caller, "C"),
  ];
  const merge = (source: Json) => (caller: Caller) =>
    post(caller, termPath(source, "/merge"), { expectedRevision: 1, intoId: target.termId });
  const late = await race(world(), caller, [
    merge(first),
    (caller) => post(caller, ASSIGNMENTS, carrying(first, record)),
  ]);
  assertEquals(late[0].status, 200);
  assertFailure(late[1], "TAXONOMY_STATE_CONFLICT");
  const early = await race(world(), caller, [
    (caller) => post(caller, ASSIGNMENTS, carrying(second, record)),
    merge(second),
  ]);
  assertEquals(early.map(({ status }) => status), [200, 200], early[1].text);
  const { items } = await read(caller, `${ASSIGNMENTS}?termId=${target.termId}`);
  assertEquals(items.map(({ recordId }: Json) => recordId), [record.recordId]);
});

for (const ending of ENDINGS) {
  Deno.test(`A write that was ${ending} releases its locks, and only a committed one is visible`, async () => {
    const caller = await world().createCaller();
    const [left, right] = [await category(caller, "Left"), await category(caller, "Right")];
    const isSeen = ending === "committed";
    const moved = await race(world(), caller, [
      (caller) => move(caller, left, right),
      (caller) => move(caller, right, left),
    ], ending);
    assertEquals(moved[1].status, isSeen ? 409 : 200);
    const created = await race(world(), caller, [
      (caller) => post(caller, TAGS, { name: "Name" }),
      (caller) => post(caller, TAGS, { name: "name" }),
    ], ending);
    assertEquals(created[1].status, isSeen ? 409 : 201);
  });
}
