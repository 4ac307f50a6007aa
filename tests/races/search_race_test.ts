/** Searches while records are guarded and changed. */

import { assert, assertEquals } from "@std/assert";
import { COMMITMENT, pathOf } from "../http/kernel.ts";
import { done, remember, textPath, withPermissions } from "../families/memory/api.ts";
import { idsOf, search } from "../http/search.ts";
import { proofOf } from "../support/tokens.ts";
import { callerOf, sharedWorld } from "../support/world.ts";
import { givePassword } from "../http/access.ts";

const world = sharedWorld();

Deno.test("No search shows text that a memory has only while guarded", async () => {
  const caller = await world().createCaller();
  await givePassword(world(), caller);
  const reader = await withPermissions(world(), caller, "search.read", "memory.read");
  const here = callerOf(world().again(), reader);
  const memory = await remember(caller, { title: "Pebble", originalContent: "pebble open" });
  const { memoryId } = memory;
  let isOver = false;
  const searching = [reader, here].map(async (caller) => {
    let pages = 0;
    while (!isOver) {
      for (const { snippet, title } of (await search(caller, "pebble")).items) {
        assert(!`${title} ${snippet}`.includes("hidden"), title);
      }
      assertEquals(await idsOf(caller, "hidden"), []);
      pages++;
    }
    return pages;
  });
  for (let revision = 1; revision < 40; revision += 4) {
    const privacy = (expectedRevision: number, privacyLevel: string, headers = {}) =>
      done(caller, textPath(memory, "/privacy"), { expectedRevision, privacyLevel }, headers);
    const write = (expectedRevision: number, words: string) =>
      done(caller, textPath(memory, "/revisions"), {
        expectedRevision,
        title: `Pebble ${words}`,
        currentContent: `pebble ${words}`,
      });
    await privacy(revision, "SECRET");
    await write(revision + 1, "hidden");
    assertEquals(await idsOf(caller, "hidden"), [memoryId]);
    await write(revision + 2, "open");
    const proof = await proofOf(world(), caller, "MEMORY_PRIVACY_DOWNGRADE", memoryId);
    await privacy(revision + 3, "NORMAL", proof);
    assertEquals(await idsOf(reader, "open"), [memoryId]);
  }
  isOver = true;
  for (const pages of await Promise.all(searching)) assert(pages > 0);
});

Deno.test("A record is found by the words of one revision during writes", async () => {
  const caller = await world().createCaller();
  const record = await caller.create(
    "commitment",
    { ...COMMITMENT, content: "pebble 0" },
    "Pebble 0",
  );
  let isOver = false;
  const searching = (async () => {
    let found = 0;
    while (!isOver) {
      const { items: [item] } = await search(caller, "pebble");
      assertEquals(item?.snippet, item?.title);
      found += item === undefined ? 0 : 1;
    }
    return found;
  })();
  for (let step = 1; step <= 60; step++) {
    const body = { title: `Pebble ${step}`, payload: { content: `pebble ${step}` } };
    assertEquals((await caller.call("PATCH", pathOf(record), { body })).status, 200);
    assertEquals(await idsOf(caller, `pebble ${step}`), [record.recordId]);
  }
  isOver = true;
  assert(await searching > 0);
});
