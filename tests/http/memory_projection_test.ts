/** Generic reads of memories; generic writes are rejected. */

import { assertEquals } from "@std/assert";
import { type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertWritesNothing, atRevision, walkPages } from "./kernel.ts";
import {
  done,
  post,
  read,
  remember,
  textPath,
  withoutSecrets,
  withPermissions,
} from "../families/memory/api.ts";

const world = sharedWorld();

const RECORDS = "/api/v2/records/memory";

/** The record that generic reads must show. */
function projectionOf(memory: Json): Json {
  const { memoryType, occurredAt, timePrecision, timeText, importance } = memory;
  const payload = Object.fromEntries(
    Object.entries({ memoryType, occurredAt, timePrecision, timeText, importance })
      .filter(([, value]) => value !== null),
  );
  const { memoryId: recordId, title, summary, revision, createdAt, updatedAt, archivedAt } = memory;
  return {
    recordId,
    moduleCode: "memory",
    title,
    summary,
    payload,
    localTimes: memory.localTimes,
    revision,
    sourceType: "USER_INPUT",
    recordedAt: createdAt,
    createdAt,
    updatedAt,
    archivedAt,
    attachmentIds: [],
  };
}

Deno.test("Generic reads serve title, summary and normal fields of each revision", async () => {
  const caller = await world().createCaller();
  const states = [await remember(caller, { importance: 3, summary: "s" })];
  const path = textPath(states[0]);
  const steps: [string, Json][] = [
    ["/revisions", { title: "B", currentContent: "Other" }],
    ["/time", { timePrecision: "DAY", occurredAt: "2001-02-03T04:05:06-03:30" }],
    ["/ai-draft", { aiDraft: "A draft", provider: "p" }],
    ["/archive", {}],
    ["/restore", {}],
  ];
  for (const [index, [end, body]] of steps.entries()) {
    world().advance(10);
    states.push(await done(caller, path + end, { expectedRevision: index + 1, ...body }));
  }
  const record = `${RECORDS}/${states[0].memoryId}`;
  assertEquals(await read(caller, record), projectionOf(states.at(-1)));
  assertEquals((await read(caller, RECORDS)).items, [projectionOf(states.at(-1))]);
  const revisions = (await walkPages(caller, `${record}/revisions`)).flat().toReversed();
  const changes = ["CREATED", "MODIFIED", "MODIFIED", "MODIFIED", "ARCHIVED", "RESTORED"];
  assertEquals(revisions.map(({ change }) => change), changes);
  for (const [index, state] of states.entries()) {
    const projected = projectionOf(state);
    assertEquals(await read(caller, `${record}?revision=${index + 1}`), atRevision(projected));
    const { title, summary, payload, localTimes, archivedAt } = revisions[index];
    assertEquals({ title, summary, payload, localTimes, archivedAt }, {
      title: projected.title,
      summary: projected.summary,
      payload: projected.payload,
      localTimes: projected.localTimes,
      archivedAt: projected.archivedAt,
    });
  }
  assertEquals((await read(caller, `${record}/executions`)).items, []);
});

Deno.test("A guarded record hides its content in every revision, by its current level", async () => {
  const caller = await world().createCaller();
  const other = await withoutSecrets(world(), caller);
  const memory = await remember(caller, { importance: 3, occurredAt: "2001-02-03T04:05:06+05:45" });
  const record = `${RECORDS}/${memory.memoryId}`;
  assertEquals(await read(other, record), projectionOf(memory));
  const body = { expectedRevision: 1, privacyLevel: "SECRET" };
  const secret = await done(caller, textPath(memory, "/privacy"), body);
  const hidden = { title: "", summary: "", payload: {}, localTimes: {}, redacted: true };
  assertEquals(await read(other, record), { ...projectionOf(secret), ...hidden });
  const first = atRevision(projectionOf(memory));
  assertEquals(await read(other, `${record}?revision=1`), { ...first, ...hidden });
  assertEquals((await read(other, RECORDS)).items, [{ ...projectionOf(secret), ...hidden }]);
  const { items } = await read(other, `${record}/revisions`);
  for (const { title, summary, payload, localTimes, redacted } of items) {
    assertEquals({ title, summary, payload, localTimes, redacted }, hidden);
  }
  assertEquals(items.length, 2);
  assertEquals(await read(caller, record), projectionOf(secret));
  assertEquals(await read(caller, `${record}?revision=1`), first);
});

Deno.test("An entity tag without content does not match the one with content", async () => {
  const caller = await world().createCaller();
  const other = await withoutSecrets(world(), caller);
  const { memoryId } = await remember(caller, { privacyLevel: "SECRET" });
  const tagOf = async (reader: typeof caller) =>
    (await reader.call("GET", `${RECORDS}/${memoryId}`)).headers.get("ETag") ?? "";
  const ask = async (reader: typeof caller, tag: string) =>
    (await reader.call("GET", `${RECORDS}/${memoryId}`, { headers: { "If-None-Match": tag } }))
      .status;
  const [full, redacted] = [await tagOf(caller), await tagOf(other)];
  assertEquals([await ask(caller, full), await ask(other, redacted)], [304, 304]);
  assertEquals([await ask(caller, redacted), await ask(other, full)], [200, 200]);
});

Deno.test("Generic reads of memory require memory.read as well", async () => {
  const caller = await world().createCaller();
  const { memoryId } = await remember(caller);
  const reader = await withPermissions(world(), caller, "record.read");
  for (const end of ["", `/${memoryId}`, `/${memoryId}/revisions`, `/${memoryId}/executions`]) {
    assertFailure(await reader.call("GET", RECORDS + end), "FORBIDDEN", end);
  }
});

Deno.test("Generic writes and features of memory answer the dedicated codes and write nothing", async () => {
  const caller = await world().createCaller();
  const { memoryId } = await remember(caller);
  const record = `${RECORDS}/${memoryId}`;
  const features = ["TEXT", "SLICE", "DRAFT", "REVISION", "AI_DRAFT", "TIME", "PRIVACY", "EXPORT"];
  await assertWritesNothing(world(), async () => {
    const create = await post(caller, RECORDS, { title: "A", payload: {} });
    assertFailure(create, "MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED");
    for (
      const [method, end] of [["PATCH", ""], ["POST", "/archive"], ["POST", "/restore"]] as const
    ) {
      const response = await caller.call(method, record + end, { body: { title: "B" } });
      assertFailure(response, "MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED");
    }
    for (const [index, name] of features.entries()) {
      const response = await post(caller, `${record}/features/MEM-00${index + 1}`, {});
      const code = `MEMORY_${name}_DEDICATED_ENDPOINT_REQUIRED`;
      assertEquals([response.status, response.body.error.code], [400, code]);
    }
  });
});
