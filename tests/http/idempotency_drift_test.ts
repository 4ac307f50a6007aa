/** Replays of unexpected stored data. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { purgeEnvelopes } from "../../src/command/retention.ts";
import { type Caller, callerOf, sharedWorld } from "../support/world.ts";
import { assertFailure, assertWritesNothing, COMMITMENT, COMMITMENTS, HEALTH } from "./kernel.ts";

const world = sharedWorld();

const BODY = { title: "A title", payload: COMMITMENT };

function create(caller: Caller, body = BODY, key = "k") {
  return caller.call("POST", COMMITMENTS, { key, body });
}

/** Stores the same envelope as a creation with the key. */
async function storeEnvelope(
  caller: Caller,
  envelope: string,
  { key = "k", age = "0 days" } = {},
): Promise<void> {
  await world().raw(`
    insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                       fingerprint_key, envelope, created_at)
      values ('${caller.accountId}', 'record.create:commitment', '', '${key}', '\\x00',
              'another key', '${envelope}', now() - interval '${age}')`);
}

Deno.test("A key is replayed under another server secret", async () => {
  const caller = await world().createCaller();
  const first = await create(caller);
  const serverSecret = new TextEncoder().encode("the secret of another year");
  const later = callerOf(world().again({ serverSecret }), caller);
  for (const body of [BODY, { ...BODY, title: "Another" }, { ...BODY, payload: {} as never }]) {
    const response = await create(later, body);
    assertEquals(response.headers.get("Idempotency-Replayed"), "true", response.text);
    assertEquals([response.status, response.body.data], [201, first.body.data]);
  }
  // Under the first secret reuse is detected again.
  assertFailure(await create(caller, { ...BODY, title: "Another" }), "IDEMPOTENCY_KEY_REUSED");
});

Deno.test("An envelope of an unknown version or shape is drift, not a miss", async () => {
  const recordId = ulid();
  const envelopes = [
    { v: 2, policy: "record", recordId, revision: 1 },
    { v: "1", policy: "record", recordId, revision: 1 },
    { policy: "record", recordId, revision: 1 },
    { v: 1, policy: "record", revision: 1 },
    { v: 1, recordId, revision: 1 },
    { v: 1, policy: "record", recordId, revision: "1" },
    { v: 1, policy: "record", recordId },
    { v: 1, policy: "record", recordId, revision: 1, executionId: 7 },
    [],
    null,
    "text",
  ];
  for (const envelope of envelopes) {
    const caller = await world().createCaller();
    await storeEnvelope(caller, JSON.stringify(envelope));
    await assertWritesNothing(world(), async () => {
      assertFailure(await create(caller), "INTERNAL_ERROR", JSON.stringify(envelope));
    });
  }
});

Deno.test("An envelope that names a record elsewhere is drift", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const health = await caller.create("health", HEALTH);
  const foreign = await stranger.create("commitment", COMMITMENT);
  const own = await caller.create("commitment", COMMITMENT);
  const named = [
    { recordId: ulid(), revision: 1 },
    { recordId: health.recordId, revision: 1 },
    { recordId: foreign.recordId, revision: 1 },
    { recordId: own.recordId, revision: 2 },
    { recordId: own.recordId, revision: null },
  ];
  for (const [index, names] of named.entries()) {
    const key = `k${index}`;
    await storeEnvelope(caller, JSON.stringify({ v: 1, policy: "record", ...names }), { key });
    await assertWritesNothing(world(), async () => {
      const response = await create(caller, BODY, key);
      assertFailure(response, "INTERNAL_ERROR", JSON.stringify(names));
      assert(!response.text.includes(names.recordId));
    });
  }
});

Deno.test("An internal error is logged by its kind only", async () => {
  const caller = await world().createCaller();
  await storeEnvelope(caller, '{"v":9,"recordId":"the-secret-text"}');
  const response = await create(caller);
  const requestId = response.headers.get("X-Request-Id");
  const lines = world().log.filter((line) => line.requestId === requestId);
  assertEquals(lines.map(({ at: _, durationMs: __, ...line }) => line), [
    {
      level: "error",
      event: "unexpected_error",
      requestId,
      error: "Error",
      code: null,
      constraint: null,
    },
    {
      level: "info",
      event: "request",
      requestId,
      method: "POST",
      route: "/api/v2/records/:moduleCode",
      status: 500,
      ownerId: caller.accountId,
    },
  ]);
});

Deno.test("Retention removes only old envelopes, and frees their keys", async () => {
  const [old, young] = [await world().createCaller(), await world().createCaller()];
  const envelope = JSON.stringify({ v: 1, policy: "record", recordId: ulid(), revision: 1 });
  await storeEnvelope(old, envelope, { age: "41 days" });
  await storeEnvelope(young, envelope, { age: "39 days" });
  assertEquals(await purgeEnvelopes(world().database, 40, new Date()), 1);
  assertEquals(await purgeEnvelopes(world().database, 40, new Date()), 0);
  assertEquals((await create(old)).status, 201);
  assertFailure(await create(young), "INTERNAL_ERROR");
});
