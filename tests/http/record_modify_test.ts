import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonValue } from "../../src/core/json.ts";
import { createWorld, sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  COMMITMENT,
  COMMITMENTS,
  pathOf,
  tableCounts,
} from "./kernel.ts";

const world = sharedWorld();

Deno.test("PATCH record overwrites and removes top-level fields and keeps the others", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", {
    ...COMMITMENT,
    notes: "x",
    counterparty: "Ada",
  });
  const response = await caller.call("PATCH", pathOf(made), {
    body: {
      title: "Done",
      summary: "At last",
      payload: { completionStatus: "COMPLETED", completedAt: "2026-11-20T13:00:00+01:00" },
      payloadRemove: ["notes", "reliabilityImpact"],
      expectedRevision: 1,
    },
  });
  assertEquals(response.status, 200, response.text);
  assertEquals(response.headers.get("Location"), null);
  assertEquals(response.body.data, {
    ...made,
    title: "Done",
    summary: "At last",
    payload: {
      ...COMMITMENT,
      counterparty: "Ada",
      completionStatus: "COMPLETED",
      completedAt: "2026-11-20T12:00:00.000Z",
    },
    localTimes: { completedAt: "2026-11-20T13:00:00.000+01:00" },
    revision: 2,
  });
  assertEquals((await caller.call("GET", pathOf(made))).body.data, response.body.data);
});

Deno.test("PATCH record replaces nested values as a whole", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("integration", {
    connectorType: "MUSIC",
    provider: "none",
    authorizationStatus: "NOT_AUTHORIZED",
    importMode: "MANUAL",
    auditStatus: "NOT_AUDITED",
    mappingConfig: { kept: { a: 1 }, dropped: 1 },
  });
  const body = { payload: { mappingConfig: { kept: { b: 2 } } } };
  const response = await caller.call("PATCH", pathOf(made), { body });
  assertEquals(response.body.data.payload.mappingConfig, { kept: { b: 2 } }, response.text);
});

Deno.test("PATCH record writes one revision and one audit entry, and no envelope without a key", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const before = await tableCounts(world());
  await caller.call("PATCH", pathOf(made), { body: { title: "B" } });
  assertEquals(await tableCounts(world()), {
    ...before,
    record_revisions: (before.record_revisions ?? 0) + 1,
    audit_entries: (before.audit_entries ?? 0) + 1,
  });
});

Deno.test("PATCH record without effect writes nothing and returns the current state", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", { ...COMMITMENT, dueAt: "2027-01-01T00:00:00Z" });
  const unchanged: JsonValue[] = [
    { title: made.title },
    { summary: "" },
    { payload: { content: COMMITMENT.content ?? "" } },
    { payload: { dueAt: "2027-01-01T00:00:00.0Z" } },
    { payload: { dueAt: "2027-01-01T00:00:00-00:00" } },
    { payloadRemove: ["notes"] },
    { title: made.title, payload: made.payload, expectedRevision: 1 },
  ];
  await assertWritesNothing(world(), async () => {
    for (const body of unchanged) {
      const response = await caller.call("PATCH", pathOf(made), { body });
      assertEquals([response.status, response.body.data], [200, made], JSON.stringify(body));
    }
  });
});

Deno.test("PATCH record sets the time of change, which never goes back", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  own.advance(1_000);
  const first = (await caller.call("PATCH", pathOf(made), { body: { title: "B" } })).body.data;
  assertEquals(first.updatedAt, own.now().toISOString());
  assertEquals([first.createdAt, first.recordedAt], [made.createdAt, made.recordedAt]);
  own.advance(-5_000);
  const second = (await caller.call("PATCH", pathOf(made), { body: { title: "C" } })).body.data;
  assertEquals([second.updatedAt, second.revision], [first.updatedAt, 3]);
});

const REFUSED_BODIES: readonly [JsonValue, readonly string[], readonly string[]][] = [
  [[], ["body.object"], []],
  [{}, ["change.required"], []],
  [{ expectedRevision: 1 }, ["change.required"], []],
  [{ payload: {}, payloadRemove: [] }, ["change.required"], []],
  [{ title: "" }, ["field.blank"], ["title"]],
  [{ title: null }, ["field.type"], ["title"]],
  [{ payload: null }, ["field.type"], ["payload"]],
  [{ payloadRemove: "notes" }, ["field.type"], ["payloadRemove"]],
  [{ payloadRemove: ["notes", 1] }, ["field.type"], ["payloadRemove"]],
  [{ payloadRemove: ["notes", "notes"] }, ["field.repeated"], ["payloadRemove"]],
  [{ title: "B", expectedRevision: 0 }, ["field.range"], ["expectedRevision"]],
  [{ title: "B", expectedRevision: 1.5 }, ["field.type"], ["expectedRevision"]],
  [{ title: "B", expectedRevision: "1" }, ["field.type"], ["expectedRevision"]],
  [{ title: "B", expectedRevision: null }, ["field.type"], ["expectedRevision"]],
  [{ title: "B", expectedRevision: 2 ** 31 }, ["field.range"], ["expectedRevision"]],
  [{ title: "B", revision: 1 }, ["undeclared_field"], []],
  [{ title: "B", archivedAt: null }, ["undeclared_field"], []],
  [{ payload: { ownerId: "x" } }, ["undeclared_field"], []],
  [{ payloadRemove: ["ownerId"] }, ["undeclared_field"], []],
  [{ payload: { notes: null } }, ["field.null"], ["notes"]],
  [{ payload: { completionStatus: "NO" } }, ["field.option"], ["completionStatus"]],
  [{ payloadRemove: ["content"] }, ["field.required"], ["content"]],
  [
    { payload: { notes: "x" }, payloadRemove: ["notes"] },
    ["payload.set_and_removed"],
    ["notes"],
  ],
  [
    { payload: { completedAt: "2026-01-01T00:00:00Z" } },
    ["commitment.completed_at_requires_completed"],
    ["completedAt", "completionStatus"],
  ],
];

Deno.test("PATCH record rejects what the contract does not allow and writes nothing", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  await assertWritesNothing(world(), async () => {
    for (const [body, rules, fields] of REFUSED_BODIES) {
      const label = JSON.stringify(body);
      const answers = [
        await caller.call("PATCH", pathOf(made), { body }),
        await caller.call("PATCH", pathOf(made), { body, key: ulid() }),
      ];
      for (const response of answers) assertInvalid(response, rules, fields, label);
    }
  });
});

Deno.test("PATCH record applies the policy to the merged payload", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", {
    ...COMMITMENT,
    completionStatus: "COMPLETED",
    completedAt: "2026-01-01T00:00:00.000Z",
  });
  const reopen = { payload: { completionStatus: "OPEN" } };
  assertInvalid(
    await caller.call("PATCH", pathOf(made), { body: reopen }),
    ["commitment.completed_at_requires_completed"],
    ["completedAt", "completionStatus"],
  );
  const body = { ...reopen, payloadRemove: ["completedAt"] };
  const response = await caller.call("PATCH", pathOf(made), { body });
  assertEquals([response.status, response.body.data.payload], [200, COMMITMENT]);
});

Deno.test("PATCH record derives from fields that the request sets, not from stored ones", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("timeline", {
    eventType: "TRAVEL",
    eventTitle: "To the sea",
    eventDescription: "By train",
    timePrecision: "DAY",
    startAt: "2020-01-01T00:00:00.000Z",
  });
  const forgotten = { payload: { timePrecision: "UNKNOWN" } };
  const contradiction = { payload: { ...forgotten.payload, startAt: made.payload.startAt } };
  assertInvalid(
    await caller.call("PATCH", pathOf(made), { body: contradiction }),
    ["timeline.unknown_time_forbids_start_at"],
    ["startAt", "timePrecision"],
  );
  const response = await caller.call("PATCH", pathOf(made), { body: forgotten });
  const { startAt: _, ...others } = made.payload;
  assertEquals(response.body.data.payload, { ...others, timePrecision: "UNKNOWN" }, response.text);
});

Deno.test("PATCH record derives nothing for a field that it removes", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("routine", {
    routineName: "Water the plants",
    area: "Home",
    intervalDays: 3,
    lastCompletedAt: "2026-11-01T08:00:00.000Z",
    active: true,
  });
  assertEquals(made.payload.nextDueAt, "2026-11-04T08:00:00.000Z");
  const { body } = await caller.call("PATCH", pathOf(made), {
    body: { payload: { intervalDays: 4 }, payloadRemove: ["nextDueAt"] },
  });
  const { nextDueAt: _removed, ...others } = made.payload;
  assertEquals(body.data.payload, { ...others, intervalDays: 4 });
});

Deno.test("PATCH record rejects an unexpected revision and returns both", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  await assertWritesNothing(world(), async () => {
    for (const body of [{ title: "B" }, { title: made.title }, { payloadRemove: ["notes"] }]) {
      const sent = { ...body, expectedRevision: 3 };
      const response = await caller.call("PATCH", pathOf(made), { body: sent, key: ulid() });
      assertEquals(assertFailure(response, "REVISION_CONFLICT"), {
        expectedRevision: 3,
        currentRevision: 1,
      });
    }
  });
});

Deno.test("PATCH record without an expected revision never conflicts", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  for (const title of ["B", "C", "D"]) {
    assertEquals((await caller.call("PATCH", pathOf(made), { body: { title } })).status, 200);
  }
  assertEquals((await caller.call("GET", pathOf(made))).body.data.revision, 4);
});

Deno.test("PATCH record checks policy before 404, and 404 before 409", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const [absent, invalid] = [`${COMMITMENTS}/${ulid()}`, { completionStatus: "NO" }];
  const patch = (path: string, body: JsonValue) => caller.call("PATCH", path, { body });
  const conflict = { expectedRevision: 9 };
  assertFailure(await patch(absent, { payload: invalid, ...conflict }), "PAYLOAD_INVALID");
  assertFailure(await patch(pathOf(made), { payload: invalid, ...conflict }), "PAYLOAD_INVALID");
  assertFailure(await patch(absent, { title: "B", ...conflict }), "RECORD_NOT_FOUND");
  assertFailure(await patch(pathOf(made), { title: "B", ...conflict }), "REVISION_CONFLICT");
  // Rules of the merged record are policy too.
  const merged = { payload: { completedAt: "2026-01-01T00:00:00Z" }, ...conflict };
  assertFailure(await patch(pathOf(made), merged), "PAYLOAD_INVALID");
});

Deno.test("PATCH record modifies an archived record and leaves it archived", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const archived = (await caller.call("POST", `${pathOf(made)}/archive`)).body.data;
  const response = await caller.call("PATCH", pathOf(made), { body: { title: "B" } });
  assertEquals(response.body.data, { ...archived, title: "B", revision: 3 });
});

Deno.test("PATCH record rejects a missing body and another media type", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  assertFailure(await caller.call("PATCH", pathOf(made)), "HTTP_415");
  const headers = { "Content-Type": "text/plain" };
  assertFailure(await caller.call("PATCH", pathOf(made), { headers, raw: "{}" }), "HTTP_415");
  const json = { "Content-Type": "application/json" };
  assertInvalid(await caller.call("PATCH", pathOf(made), { headers: json }), ["json.syntax"]);
});
