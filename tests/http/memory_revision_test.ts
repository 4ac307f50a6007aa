/** MEM-004: revisions that a client states, and their exact read-back. */

import { assertEquals } from "@std/assert";
import { sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, post, read, remember, textPath } from "./memory.ts";

const world = sharedWorld();

Deno.test("Every revision reads back exactly as it was answered", async () => {
  const person = await world().person();
  const first = await remember(person, {
    occurredAt: "2001-05-01T00:00:00Z",
    timePrecision: "YEAR",
  });
  const path = textPath(first, "/revisions");
  const states = [first];
  const changes = [
    { title: "B", summary: "s", memoryType: "STORY", currentContent: "Other\n", importance: 1 },
    { currentContent: "Once more" },
    { importance: 5 },
  ];
  for (const change of changes) {
    world().advance(1000);
    const expectedRevision = states.length;
    states.push(await done(person, path, { expectedRevision, ...change }));
  }
  states.forEach((state, index) => {
    const expected = { ...states[Math.max(0, index - 1)], ...changes[index - 1] };
    const { updatedAt, revision } = state;
    assertEquals(state, { ...expected, updatedAt, revision: index + 1 }, `${revision}`);
  });
  const items = (await walkPages(person, path, { limit: "2" })).flat().toReversed();
  for (const [index, { revisionId, change, ...item }] of items.entries()) {
    assertEquals(item, states[index]);
    assertEquals(change, index === 0 ? "CREATED" : "REVISED");
    assertEquals(await read(person, `${path}/${index + 1}`), { ...item, revisionId, change });
  }
  assertFailure(await person.call("GET", `${path}/5`), "RECORD_NOT_FOUND");
  for (const wrong of ["0", "x", "1.5", "2147483648"]) {
    const response = await person.call("GET", `${path}/${wrong}`);
    assertEquals(response.body.error.code, "PAYLOAD_INVALID", wrong);
  }
});

Deno.test("A revision that changes nothing, names nothing or is stale appends nothing", async () => {
  const person = await world().person();
  const memory = await remember(person, { importance: 2 });
  const path = textPath(memory, "/revisions");
  const same = { expectedRevision: 1, title: memory.title, importance: 2 };
  assertEquals(await done(person, path, same), memory);
  await assertWritesNothing(world(), async () => {
    assertInvalid(await post(person, path, { expectedRevision: 1 }), ["change.required"]);
    assertInvalid(await post(person, path, { title: "B" }), ["field.required"], [
      "expectedRevision",
    ]);
    const original = { expectedRevision: 1, originalContent: "Forged" };
    assertInvalid(await post(person, path, original), ["undeclared_field"]);
    const stale = await post(person, path, { expectedRevision: 2, title: "B" });
    const details = { expectedRevision: 2, currentRevision: 1 };
    assertEquals(assertFailure(stale, "REVISION_CONFLICT"), details);
  });
});

Deno.test("An archived memory may be revised and stays archived", async () => {
  const person = await world().person();
  const memory = await remember(person);
  const archived = await done(person, textPath(memory, "/archive"), {});
  const body = { expectedRevision: 2, title: "B" };
  const revised = await done(person, textPath(memory, "/revisions"), body);
  assertEquals([revised.title, revised.archivedAt], ["B", archived.archivedAt]);
});

Deno.test("The cursor of one memory's revisions is none of another's", async () => {
  const person = await world().person();
  const [one, other] = [await remember(person), await remember(person)];
  const { items: [{ revisionId }] } = await read(person, textPath(one, "/revisions"));
  const response = await person.call("GET", textPath(other, `/revisions?cursor=${revisionId}`));
  assertInvalid(response, ["cursor.unknown"], ["cursor"]);
});
