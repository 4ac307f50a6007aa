/** IDN-007: release plans and drills, which deliver nothing. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { Markers } from "../support/markers.ts";
import { proofOf } from "../support/tokens.ts";
import {
  type Caller,
  createWorld,
  type Json,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";
import {
  changed,
  CONFIRMED,
  identityAudit,
  introduce,
  LEGACY_DRILLS,
  LEGACY_PLAN,
  PLAN_BODY,
  PROFILE,
  WHOLE_PROFILE,
} from "../families/identity/api.ts";
import { PUBLIC } from "../families/identity/public.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, post, read, withPermissions } from "../families/memory/api.ts";

const world = sharedWorld();

async function someone(profile: JsonObject = WHOLE_PROFILE): Promise<Caller> {
  const caller = await world().createCaller();
  await introduce(caller, profile);
  return caller;
}

async function drill(caller: Caller, { planId }: Json, key = ulid()): Promise<TestResponse> {
  const headers = await proofOf(world(), caller, "IDENTITY_LEGACY_DRILL", planId);
  return await caller.call("POST", LEGACY_DRILLS, { key, headers, body: CONFIRMED });
}

async function drilled(caller: Caller, plan: Json): Promise<Json> {
  const response = await drill(caller, plan);
  assertEquals(response.status, 201, response.text);
  return response.body.data;
}

Deno.test("A plan reads back exactly, with its delivery blocked", async () => {
  const caller = await someone();
  const sent = {
    ...PLAN_BODY,
    instructions: " \te\u0301\n",
    fields: ["tags", "startedAt", "displayName"],
  };
  const response = await post(caller, LEGACY_PLAN, sent);
  assertEquals(
    [response.status, response.headers.get("Location")],
    [201, LEGACY_PLAN],
    response.text,
  );
  const plan = response.body.data;
  const now = world().now().toISOString();
  assertEquals(plan, {
    planId: plan.planId,
    ...sent,
    fields: ["displayName", "startedAt", "tags"],
    delivery: "BLOCKED",
    lastDrillAt: null,
    revision: 1,
    createdAt: now,
    updatedAt: now,
  });
  assertEquals(await read(caller, LEGACY_PLAN), plan);
  const [entry] = await identityAudit(caller);
  assertEquals(entry, `identity.legacy_plan.keep 1 ${plan.planId}`);
});

Deno.test("A plan is replaced as a whole, with the expected revision", async () => {
  const caller = await someone();
  const first = await done(caller, LEGACY_PLAN, { ...PLAN_BODY, instructions: "Call first" });
  world().advance(1000);
  await assertWritesNothing(world(), async () => {
    assertFailure(await post(caller, LEGACY_PLAN, PLAN_BODY), "IDENTITY_STATE_CONFLICT");
    const stale = await post(caller, LEGACY_PLAN, { ...PLAN_BODY, expectedRevision: 2 });
    const details = { expectedRevision: 2, currentRevision: 1 };
    assertEquals(assertFailure(stale, "REVISION_CONFLICT"), details);
  });
  const key = ulid();
  const body = { ...PLAN_BODY, releaseCondition: "Never", fields: ["tags"], expectedRevision: 1 };
  const response = await caller.call("POST", LEGACY_PLAN, { key, body });
  assertEquals([response.status, response.headers.get("Location")], [200, null]);
  assertEquals(response.body.data, {
    ...first,
    releaseCondition: "Never",
    fields: ["tags"],
    instructions: null,
    revision: 2,
    updatedAt: world().now().toISOString(),
  });
  assertEquals(await read(caller, LEGACY_PLAN), response.body.data);
  // Also with the same content: each replacement is a revision.
  const same = await done(caller, LEGACY_PLAN, { ...body, expectedRevision: 2 });
  assertEquals([same.revision, same.planId], [3, first.planId]);
  const replayed = await caller.call("POST", LEGACY_PLAN, { key, body });
  assertEquals([replayed.status, replayed.body.data], [200, response.body.data]);
  assertEquals(replayed.headers.get("Idempotency-Replayed"), "true");
});

Deno.test("A plan is rejected with every wrong member, before any look-up", async () => {
  const caller = await world().createCaller();
  const cases: [Record<string, unknown>, string[], string[]][] = [
    [{ recipientDescription: " \n" }, ["field.blank"], ["recipientDescription"]],
    [{ releaseCondition: "x".repeat(100_001) }, ["field.length"], ["releaseCondition"]],
    [{ releaseCondition: null }, ["field.null"], ["releaseCondition"]],
    [{ instructions: "a\u0000" }, ["json.text"], []],
    [{ instructions: 1 }, ["field.type"], ["instructions"]],
    [{ fields: [] }, ["field.length"], ["fields"]],
    [{ fields: ["tags", "tags"] }, ["field.repeated"], ["fields"]],
    [{ fields: ["planId"] }, ["field.option"], ["fields"]],
    [{ expectedRevision: 0 }, ["field.range"], ["expectedRevision"]],
    [{ delivery: "BLOCKED" }, ["undeclared_field"], []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [wrong, rules, fields] of cases) {
      const response = await post(caller, LEGACY_PLAN, { ...PLAN_BODY, ...wrong } as JsonObject);
      assertInvalid(response, rules, fields, JSON.stringify(wrong).slice(0, 60));
    }
    const required = ["recipientDescription", "releaseCondition", "fields"];
    assertInvalid(await post(caller, LEGACY_PLAN, {}), ["field.required"], required);
    for (const confirmation of ["", "I understand", "i understand nothing is delivered", 1, null]) {
      const response = await post(caller, LEGACY_DRILLS, { confirmation });
      assertInvalid(response, ["field.option"], ["confirmation"], `${confirmation}`);
    }
    assertInvalid(await post(caller, LEGACY_DRILLS, {}), ["field.required"], ["confirmation"]);
    const more = await post(caller, LEGACY_DRILLS, { ...CONFIRMED, deliver: true });
    assertInvalid(more, ["undeclared_field"]);
  });
});

Deno.test("Without a profile or plan nothing can be stored, drilled or read", async () => {
  const caller = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    assertFailure(await post(caller, LEGACY_PLAN, PLAN_BODY), "IDENTITY_STATE_CONFLICT");
    const expecting = await post(caller, LEGACY_PLAN, { ...PLAN_BODY, expectedRevision: 1 });
    assertFailure(expecting, "IDENTITY_STATE_CONFLICT");
    assertFailure(await post(caller, LEGACY_DRILLS, CONFIRMED), "IDENTITY_STATE_CONFLICT");
    assertFailure(await caller.call("GET", LEGACY_PLAN), "RECORD_NOT_FOUND");
    assertFailure(await caller.call("GET", `${LEGACY_DRILLS}/${ulid()}`), "RECORD_NOT_FOUND");
    assertEquals(await read(caller, LEGACY_DRILLS), { items: [], nextCursor: null });
  });
  await introduce(caller);
  await assertWritesNothing(world(), async () => {
    const expecting = await post(caller, LEGACY_PLAN, { ...PLAN_BODY, expectedRevision: 1 });
    assertFailure(expecting, "RECORD_NOT_FOUND");
    assertFailure(await post(caller, LEGACY_DRILLS, CONFIRMED), "IDENTITY_STATE_CONFLICT");
    assertFailure(await caller.call("GET", LEGACY_PLAN), "RECORD_NOT_FOUND");
  });
});

Deno.test("With orNull a missing plan or publication is null, and a present one as always", async () => {
  const caller = await someone();
  for (const path of [LEGACY_PLAN, PUBLIC]) {
    assertEquals(await read(caller, `${path}?orNull=true`), null);
    assertFailure(await caller.call("GET", `${path}?orNull=false`), "RECORD_NOT_FOUND");
    assertInvalid(await caller.call("GET", `${path}?orNull=1`), ["field.option"], ["orNull"]);
  }
  const plan = await done(caller, LEGACY_PLAN, PLAN_BODY);
  assertEquals(await read(caller, `${LEGACY_PLAN}?orNull=true`), plan);
});

Deno.test("A drill names what would be released, and changes neither plan nor profile", async () => {
  const caller = await someone({ displayName: "Ada", tags: [] });
  const profile = await read(caller, PROFILE);
  const fields = ["tags", "biography", "displayName", "endedAt"];
  const plan = await done(caller, LEGACY_PLAN, { ...PLAN_BODY, fields });
  world().advance(1000);
  const now = world().now().toISOString();
  const response = await drill(caller, plan);
  assertEquals(response.status, 201, response.text);
  const first = response.body.data;
  const path = `${LEGACY_DRILLS}/${first.drillId}`;
  assertEquals(response.headers.get("Location"), path);
  assertEquals(first, {
    drillId: first.drillId,
    planId: plan.planId,
    planRevision: 1,
    profileRevision: 1,
    delivery: "BLOCKED",
    fields: [
      { field: "displayName", present: true },
      { field: "endedAt", present: false },
      { field: "biography", present: false },
      { field: "tags", present: true },
    ],
    createdAt: now,
  });
  assertEquals(await read(caller, path), first);
  assertEquals(await read(caller, PROFILE), profile);
  assertEquals(await read(caller, LEGACY_PLAN), { ...plan, lastDrillAt: now });
  const [execution] = await world().rows(`
    select execution_id, record_id, module_code, feature_id, strategy, revision, status,
           output::text as output from executions where owner_id = '${caller.accountId}'`);
  assertEquals(execution, {
    execution_id: first.drillId,
    record_id: null,
    module_code: "identity",
    feature_id: "IDN-007",
    strategy: "record",
    revision: null,
    status: "SUCCEEDED",
    output: JSON.stringify({
      planId: plan.planId,
      planRevision: 1,
      profileRevision: 1,
      fields: ["displayName", "endedAt", "biography", "tags"],
      present: ["displayName", "tags"],
    }),
  });
  const entries = (await identityAudit(caller)).filter((line) => line.includes("drill"));
  assertEquals(entries, [`identity.legacy_drill.create null ${first.drillId}`]);
});

Deno.test("A drill stays unchanged after changes of plan and profile", async () => {
  const caller = await someone();
  const plan = await done(caller, LEGACY_PLAN, PLAN_BODY);
  const drills = [await drilled(caller, plan)];
  await changed(caller, PROFILE, { expectedRevision: 1, remove: ["biography"] });
  world().advance(1000);
  drills.unshift(await drilled(caller, plan));
  await done(caller, LEGACY_PLAN, { ...PLAN_BODY, fields: ["tags"], expectedRevision: 1 });
  world().advance(1000);
  drills.unshift(await drilled(caller, plan));
  const told = drills.map((
    { planRevision, profileRevision, fields },
  ) => [planRevision, profileRevision, ...fields.map(({ present }: Json) => present)]);
  assertEquals(told, [[2, 2, true], [1, 2, true, false], [1, 1, true, true]]);
  assertEquals((await walkPages(caller, LEGACY_DRILLS, { limit: "2" })).flat(), drills);
  for (const each of drills) {
    assertEquals(await read(caller, `${LEGACY_DRILLS}/${each.drillId}`), each);
  }
  assertEquals((await read(caller, LEGACY_PLAN)).lastDrillAt, drills[0].createdAt);
  const unknown = await caller.call("GET", `${LEGACY_DRILLS}?cursor=${ulid()}`);
  assertInvalid(unknown, ["cursor.unknown"], ["cursor"]);
});

Deno.test("A repetition of a plan shows the last drill of its own time", async () => {
  const caller = await someone();
  const [first, second] = [ulid(), ulid()];
  const plan = (await caller.call("POST", LEGACY_PLAN, { key: first, body: PLAN_BODY })).body.data;
  const one = await drilled(caller, plan);
  world().advance(1000);
  const body = { ...PLAN_BODY, expectedRevision: 1 };
  const replaced = (await caller.call("POST", LEGACY_PLAN, { key: second, body })).body.data;
  assertEquals(replaced.lastDrillAt, one.createdAt);
  world().advance(1000);
  const key = ulid();
  const response = await drill(caller, plan, key);
  await changed(caller, PROFILE, { expectedRevision: 1, remove: ["biography"] });
  const calls: [string, string, JsonObject, Json, number][] = [
    [LEGACY_PLAN, first, PLAN_BODY, plan, 201],
    [LEGACY_PLAN, second, body, replaced, 200],
    [LEGACY_DRILLS, key, CONFIRMED, response.body.data, 201],
  ];
  for (const [path, key, body, data, status] of calls) {
    const again = await caller.call("POST", path, { key, body });
    assertEquals([again.status, again.body.data], [status, data], path);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  }
  assertEquals((await read(caller, LEGACY_PLAN)).lastDrillAt, response.body.data.createdAt);
});

Deno.test("A drill requires a proof of this plan, session and purpose, once", async () => {
  const caller = await someone();
  const plan = await done(caller, LEGACY_PLAN, PLAN_BODY);
  const other = await someone();
  const { profileId } = await read(caller, PROFILE);
  const proof = (of: Caller, purpose: "IDENTITY_LEGACY_DRILL" | "IDENTITY_PUBLISH", id: string) =>
    proofOf(world(), of, purpose, id);
  const good = await proof(caller, "IDENTITY_LEGACY_DRILL", plan.planId);
  const token = await withPermissions(world(), caller, "identity.write");
  const proofs = [
    {},
    { "Step-Up-Proof": "prs_x_nothing" },
    await proof(caller, "IDENTITY_LEGACY_DRILL", profileId),
    await proof(caller, "IDENTITY_PUBLISH", plan.planId),
    await proof(other, "IDENTITY_LEGACY_DRILL", plan.planId),
  ];
  await assertWritesNothing(world(), async () => {
    for (const headers of proofs) {
      assertFailure(await post(caller, LEGACY_DRILLS, CONFIRMED, headers), "STEP_UP_REQUIRED");
    }
    assertFailure(await post(token, LEGACY_DRILLS, CONFIRMED, good), "STEP_UP_REQUIRED", "a token");
  });
  assertEquals((await post(caller, LEGACY_DRILLS, CONFIRMED, good)).status, 201);
  assertFailure(await post(caller, LEGACY_DRILLS, CONFIRMED, good), "STEP_UP_REQUIRED", "spent");
});

Deno.test("Another owner's plan and drills are not found", async () => {
  const caller = await someone();
  const plan = await done(caller, LEGACY_PLAN, PLAN_BODY);
  const { drillId } = await drilled(caller, plan);
  const other = await someone();
  assertFailure(await other.call("GET", LEGACY_PLAN), "RECORD_NOT_FOUND");
  assertFailure(await other.call("GET", `${LEGACY_DRILLS}/${drillId}`), "RECORD_NOT_FOUND");
  assertEquals((await read(other, LEGACY_DRILLS)).items, []);
  const foreign = await other.call("GET", `${LEGACY_DRILLS}?cursor=${drillId}`);
  assertInvalid(foreign, ["cursor.unknown"], ["cursor"]);
  const reader = await withPermissions(world(), caller, "identity.read");
  for (const path of [LEGACY_PLAN, LEGACY_DRILLS]) {
    assertFailure(await post(reader, path, PLAN_BODY), "FORBIDDEN", path);
    const keyless = await caller.call("POST", path, { body: PLAN_BODY });
    assertFailure(keyless, "RECORD_IDEMPOTENCY_KEY_REQUIRED", path);
  }
});

Deno.test("No text of plan or profile is in a drill, ledger, log line or error", async () => {
  await using world = await createWorld();
  const markers = new Markers();
  const mark = (purpose: string) => markers.make(purpose);
  const caller = await world.createCaller();
  await introduce(caller, { displayName: mark("name"), biography: mark("biography") });
  const texts = {
    recipientDescription: mark("recipient"),
    releaseCondition: mark("condition"),
    instructions: mark("instructions"),
  };
  const fields = ["displayName", "biography", "tags"];
  const plan = await done(caller, LEGACY_PLAN, { ...texts, fields });
  const headers = await proofOf(world, caller, "IDENTITY_LEGACY_DRILL", plan.planId);
  const response = await post(caller, LEGACY_DRILLS, CONFIRMED, headers);
  assertEquals([response.status, markers.inResponse(response)], [201, []]);
  for (const path of [LEGACY_DRILLS, `${LEGACY_DRILLS}/${response.body.data.drillId}`]) {
    assertEquals(markers.inResponse(await caller.call("GET", path)), [], path);
  }
  const refused: [string, JsonObject][] = [
    [LEGACY_PLAN, { ...texts, fields }],
    [LEGACY_PLAN, { ...texts, fields, expectedRevision: 9 }],
    [LEGACY_PLAN, { ...texts, fields: [mark("field")], [mark("member")]: 1 }],
    [LEGACY_DRILLS, { confirmation: mark("confirmation") }],
    [LEGACY_DRILLS, CONFIRMED],
  ];
  for (const [path, body] of refused) {
    markers.assertTellsNothing(await post(caller, path, body), path);
  }
  const columns = Object.keys(await markers.assertLedgersTellNothing(world));
  const tables = new Set(columns.map((column) => column.split(".")[0]));
  assertEquals([...tables].sort(), [
    "identity_legacy_plan_revisions",
    "identity_legacy_plans",
    "identity_profile_revisions",
    "identity_profiles",
  ]);
});
