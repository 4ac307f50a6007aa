/** Writes of the taxonomy of which one waits for the other: the second sees what the first has made. */

import { assertEquals } from "@std/assert";
import { assertFailure } from "../http/kernel.ts";
import { post, read } from "../http/memory.ts";
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
} from "../http/taxonomy.ts";
import { type Json, type Person, sharedWorld, type TestResponse } from "../support/world.ts";
import { ENDINGS, race } from "./holding.ts";

const world = sharedWorld();

function move(person: Person, moved: Json, parent: Json): Promise<TestResponse> {
  const body = { expectedRevision: moved.revision, parentId: parent.termId };
  return post(person, termPath(moved, "/move"), body);
}

Deno.test("A write that waited for the tree sees what the one before it has made of the parents", async () => {
  const person = await world().person();
  const [left, right] = [await category(person, "Left"), await category(person, "Right")];
  const crossed = await race(world(), person, [
    (person) => move(person, left, right),
    (person) => move(person, right, left),
  ]);
  assertEquals(crossed[0].status, 200);
  assertFailure(crossed[1], "TAXONOMY_CATEGORY_CYCLE");

  const parent = await category(person, "Parent");
  const ended = await race(world(), person, [
    (person) => post(person, termPath(parent, "/deactivate"), {}),
    (person) => post(person, CATEGORIES, { name: "Below", parentId: parent.termId }),
  ]);
  assertEquals(ended[0].status, 200);
  assertFailure(ended[1], "TAXONOMY_CATEGORY_PARENT_INVALID");

  const used = await act(person, parent, "reactivate");
  const filled = await race(world(), person, [
    (person) => post(person, CATEGORIES, { name: "Below", parentId: used.termId }),
    (person) => post(person, termPath(used, "/deactivate"), {}),
  ]);
  assertEquals(filled[0].status, 201);
  assertFailure(filled[1], "TAXONOMY_STATE_CONFLICT");

  let [seventh, deep] = [await category(person, "Level 1"), await category(person, "Deep")];
  for (let level = 2; level <= 7; level++) {
    seventh = await category(person, `Level ${level}`, seventh);
  }
  const nested = await race(world(), person, [
    (person) => post(person, CATEGORIES, { name: "In the deep", parentId: deep.termId }),
    (person) => move(person, deep, seventh),
  ]);
  assertEquals(nested[0].status, 201);
  assertFailure(nested[1], "TAXONOMY_CATEGORY_DEPTH_EXCEEDED");
  deep = await read(person, termPath(deep));
  assertEquals(deep.parentId, null);
  await read(person, TREE);
});

Deno.test("A name that is being freed is waited for, and one that is being taken too", async () => {
  const person = await world().person();
  const term = await tag(person, "Old", { aliases: ["Other"] });
  const rename = (person: Person) =>
    post(person, termPath(term, "/rename"), { expectedRevision: 1, name: "New" });
  const freed = await race(world(), person, [
    rename,
    (person) => post(person, TAGS, { name: "OLD" }),
  ]);
  assertEquals(freed.map(({ status }) => status), [200, 201], freed[1].text);
  const create = (person: Person) => post(person, TAGS, { name: "Third", aliases: ["Fourth"] });
  const taken = await race(world(), person, [
    create,
    (person) =>
      patch(person, termPath(term), { expectedRevision: 2, set: { aliases: ["FOURTH"] } }),
  ]);
  assertEquals(taken[0].status, 201);
  assertFailure(taken[1], "TAXONOMY_TAG_NAME_CONFLICT");
  const imported = await race(world(), person, [
    (person) => post(person, IMPORTS, fileOf([fileTerm("TAG", "Fifth")])),
    (person) => post(person, IMPORTS, fileOf([fileTerm("TAG", "fifth")], "SKIP")),
  ]);
  assertEquals(imported.map(({ status }) => status), [200, 200], imported[1].text);
  assertEquals([imported[1].body.data.created, imported[1].body.data.skipped], [0, 1]);
});

Deno.test("A merge and an assignment wait for each other, and no record keeps a merged tag", async () => {
  const person = await world().person();
  const record = await makeRecord(person);
  const [first, second, target] = [
    await tag(person, "A"),
    await tag(person, "B"),
    await tag(person, "C"),
  ];
  const merge = (source: Json) => (person: Person) =>
    post(person, termPath(source, "/merge"), { expectedRevision: 1, intoId: target.termId });
  const late = await race(world(), person, [
    merge(first),
    (person) => post(person, ASSIGNMENTS, carrying(first, record)),
  ]);
  assertEquals(late[0].status, 200);
  assertFailure(late[1], "TAXONOMY_STATE_CONFLICT");
  const early = await race(world(), person, [
    (person) => post(person, ASSIGNMENTS, carrying(second, record)),
    merge(second),
  ]);
  assertEquals(early.map(({ status }) => status), [200, 200], early[1].text);
  const { items } = await read(person, `${ASSIGNMENTS}?termId=${target.termId}`);
  assertEquals(items.map(({ recordId }: Json) => recordId), [record.recordId]);
});

for (const ending of ENDINGS) {
  Deno.test(`A write that was ${ending} gives back its locks, and only a committed one is seen`, async () => {
    const person = await world().person();
    const [left, right] = [await category(person, "Left"), await category(person, "Right")];
    const isSeen = ending === "committed";
    const moved = await race(world(), person, [
      (person) => move(person, left, right),
      (person) => move(person, right, left),
    ], ending);
    assertEquals(moved[1].status, isSeen ? 409 : 200);
    const created = await race(world(), person, [
      (person) => post(person, TAGS, { name: "Name" }),
      (person) => post(person, TAGS, { name: "name" }),
    ], ending);
    assertEquals(created[1].status, isSeen ? 409 : 201);
  });
}
