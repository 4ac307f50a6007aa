// engines: both
import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonValue } from "../../src/core/json.ts";
import { callerOf, sharedWorld, type TestResponse } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  COMMITMENT,
  COMMITMENTS,
  HEALTH,
  pathOf,
  tableCounts,
} from "./kernel.ts";

const world = sharedWorld();

const BODY = { title: "A title", payload: COMMITMENT };

/** Equal except for the request id. */
function assertReplay(response: TestResponse, first: TestResponse): void {
  assertEquals(response.headers.get("Idempotency-Replayed"), "true", response.text);
  assertEquals(first.headers.get("Idempotency-Replayed"), null);
  assertEquals(response.status, first.status);
  assertEquals(response.body.data, first.body.data);
  assertEquals(response.headers.get("Location"), first.headers.get("Location"));
}

Deno.test("POST record requires a key", async () => {
  const caller = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    const response = await caller.call("POST", COMMITMENTS, { body: BODY });
    const details = assertFailure(response, "RECORD_IDEMPOTENCY_KEY_REQUIRED");
    assertEquals(details, { operation: "record.create" });
  });
});

Deno.test("POST record answers a repetition with the first response and writes nothing", async () => {
  const caller = await world().createCaller();
  const first = await caller.call("POST", COMMITMENTS, { key: "k", body: BODY });
  await assertWritesNothing(world(), async () => {
    assertReplay(await caller.call("POST", COMMITMENTS, { key: "k", body: BODY }), first);
  });
});

Deno.test("POST record recognises a repetition by its meaning, not its bytes", async () => {
  const caller = await world().createCaller();
  const first = await caller.call("POST", COMMITMENTS, { key: "k", body: BODY });
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  const { content, ...others } = COMMITMENT;
  const raw = ` {"payload":${JSON.stringify({ ...others, content })},\n"title":"A\\u0020title"} `;
  assertReplay(await caller.call("POST", COMMITMENTS, { key: "k", headers, raw }), first);
});

Deno.test("POST record is replayed exactly after later changes and archival", async () => {
  const caller = await world().createCaller();
  const first = await caller.call("POST", COMMITMENTS, { key: "k", body: BODY });
  const path = pathOf(first.body.data);
  await caller.call("PATCH", path, { body: { title: "B", payload: { notes: "later" } } });
  await caller.call("POST", `${path}/archive`);
  assertReplay(await caller.call("POST", COMMITMENTS, { key: "k", body: BODY }), first);
});

Deno.test("PATCH, archive and restore are replayed exactly after later changes", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const calls = [
    () =>
      caller.call("PATCH", pathOf(made), { key: "k", body: { title: "B", expectedRevision: 1 } }),
    () => caller.call("POST", `${pathOf(made)}/archive`, { key: "k" }),
    () =>
      caller.call("POST", `${pathOf(made)}/restore`, { key: "k", body: { expectedRevision: 3 } }),
  ];
  const firsts: TestResponse[] = [];
  for (const call of calls) firsts.push(await call());
  assertEquals(firsts.map((response) => response.body.data.revision), [2, 3, 4]);
  await caller.call("PATCH", pathOf(made), { body: { title: "C" } });
  await assertWritesNothing(world(), async () => {
    for (const [index, call] of calls.entries()) {
      const [first] = firsts.slice(index);
      assert(first !== undefined);
      assertReplay(await call(), first);
    }
  });
});

Deno.test("PATCH, archive and restore without effect store an envelope and no audit entry", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const calls = [
    () => caller.call("PATCH", pathOf(made), { key: "k", body: { title: made.title } }),
    () => caller.call("POST", `${pathOf(made)}/restore`, { key: "k" }),
  ];
  for (const call of calls) {
    const before = await tableCounts(world());
    const first = await call();
    assertEquals([first.status, first.body.data], [200, made]);
    assertEquals(await tableCounts(world()), {
      ...before,
      idempotency_envelopes: (before.idempotency_envelopes ?? 0) + 1,
    });
    await caller.call("PATCH", pathOf(made), { body: { summary: ulid() } });
    assertReplay(await call(), first);
    await caller.call("PATCH", pathOf(made), { body: { summary: "" } });
    made.revision += 2;
  }
});

Deno.test("A repetition is recognised by another process and after a restart", async () => {
  const caller = await world().createCaller();
  const first = await caller.call("POST", COMMITMENTS, { key: "k", body: BODY });
  const elsewhere = callerOf(world().again(), caller);
  assertReplay(await elsewhere.call("POST", COMMITMENTS, { key: "k", body: BODY }), first);
});

Deno.test("A key is rejected for a different request of the same operation", async () => {
  const caller = await world().createCaller();
  await caller.call("POST", COMMITMENTS, { key: "k", body: BODY });
  await assertWritesNothing(world(), async () => {
    const others: JsonValue[] = [
      { ...BODY, title: "Another" },
      { ...BODY, summary: "" },
      { ...BODY, payload: { ...COMMITMENT, notes: "x" } },
      { ...BODY, payload: { ...COMMITMENT, completionStatus: "NO" } },
    ];
    for (const body of others) {
      const response = await caller.call("POST", COMMITMENTS, { key: "k", body });
      const details = assertFailure(response, "IDEMPOTENCY_KEY_REUSED", JSON.stringify(body));
      assertEquals(details, { operation: "record.create" });
    }
  });
});

Deno.test("A key applies to one owner, module, operation and target", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const made = await caller.create("commitment", COMMITMENT);
  const second = await caller.create("commitment", COMMITMENT);
  const health = { title: "A title", payload: HEALTH };
  const calls = [
    () => caller.call("POST", COMMITMENTS, { key: "k", body: BODY }),
    () => other.call("POST", COMMITMENTS, { key: "k", body: BODY }),
    () => caller.call("POST", "/api/v2/records/health", { key: "k", body: health }),
    () => caller.call("PATCH", pathOf(made), { key: "k", body: { title: "B" } }),
    () => caller.call("PATCH", pathOf(second), { key: "k", body: { title: "C" } }),
    () => caller.call("POST", `${pathOf(made)}/archive`, { key: "k" }),
    () => caller.call("POST", `${pathOf(made)}/restore`, { key: "k" }),
  ];
  for (const [index, call] of calls.entries()) {
    const response = await call();
    assert(response.status < 300, `${index}: ${response.text}`);
    assertEquals(response.headers.get("Idempotency-Replayed"), null, String(index));
  }
});

Deno.test("Keys that differ in letter case or length are different keys", async () => {
  const caller = await world().createCaller();
  const ids = new Set();
  for (const key of ["k", "K", "k.", "kk", "~", "!", "k".repeat(255)]) {
    const response = await caller.call("POST", COMMITMENTS, { key, body: BODY });
    assertEquals(response.status, 201, key);
    ids.add(response.body.data.recordId);
  }
  assertEquals(ids.size, 7);
});

Deno.test("A quoted key is the key between its quotes", async () => {
  const caller = await world().createCaller();
  const first = await caller.call("POST", COMMITMENTS, { key: '"k"', body: BODY });
  assertReplay(await caller.call("POST", COMMITMENTS, { key: "k", body: BODY }), first);
  const long = await caller.call("POST", COMMITMENTS, { key: `"${"q".repeat(255)}"`, body: BODY });
  assertEquals(long.status, 201);
});

Deno.test("A key of other characters or another length is rejected on every writing route", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const keys = ["", '""', "two words", '"two words"', "tab\tkey", "ä", "k".repeat(256), "a, b"];
  await assertWritesNothing(world(), async () => {
    for (const key of keys) {
      const answers = [
        await caller.call("POST", COMMITMENTS, { key, body: BODY }),
        await caller.call("PATCH", pathOf(made), { key, body: { title: "B" } }),
        await caller.call("POST", `${pathOf(made)}/archive`, { key }),
        await caller.call("POST", `${pathOf(made)}/restore`, { key }),
      ];
      for (const response of answers) assertInvalid(response, ["idempotency_key.format"], [], key);
    }
  });
});

Deno.test("A key sent to a reading route is ignored", async () => {
  const caller = await world().createCaller();
  const response = await caller.call("GET", COMMITMENTS, { key: "two words" });
  assertEquals(response.status, 200);
});

Deno.test("A rejected request leaves its key free", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const absent = `${COMMITMENTS}/${ulid()}`;
  await assertWritesNothing(world(), async () => {
    const invalid = { ...BODY, payload: {} };
    assertInvalid(
      await caller.call("POST", COMMITMENTS, { key: "k", body: invalid }),
      ["field.required"],
      ["commitmentType", "completionStatus", "content"],
    );
    const conflict = { title: "B", expectedRevision: 8 };
    const refused = await caller.call("PATCH", pathOf(made), { key: "k", body: conflict });
    assertFailure(refused, "REVISION_CONFLICT");
    const missing = await caller.call("PATCH", absent, { key: "k", body: conflict });
    assertFailure(missing, "RECORD_NOT_FOUND");
  });
  const created = await caller.call("POST", COMMITMENTS, { key: "k", body: BODY });
  assertEquals(created.status, 201);
  const patched = await caller.call("PATCH", pathOf(made), { key: "k", body: { title: "B" } });
  assertEquals([patched.status, patched.headers.get("Idempotency-Replayed")], [200, null]);
});

Deno.test("A repetition passes current authentication and permission checks first", async () => {
  const caller = await world().createCaller();
  await caller.call("POST", COMMITMENTS, { key: "k", body: BODY });
  const { accountId } = caller;
  await world().raw(`update accounts set role = 'SERVICE' where account_id = '${accountId}'`);
  assertFailure(await caller.call("POST", COMMITMENTS, { key: "k", body: BODY }), "FORBIDDEN");
  await world().raw(`update accounts set disabled_at = now() where account_id = '${accountId}'`);
  assertFailure(await caller.call("POST", COMMITMENTS, { key: "k", body: BODY }), "AUTH_REQUIRED");
});
