/** With a catalog that implements a few features. */

import { assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonValue } from "../../src/core/json.ts";
import { payloadInvalid } from "../../src/errors/service_error.ts";
import type { ExecutionInput } from "../../src/records/feature_routes.ts";
import { callerOf, sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  catalogWith,
  COMMITMENT,
  COMMITMENTS,
  HEALTH,
  pathOf,
  readPage,
  tableCounts,
} from "./kernel.ts";

const IMPLEMENTED = { status: "implemented_local" } as const;

const world = sharedWorld({
  catalog: catalogWith({
    "CMT-001": { ...IMPLEMENTED, strategy: "analyze" },
    "CMT-002": { ...IMPLEMENTED, strategy: "verify" },
    "CMT-003": { ...IMPLEMENTED, strategy: "generate" },
    "CMT-004": { ...IMPLEMENTED, strategy: "rank" },
    "CMT-005": { ...IMPLEMENTED, strategy: "publish" },
    "HLT-001": { ...IMPLEMENTED, strategy: "analyze" },
  }),
  executors: {
    analyze: describe,
    verify: () => {
      throw payloadInvalid(["test.refused"]);
    },
    generate: () => ({ never: new Date() as never }),
    rank: () => {
      throw Object.assign(new Error("An old caller"), { code: "IDEMPOTENCY_KEY_REQUIRED" });
    },
  },
});

/** All arguments of an executor. */
function describe({ feature, title, summary, payload, revision, input, now }: ExecutionInput) {
  return { feature: feature.id, title, summary, payload, revision, input, at: now.toISOString() };
}

function featurePath(record: JsonValue, featureId = "CMT-001"): string {
  return `${pathOf(record)}/features/${featureId}`;
}

Deno.test("POST feature executes and returns the execution", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const response = await caller.call("POST", featurePath(made), {
    key: "k",
    body: { input: { question: "when?" }, expectedRevision: 1 },
  });
  assertEquals(response.status, 200, response.text);
  const { executionId, ...execution } = response.body.data;
  assertMatch(executionId, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  const now = world().now().toISOString();
  assertEquals(execution, {
    recordId: made.recordId,
    featureId: "CMT-001",
    strategy: "analyze",
    revision: 1,
    status: "SUCCEEDED",
    output: {
      feature: "CMT-001",
      title: made.title,
      summary: "",
      payload: COMMITMENT,
      revision: 1,
      input: { question: "when?" },
      at: now,
    },
    createdAt: now,
  });
  const { items } = await readPage(caller, `${pathOf(made)}/executions`);
  assertEquals(items, [response.body.data]);
});

Deno.test("POST feature writes an execution, an audit entry and an envelope, and no revision", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const before = await tableCounts(world());
  const response = await caller.call("POST", featurePath(made), { key: "k", body: {} });
  assertEquals(await tableCounts(world()), {
    ...before,
    executions: (before.executions ?? 0) + 1,
    audit_entries: (before.audit_entries ?? 0) + 1,
    idempotency_envelopes: (before.idempotency_envelopes ?? 0) + 1,
  });
  const { recordId } = made;
  const [stored] = await world().rows(`
    select operation, target, envelope from idempotency_envelopes
     where owner_id = '${caller.accountId}' and target <> ''`);
  assertEquals(stored, {
    operation: "record.feature:commitment:CMT-001",
    target: recordId,
    envelope: {
      v: 1,
      policy: "feature",
      recordId,
      revision: 1,
      executionId: response.body.data.executionId,
    },
  });
  const [audit] = await world().rows(`
    select operation, module_code, subject_id, revision from audit_entries
     where owner_id = '${caller.accountId}' and operation <> 'record.create'`);
  assertEquals(audit, {
    operation: "record.feature",
    module_code: "commitment",
    subject_id: recordId,
    revision: 1,
  });
  assertEquals((await caller.call("GET", pathOf(made))).body.data, made);
});

Deno.test("POST feature is replayed exactly after later changes and by another process", async () => {
  const owner = await world().createCaller();
  const made = await owner.create("commitment", COMMITMENT);
  const options = { key: "k", body: { input: { n: 1 } } };
  const first = await owner.call("POST", featurePath(made), options);
  await owner.call("PATCH", pathOf(made), { body: { title: "B" } });
  await owner.call("POST", `${pathOf(made)}/archive`);
  await assertWritesNothing(world(), async () => {
    for (const caller of [owner, callerOf(world().again(), owner)]) {
      const replayed = await caller.call("POST", featurePath(made), options);
      assertEquals(replayed.headers.get("Idempotency-Replayed"), "true");
      assertEquals([replayed.status, replayed.body.data], [200, first.body.data]);
    }
    const other = { key: "k", body: { input: { n: 2 } } };
    const reused = await owner.call("POST", featurePath(made), other);
    assertEquals(assertFailure(reused, "IDEMPOTENCY_KEY_REUSED"), { operation: "record.feature" });
  });
});

Deno.test("POST feature runs again under another key, feature or record", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const other = await caller.create("commitment", COMMITMENT);
  const health = await caller.create("health", HEALTH);
  const ids = new Set<string>();
  const calls = [
    [featurePath(made), "k"],
    [featurePath(made), "K"],
    [featurePath(other), "k"],
    [featurePath(health, "HLT-001"), "k"],
  ] as const;
  for (const [path, key] of calls) {
    const response = await caller.call("POST", path, { key, body: {} });
    assertEquals(response.headers.get("Idempotency-Replayed"), null);
    ids.add(response.body.data.executionId);
  }
  assertEquals(ids.size, 4);
  assertEquals((await readPage(caller, `${pathOf(made)}/executions`)).items.length, 2);
});

Deno.test("POST feature requires a key", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const response = await caller.call("POST", featurePath(made), { body: {} });
  const details = assertFailure(response, "RECORD_IDEMPOTENCY_KEY_REQUIRED");
  assertEquals(details, { operation: "record.feature" });
});

Deno.test("POST feature reads the current revision and rejects another expected one", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  await caller.call("PATCH", pathOf(made), { body: { payload: { notes: "new" } } });
  await assertWritesNothing(world(), async () => {
    const body = { expectedRevision: 1 };
    const response = await caller.call("POST", featurePath(made), { key: "k", body });
    const details = assertFailure(response, "REVISION_CONFLICT");
    assertEquals(details, { expectedRevision: 1, currentRevision: 2 });
  });
  const response = await caller.call("POST", featurePath(made), { key: "k", body: {} });
  assertEquals(response.body.data.revision, 2);
  assertEquals(response.body.data.output.payload.notes, "new");
});

Deno.test("POST feature rejects what the contract does not allow", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const refused: [JsonValue, string, string[]][] = [
    [null, "body.object", []],
    [{ input: [] }, "field.type", ["input"]],
    [{ input: null }, "field.type", ["input"]],
    [{ expectedRevision: "1" }, "field.type", ["expectedRevision"]],
    [{ output: {} }, "undeclared_field", []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [body, rule, fields] of refused) {
      const response = await caller.call("POST", featurePath(made), { key: ulid(), body });
      assertInvalid(response, [rule], fields, JSON.stringify(body));
    }
    assertFailure(await caller.call("POST", featurePath(made), { key: "k" }), "HTTP_415");
  });
});

Deno.test("POST feature leaves nothing when its executor rejects or fails", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const run = (featureId: string) =>
    caller.call("POST", featurePath(made, featureId), { key: "k", body: {} });
  await assertWritesNothing(world(), async () => {
    assertInvalid(await run("CMT-002"), ["test.refused"]);
    assertInvalid(await run("CMT-002"), ["test.refused"]);
    assertFailure(await run("CMT-003"), "INTERNAL_ERROR");
  });
});

Deno.test("POST feature maps an executor's legacy code to its public name", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  await assertWritesNothing(world(), async () => {
    const path = featurePath(made, "CMT-004");
    const response = await caller.call("POST", path, { key: "k", body: {} });
    assertEquals(assertFailure(response, "RECORD_IDEMPOTENCY_KEY_REQUIRED"), undefined);
    assertEquals(response.text.includes('"IDEMPOTENCY_KEY_REQUIRED"'), false);
  });
});

Deno.test("POST feature of a strategy without an executor fails closed", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  await assertWritesNothing(world(), async () => {
    for (const path of [featurePath(made, "CMT-005"), `${COMMITMENTS}/x/features/CMT-005`]) {
      const response = await caller.call("POST", path, { key: "k", body: {} });
      const details = assertFailure(response, "FEATURE_NOT_IMPLEMENTED");
      assertEquals(details, { moduleCode: "commitment", featureId: "CMT-005" });
    }
  });
});

Deno.test("POST feature finds no record of another owner or module", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const made = await caller.create("commitment", COMMITMENT);
  const health = await caller.create("health", HEALTH);
  await assertWritesNothing(world(), async () => {
    const foreign = await stranger.call("POST", featurePath(made), { key: "k", body: {} });
    assertFailure(foreign, "RECORD_NOT_FOUND");
    const path = `${COMMITMENTS}/${health.recordId}/features/CMT-001`;
    assertFailure(await caller.call("POST", path, { key: "k", body: {} }), "RECORD_NOT_FOUND");
    const absent = `${COMMITMENTS}/${ulid()}/features/CMT-001`;
    assertFailure(await caller.call("POST", absent, { key: "k", body: {} }), "RECORD_NOT_FOUND");
  });
});

Deno.test("POST feature is drift if its envelope names no execution of the module", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const health = await caller.create("health", HEALTH);
  const other = await caller.call("POST", featurePath(health, "HLT-001"), { key: "k", body: {} });
  const named = [{ executionId: ulid() }, { executionId: other.body.data.executionId }, {}];
  for (const [index, names] of named.entries()) {
    const envelope = { v: 1, policy: "feature", recordId: made.recordId, revision: 1, ...names };
    await world().raw(`
      insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                         fingerprint_key, envelope, created_at)
        values ('${caller.accountId}', 'record.feature:commitment:CMT-001', '${made.recordId}',
                'drift-${index}', '\\x00', 'another key', '${JSON.stringify(envelope)}', now())`);
    const options = { key: `drift-${index}`, body: {} };
    assertFailure(await caller.call("POST", featurePath(made), options), "INTERNAL_ERROR");
  }
});
