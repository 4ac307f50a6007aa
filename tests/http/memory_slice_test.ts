/** MEM-002: slices and recovery. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, callerOf, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import {
  done,
  post,
  read,
  remember,
  textPath,
  TEXTS,
  withoutSecrets,
} from "../families/memory/api.ts";

const world = sharedWorld();

Deno.test("A slice freezes the current revision under its label", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, {
    summary: "s",
    occurredAt: "2001-01-01T00:00:00+09:00[Asia/Tokyo]",
    timePrecision: "YEAR",
    timeText: "t",
    importance: 3,
  });
  const response = await post(caller, textPath(memory, "/slices"), { label: "Before" });
  assertEquals(response.status, 201, response.text);
  const slice = response.body.data;
  assertEquals(response.headers.get("Location"), textPath(memory, `/slices/${slice.sliceId}`));
  const { memoryId, title, summary, memoryType, currentContent } = memory;
  const { occurredAt, timePrecision, timeText, localTimes, importance } = memory;
  assertEquals(slice, {
    sliceId: slice.sliceId,
    memoryId,
    label: "Before",
    memoryRevision: 1,
    title,
    summary,
    memoryType,
    currentContent,
    occurredAt,
    timePrecision,
    timeText,
    localTimes,
    importance,
    createdAt: world().now().toISOString(),
  });
  assertEquals(localTimes, { occurredAt: "2001-01-01T00:00:00.000+09:00[Asia/Tokyo]" });
  await done(caller, textPath(memory, "/revisions"), { expectedRevision: 1, title: "After" });
  assertEquals(await read(caller, textPath(memory, `/slices/${slice.sliceId}`)), slice);
  assertEquals((await read(caller, textPath(memory))).revision, 2);
});

Deno.test("Recovery appends a revision equal to the slice, except original text and privacy", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, {
    currentContent: "Mine",
    occurredAt: "2001-01-01T09:00:00+09:00[Asia/Tokyo]",
    timePrecision: "DAY",
    timeText: "then",
  });
  const { sliceId } = await done(caller, textPath(memory, "/slices"), { label: "Before" });
  const changes = [
    ["/revisions", { title: "B", currentContent: "Other", importance: 2 }],
    ["/time", { timePrecision: "DAY", occurredAt: "2001-01-01T00:00:00Z" }],
    ["/privacy", { privacyLevel: "SECRET" }],
    ["/ai-draft", { aiDraft: "d", provider: "p" }],
  ] as const;
  for (const [index, [end, body]] of changes.entries()) {
    await done(caller, textPath(memory, end), { expectedRevision: index + 1, ...body });
  }
  const before = await read(caller, textPath(memory));
  const path = textPath(memory, `/slices/${sliceId}/recover`);
  assertFailure(await post(caller, path, { expectedRevision: 4 }), "REVISION_CONFLICT");
  const key = ulid();
  const body = { expectedRevision: 5 };
  const response = await caller.call("POST", path, { key, body });
  assertEquals(response.status, 200, response.text);
  const { aiDraft, aiDraftProvider, privacyLevel, updatedAt } = before;
  const ai = { aiDraft, aiDraftProvider };
  assertEquals(response.body.data, { ...memory, ...ai, privacyLevel, revision: 6, updatedAt });
  assertEquals(await read(caller, textPath(memory)), response.body.data);
  const again = await caller.call("POST", path, { key, body });
  assertEquals([again.headers.get("Idempotency-Replayed"), again.body.data], [
    "true",
    response.body.data,
  ]);
  // Nothing left to recover.
  assertEquals((await done(caller, path, { expectedRevision: 6 })).revision, 6);
});

Deno.test("Slices are listed newest first, for their memory only", async () => {
  const caller = await world().createCaller();
  const [memory, other] = [await remember(caller), await remember(caller)];
  const made = [];
  for (const label of ["A", "B", "C"]) {
    world().advance(1);
    made.unshift(await done(caller, textPath(memory, "/slices"), { label }) as unknown);
  }
  const path = textPath(memory, "/slices");
  assertEquals((await walkPages(caller, path, { limit: "2" })).flat(), made);
  const foreign = await done(caller, textPath(other, "/slices"), { label: "D" });
  const cursor = await caller.call("GET", `${path}?cursor=${foreign.sliceId}`);
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
  const missing = await caller.call("GET", `${path}/${foreign.sliceId}`);
  assertFailure(missing, "RECORD_NOT_FOUND");
  const recover = `${path}/${foreign.sliceId}/recover`;
  assertFailure(await post(caller, recover, { expectedRevision: 1 }), "RECORD_NOT_FOUND");
});

Deno.test("A repeated slice request creates one slice", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const key = ulid();
  const send = () =>
    caller.call("POST", textPath(memory, "/slices"), { key, body: { label: "A" } });
  const [first, again] = [await send(), await send()];
  assertEquals([again.status, again.body.data], [201, first.body.data]);
  assertEquals((await read(caller, textPath(memory, "/slices"))).items.length, 1);
  const audit = await world().rows(`
    select subject_id, revision from audit_entries
     where owner_id = '${caller.accountId}' and operation = 'memory.slice.create'`);
  assertEquals([...audit], [{ subject_id: first.body.data.sliceId, revision: 1 }]);
});

Deno.test("Slices of a SECRET memory are hidden by its current level, and read-only", async () => {
  const caller = await world().createCaller();
  const other = await withoutSecrets(world(), caller);
  const occurredAt = "2001-01-01T00:00:00+09:00[Asia/Tokyo]";
  const memory = await remember(caller, { timeText: "t", occurredAt });
  const slice = await done(other, textPath(memory, "/slices"), { label: "A" });
  const raise = { expectedRevision: 1, privacyLevel: "SECRET" };
  await done(caller, textPath(memory, "/privacy"), raise);
  const hidden = {
    label: "",
    title: "",
    summary: "",
    currentContent: null,
    timeText: null,
    localTimes: {},
    redacted: true,
  };
  const path = textPath(memory, `/slices/${slice.sliceId}`);
  assertEquals(await read(other, path), { ...slice, ...hidden });
  const { items } = await read(other, textPath(memory, "/slices"));
  assertEquals(items, [{ ...slice, ...hidden }]);
  assertEquals(await read(caller, path), slice);
  await assertWritesNothing(world(), async () => {
    assertFailure(await post(other, textPath(memory, "/slices"), { label: "B" }), "FORBIDDEN");
    assertFailure(await post(other, `${path}/recover`, { expectedRevision: 2 }), "FORBIDDEN");
  });
});

Deno.test("A recovery is replayed even if its path names another memory", async () => {
  const caller = await world().createCaller();
  const [memory, other] = [await remember(caller), await remember(caller)];
  const slice = await caller.call("POST", textPath(memory, "/slices"), {
    key: "slice",
    body: { label: "A" },
  });
  const { sliceId } = slice.body.data;
  await post(caller, textPath(memory, "/revisions"), { expectedRevision: 1, title: "B" });
  const recover = (caller: Caller, { memoryId }: Json) =>
    caller.call("POST", `${TEXTS}/${memoryId}/slices/${sliceId}/recover`, {
      key: "recovery",
      body: { expectedRevision: 2 },
    });
  const first = await recover(caller, memory);
  assertEquals(first.status, 200, first.text);
  // Under a new secret differing requests cannot be recognised.
  const serverSecret = new TextEncoder().encode("another secret that only tests know");
  const again = await recover(callerOf(world().again({ serverSecret }), caller), other);
  assertEquals([again.status, again.body.data], [200, first.body.data], again.text);
});
