/** MEM-005: model texts stay separate. */

import { assertEquals } from "@std/assert";
import { sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing } from "./kernel.ts";
import { done, post, read, remember, textPath } from "../families/memory/api.ts";

const world = sharedWorld();

const DRAFT = { aiDraft: "They swam.\nIt was dark.", provider: "a provider", model: "a model" };

Deno.test("An AI draft stays separate from the person's text until it is confirmed", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { currentContent: "Mine" });
  const drafted = await done(caller, textPath(memory, "/ai-draft"), {
    expectedRevision: 1,
    ...DRAFT,
  });
  const { updatedAt } = drafted;
  const kept = {
    ...memory,
    aiDraft: DRAFT.aiDraft,
    aiDraftProvider: "a provider",
    aiDraftModel: "a model",
  };
  assertEquals(drafted, { ...kept, revision: 2, updatedAt });
  const adopt = textPath(memory, "/ai-draft/adopt");
  await assertWritesNothing(world(), async () => {
    for (const confirm of [false, "true", 1, null]) {
      const response = await post(caller, adopt, { expectedRevision: 2, confirm });
      assertEquals(response.body.error.code, "PAYLOAD_INVALID", String(confirm));
    }
    const silent = await post(caller, adopt, { expectedRevision: 2 });
    assertInvalid(silent, ["field.required"], ["confirm"]);
  });
  const adopted = await done(caller, adopt, { expectedRevision: 2, confirm: true });
  assertEquals(adopted, { ...memory, currentContent: DRAFT.aiDraft, revision: 3, updatedAt });
  assertEquals((await read(caller, textPath(memory, "/revisions/2"))).aiDraft, DRAFT.aiDraft);
});

Deno.test("A rejected AI draft leaves the memory and stays in the ledger", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const { model: _, ...unnamed } = DRAFT;
  const drafted = await done(caller, textPath(memory, "/ai-draft"), {
    expectedRevision: 1,
    ...unnamed,
  });
  assertEquals(drafted.aiDraftModel, null);
  const rejected = await done(caller, textPath(memory, "/ai-draft/reject"), {
    expectedRevision: 2,
  });
  assertEquals(rejected, { ...memory, revision: 3 });
  const { items } = await read(caller, textPath(memory, "/revisions"));
  assertEquals(items.map(({ change }: { change: string }) => change), [
    "AI_DRAFT_REJECTED",
    "AI_DRAFTED",
    "CREATED",
  ]);
  assertEquals(items[1].aiDraft, DRAFT.aiDraft);
});

Deno.test("Without an AI draft there is nothing to adopt or reject", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  await assertWritesNothing(world(), async () => {
    const adopt = await post(caller, textPath(memory, "/ai-draft/adopt"), {
      expectedRevision: 1,
      confirm: true,
    });
    assertFailure(adopt, "MEMORY_STATE_CONFLICT");
    const reject = await post(caller, textPath(memory, "/ai-draft/reject"), {
      expectedRevision: 1,
    });
    assertFailure(reject, "MEMORY_STATE_CONFLICT");
    const stale = await post(caller, textPath(memory, "/ai-draft/reject"), { expectedRevision: 9 });
    assertFailure(stale, "REVISION_CONFLICT");
    for (const wrong of [{ aiDraft: " " }, { provider: "" }, { model: "" }]) {
      const body = { expectedRevision: 1, ...DRAFT, ...wrong };
      const response = await post(caller, textPath(memory, "/ai-draft"), body);
      assertInvalid(response, ["field.blank"], Object.keys(wrong));
    }
  });
});

Deno.test("Neither the first nor a second AI draft changes the current text", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  for (const [index, aiDraft] of ["One", "Two", "Two"].entries()) {
    const expectedRevision = Math.min(index + 1, 3);
    const body = { expectedRevision, aiDraft, provider: "p" };
    const drafted = await done(caller, textPath(memory, "/ai-draft"), body);
    assertEquals(drafted.aiDraft, aiDraft);
    assertEquals(drafted.revision, Math.min(index + 2, 3));
    assertEquals(drafted.currentContent, memory.currentContent);
    assertEquals(drafted.originalContent, memory.originalContent);
  }
});
