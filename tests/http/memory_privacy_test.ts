/** MEM-007: privacy levels. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { makeToken, proofOf } from "../support/tokens.ts";
import { anotherProcess, callerOf, sharedWorld } from "../support/world.ts";
import { assertFailure, assertWritesNothing, atRevision, walkPages } from "./kernel.ts";
import {
  done,
  MEMORY,
  post,
  read,
  remember,
  textPath,
  TEXTS,
  withoutSecrets,
} from "../families/memory/api.ts";

const world = sharedWorld();

const HIDDEN = {
  title: "",
  summary: "",
  originalContent: null,
  currentContent: null,
  timeText: null,
  localTimes: {},
  aiDraft: null,
  aiDraftProvider: null,
  aiDraftModel: null,
  redacted: true,
};

Deno.test("Raising privacy requires no proof, lowering requires one for this memory", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { privacyLevel: "NORMAL" });
  const path = textPath(memory, "/privacy");
  const set = (expectedRevision: number, privacyLevel: string, headers = {}) =>
    post(caller, path, { expectedRevision, privacyLevel }, headers);
  assertEquals((await set(1, "PRIVATE")).body.data.privacyLevel, "PRIVATE");
  assertEquals((await set(2, "SECRET")).body.data.revision, 3);
  assertEquals((await set(3, "SECRET")).body.data.revision, 3);
  await assertWritesNothing(world(), async () => {
    assertFailure(await set(3, "NORMAL"), "STEP_UP_REQUIRED");
    assertFailure(await set(3, "PRIVATE", { "Step-Up-Proof": "prs_x_" }), "STEP_UP_REQUIRED");
  });
  const purposes = [["MEMORY_SECRET_EXPORT", null], ["MEMORY_PRIVACY_DOWNGRADE", ulid()]] as const;
  for (const [purpose, target] of purposes) {
    const proof = await proofOf(world(), caller, purpose, target);
    assertFailure(await set(3, "NORMAL", proof), "STEP_UP_REQUIRED", purpose);
  }
  const other = await world().createCaller();
  const foreign = await proofOf(world(), other, "MEMORY_PRIVACY_DOWNGRADE");
  assertFailure(await set(3, "NORMAL", foreign), "STEP_UP_REQUIRED");
  const proof = await proofOf(world(), caller, "MEMORY_PRIVACY_DOWNGRADE", memory.memoryId);
  assertFailure(await set(2, "NORMAL", proof), "REVISION_CONFLICT");
  assertEquals((await set(3, "PRIVATE", proof)).body.data.privacyLevel, "PRIVATE");
  // Proofs work once.
  assertFailure(await set(4, "NORMAL", proof), "STEP_UP_REQUIRED");
});

Deno.test("A personal access token cannot lower privacy, because it can get no proof", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { privacyLevel: "PRIVATE" });
  const permissions = ["memory.read", "memory.write", "memory.secret"];
  const { token: secret } = await makeToken(world(), caller, { permissions });
  const token = callerOf(world().app, { ...caller, secret });
  const path = textPath(memory, "/privacy");
  const lower = { expectedRevision: 1, privacyLevel: "NORMAL" };
  assertFailure(await post(token, path, lower), "PRIVACY_DOWNGRADE_FORBIDDEN");
  assertEquals((await post(token, path, { ...lower, privacyLevel: "SECRET" })).status, 200);
});

Deno.test("A replay of a lowering requires no second proof", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const key = ulid();
  const body = { expectedRevision: 1, privacyLevel: "NORMAL" };
  const headers = await proofOf(world(), caller, "MEMORY_PRIVACY_DOWNGRADE");
  const first = await caller.call("POST", textPath(memory, "/privacy"), { key, body, headers });
  assertEquals(first.status, 200, first.text);
  const again = await caller.call("POST", textPath(memory, "/privacy"), { key, body });
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  assertEquals(again.body.data, first.body.data);
});

Deno.test("Without a step-up adapter privacy can only be raised", async () => {
  const own = anotherProcess(world(), { stepUp: null });
  const caller = await own.createCaller();
  const memory = await remember(caller);
  const lower = { expectedRevision: 1, privacyLevel: "NORMAL" };
  const refused = await post(caller, textPath(memory, "/privacy"), lower);
  assertFailure(refused, "PRIVACY_DOWNGRADE_FORBIDDEN");
  const raise = { expectedRevision: 1, privacyLevel: "SECRET" };
  assertEquals((await done(caller, textPath(memory, "/privacy"), raise)).revision, 2);
});

Deno.test("Without access to secrets no revision of a SECRET memory shows text", async () => {
  const caller = await world().createCaller();
  const other = await withoutSecrets(world(), caller);
  const memory = await remember(caller, {
    summary: "s",
    occurredAt: "2001-05-01T00:00:00+09:00[Asia/Tokyo]",
    timeText: "then",
  });
  const drafted = await done(caller, textPath(memory, "/ai-draft"), {
    expectedRevision: 1,
    aiDraft: "d",
    provider: "p",
    model: "m",
  });
  assertEquals(await read(other, textPath(memory)), drafted);
  const body = { expectedRevision: 2, privacyLevel: "SECRET" };
  const secret = await done(caller, textPath(memory, "/privacy"), body);
  assertEquals(await read(other, textPath(memory)), { ...secret, ...HIDDEN });
  assertEquals((await read(other, TEXTS)).items, [{ ...secret, ...HIDDEN }]);
  const revisions = (await walkPages(other, textPath(memory, "/revisions"))).flat().toReversed();
  for (const [index, state] of [memory, drafted, secret].entries()) {
    const { revisionId, change, ...item } = revisions[index];
    assertEquals(item, { ...atRevision(state), ...HIDDEN });
    const single = await read(other, textPath(memory, `/revisions/${index + 1}`));
    assertEquals(single, { ...item, revisionId, change });
  }
  assertEquals(await read(caller, textPath(memory)), secret);
  const headers = await proofOf(world(), caller, "MEMORY_PRIVACY_DOWNGRADE");
  const lower = { expectedRevision: 3, privacyLevel: "PRIVATE" };
  await done(caller, textPath(memory, "/privacy"), lower, headers);
  const open = await read(other, textPath(memory, "/revisions/3"));
  assertEquals([open.title, open.privacyLevel], [memory.title, "SECRET"]);
});

Deno.test("Without access to secrets a SECRET memory cannot be written", async () => {
  const caller = await world().createCaller();
  const other = await withoutSecrets(world(), caller);
  const memory = await remember(caller, { privacyLevel: "SECRET" });
  const writes = {
    "/archive": {},
    "/restore": {},
    "/revisions": { expectedRevision: 1, title: "B" },
    "/ai-draft": { expectedRevision: 1, aiDraft: "d", provider: "p" },
    "/ai-draft/adopt": { expectedRevision: 1, confirm: true },
    "/ai-draft/reject": { expectedRevision: 1 },
    "/time": { expectedRevision: 1, timePrecision: "UNKNOWN" },
    "/privacy": { expectedRevision: 1, privacyLevel: "NORMAL" },
  };
  await assertWritesNothing(world(), async () => {
    for (const [end, body] of Object.entries(writes)) {
      assertFailure(await post(other, textPath(memory, end), body), "FORBIDDEN", end);
      const stale = { ...body, expectedRevision: 9 };
      assertFailure(await post(other, textPath(memory, end), stale), "FORBIDDEN", end);
    }
  });
});

Deno.test("A replay shows a memory by its current level", async () => {
  const caller = await world().createCaller();
  const other = await withoutSecrets(world(), caller);
  const key = ulid();
  const first = await other.call("POST", TEXTS, { key, body: MEMORY });
  assertEquals(first.status, 201);
  const memory = first.body.data;
  const raise = { expectedRevision: 1, privacyLevel: "SECRET" };
  await done(caller, textPath(memory, "/privacy"), raise);
  const again = await other.call("POST", TEXTS, { key, body: MEMORY });
  assertEquals([again.status, again.body.data], [201, { ...memory, ...HIDDEN }]);
});

Deno.test("No other route changes privacy", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const body = { expectedRevision: 1, privacyLevel: "NORMAL", title: "B", aiDraft: "x" };
  for (const end of ["/revisions", "/time", "/ai-draft", "/archive"]) {
    const response = await post(caller, textPath(memory, end), body);
    assertEquals(response.body.error.code, "PAYLOAD_INVALID", end);
  }
});

Deno.test("A memory made SECRET without access to secrets is hidden from its maker", async () => {
  const caller = await world().createCaller();
  const other = await withoutSecrets(world(), caller);
  const memory = await remember(other, { privacyLevel: "SECRET" });
  assertEquals([memory.title, memory.originalContent, memory.redacted], ["", null, true]);
  assertEquals((await read(caller, textPath(memory))).originalContent, MEMORY.originalContent);
});
