/** MEM-004: revisions and their exact read-back. */

import { assertEquals } from "@std/assert";
import { sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  atRevision,
  walkPages,
} from "./kernel.ts";
import { done, post, read, remember, textPath } from "../families/memory/api.ts";

const world = sharedWorld();

Deno.test("Every revision reads back exactly as returned", async () => {
  const caller = await world().createCaller();
  const first = await remember(caller, {
    occurredAt: "2001-05-01T00:00:00+09:00[Asia/Tokyo]",
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
    states.push(await done(caller, path, { expectedRevision, ...change }));
  }
  states.forEach((state, index) => {
    const expected = { ...states[Math.max(0, index - 1)], ...changes[index - 1] };
    const { updatedAt, revision } = state;
    assertEquals(state, { ...expected, updatedAt, revision: index + 1 }, `${revision}`);
  });
  const items = (await walkPages(caller, path, { limit: "2" })).flat().toReversed();
  for (const [index, { revisionId, change, ...item }] of items.entries()) {
    assertEquals(item, atRevision(states[index]));
    assertEquals(change, index === 0 ? "CREATED" : "REVISED");
    assertEquals(await read(caller, `${path}/${index + 1}`), { ...item, revisionId, change });
  }
  assertFailure(await caller.call("GET", `${path}/5`), "RECORD_NOT_FOUND");
  for (const wrong of ["0", "x", "1.5", "2147483648"]) {
    const response = await caller.call("GET", `${path}/${wrong}`);
    assertEquals(response.body.error.code, "PAYLOAD_INVALID", wrong);
  }
});

Deno.test("A revision without effect, without fields or stale appends nothing", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { importance: 2 });
  const path = textPath(memory, "/revisions");
  const same = { expectedRevision: 1, title: memory.title, importance: 2 };
  assertEquals(await done(caller, path, same), memory);
  await assertWritesNothing(world(), async () => {
    assertInvalid(await post(caller, path, { expectedRevision: 1 }), ["change.required"]);
    assertInvalid(await post(caller, path, { title: "B" }), ["field.required"], [
      "expectedRevision",
    ]);
    const original = { expectedRevision: 1, originalContent: "Forged" };
    assertInvalid(await post(caller, path, original), ["undeclared_field"]);
    const stale = await post(caller, path, { expectedRevision: 2, title: "B" });
    const details = { expectedRevision: 2, currentRevision: 1 };
    assertEquals(assertFailure(stale, "REVISION_CONFLICT"), details);
  });
});

Deno.test("An archived memory can be revised and stays archived", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const archived = await done(caller, textPath(memory, "/archive"), {});
  const body = { expectedRevision: 2, title: "B" };
  const revised = await done(caller, textPath(memory, "/revisions"), body);
  assertEquals([revised.title, revised.archivedAt], ["B", archived.archivedAt]);
});

Deno.test("A cursor of one memory's revisions does not work for another", async () => {
  const caller = await world().createCaller();
  const [one, other] = [await remember(caller), await remember(caller)];
  const { items: [{ revisionId }] } = await read(caller, textPath(one, "/revisions"));
  const response = await caller.call("GET", textPath(other, `/revisions?cursor=${revisionId}`));
  assertInvalid(response, ["cursor.unknown"], ["cursor"]);
});
