import { assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonValue } from "../../src/core/json.ts";
import { type Caller, sharedWorld, type TestResponse } from "../support/world.ts";
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

function create(caller: Caller, body: JsonValue): Promise<TestResponse> {
  return caller.call("POST", COMMITMENTS, { key: ulid(), body });
}

Deno.test("POST record answers 201 with the record and its address", async () => {
  const caller = await world().createCaller();
  const response = await create(caller, {
    title: "Home",
    summary: "One call",
    payload: COMMITMENT,
  });
  assertEquals(response.status, 201, response.text);
  assertEquals(Object.keys(response.body), ["data", "meta"]);
  assertEquals(response.body.meta, { requestId: response.headers.get("X-Request-Id") });
  const { recordId, ...record } = response.body.data;
  assertMatch(recordId, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  const now = world().now().toISOString();
  assertEquals(record, {
    moduleCode: "commitment",
    title: "Home",
    summary: "One call",
    payload: COMMITMENT,
    revision: 1,
    sourceType: "USER_INPUT",
    recordedAt: now,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
    localTimes: {},
    attachmentIds: [],
  });
  const location = response.headers.get("Location");
  assertEquals(location, `${COMMITMENTS}/${recordId}`);
  const detail = await caller.call("GET", location ?? "");
  assertEquals(detail.body.data, response.body.data);
});

Deno.test("POST record leaves the summary empty when none is sent", async () => {
  const caller = await world().createCaller();
  const response = await create(caller, { title: "A", payload: COMMITMENT });
  assertEquals(response.body.data.summary, "");
});

Deno.test("POST record writes one root, revision, index row, audit entry and envelope", async () => {
  const caller = await world().createCaller();
  const before = await tableCounts(world());
  const response = await caller.call("POST", COMMITMENTS, {
    key: "the-key",
    headers: { "X-Request-Id": "request-0001" },
    body: { title: "A", payload: COMMITMENT },
  });
  const { recordId } = response.body.data;
  assertEquals(await tableCounts(world()), {
    ...before,
    records: (before.records ?? 0) + 1,
    record_revisions: (before.record_revisions ?? 0) + 1,
    record_order: (before.record_order ?? 0) + 1,
    search_index: (before.search_index ?? 0) + 1,
    audit_entries: (before.audit_entries ?? 0) + 1,
    idempotency_envelopes: (before.idempotency_envelopes ?? 0) + 1,
  });
  const [audit] = await world().rows(
    `select actor_id, credential_kind, credential_id, operation, module_code, subject_id, revision,
            request_id from audit_entries where owner_id = '${caller.accountId}'`,
  );
  assertEquals(audit, {
    actor_id: caller.accountId,
    credential_kind: "SESSION",
    credential_id: caller.sessionId,
    operation: "record.create",
    module_code: "commitment",
    subject_id: recordId,
    revision: 1,
    request_id: "request-0001",
  });
  const [stored] = await world().rows(
    `select operation, target, idempotency_key, envelope from idempotency_envelopes
      where owner_id = '${caller.accountId}'`,
  );
  assertEquals(stored, {
    operation: "record.create:commitment",
    target: "",
    idempotency_key: "the-key",
    envelope: { v: 1, policy: "record", recordId, revision: 1 },
  });
});

Deno.test("POST record stores text exactly as sent", async () => {
  const caller = await world().createCaller();
  const title = "  Zoe\u0301 \u200d 👩‍👩‍👧 \u202e ";
  const content = "tab\tline\nreturn\r\u0001 e\u0301 é \ufeff";
  const response = await create(caller, {
    title,
    summary: "\n",
    payload: { ...COMMITMENT, content },
  });
  assertEquals(response.status, 201, response.text);
  const { data } = (await caller.call("GET", pathOf(response.body.data))).body;
  assertEquals([data.title, data.summary, data.payload.content], [title, "\n", content]);
});

Deno.test("POST record converts times to UTC", async () => {
  const caller = await world().createCaller();
  const payload = { ...COMMITMENT, dueAt: "2027-01-01T00:30:00.5+01:00" };
  const response = await create(caller, { title: "A", payload });
  assertEquals(response.body.data.payload.dueAt, "2026-12-31T23:30:00.500Z");
});

Deno.test("POST record accepts a title of 200 and a summary of 1000 code points", async () => {
  const caller = await world().createCaller();
  const body = { title: "🙂".repeat(200), summary: "🙂".repeat(1000), payload: COMMITMENT };
  assertEquals((await create(caller, body)).status, 201);
  assertInvalid(
    await create(caller, { ...body, title: "🙂".repeat(201) }),
    ["field.length"],
    ["title"],
  );
  const long = { ...body, summary: "a".repeat(1001) };
  assertInvalid(await create(caller, long), ["field.length"], ["summary"]);
});

const REFUSED_BODIES: readonly [JsonValue, readonly string[], readonly string[]][] = [
  [[], ["body.object"], []],
  [null, ["body.object"], []],
  ["text", ["body.object"], []],
  [{}, ["field.required"], ["title", "payload"]],
  [{ title: "A" }, ["field.required"], ["payload"]],
  [{ payload: COMMITMENT }, ["field.required"], ["title"]],
  [{ title: "", payload: COMMITMENT }, ["field.blank"], ["title"]],
  [{ title: " \u00a0 ", payload: COMMITMENT }, ["field.blank"], ["title"]],
  [{ title: "a\tb", payload: COMMITMENT }, ["field.control_character"], ["title"]],
  [{ title: "a\u0085b", payload: COMMITMENT }, ["field.control_character"], ["title"]],
  [{ title: 1, payload: COMMITMENT }, ["field.type"], ["title"]],
  [{ title: null, payload: COMMITMENT }, ["field.type"], ["title"]],
  [{ title: "A", summary: null, payload: COMMITMENT }, ["field.type"], ["summary"]],
  [{ title: "A", payload: null }, ["field.type"], ["payload"]],
  [{ title: "A", payload: [] }, ["field.type"], ["payload"]],
  [{ title: "A", payload: COMMITMENT, ownerId: ulid() }, ["undeclared_field"], []],
  [{ title: "A", payload: COMMITMENT, sourceType: "SEED" }, ["undeclared_field"], []],
  [{ title: "A", payload: COMMITMENT, recordId: ulid() }, ["undeclared_field"], []],
  [{ title: "A", payload: COMMITMENT, toString: 1 }, ["undeclared_field"], []],
  [{ title: "A", payload: COMMITMENT, expectedRevision: 1 }, ["undeclared_field"], []],
  [{ title: "A", payload: { ...COMMITMENT, ownerId: ulid() } }, ["undeclared_field"], []],
  [{ title: "A", payload: { ...COMMITMENT, notes: null } }, ["field.null"], ["notes"]],
  [
    { title: "A", payload: { content: "x", completionStatus: "NO" } },
    ["field.required", "field.option"],
    ["commitmentType", "completionStatus"],
  ],
  [
    { title: "A", payload: { ...COMMITMENT, completedAt: "2026-01-01T00:00:00Z" } },
    ["commitment.completed_at_requires_completed"],
    ["completedAt", "completionStatus"],
  ],
];

Deno.test("POST record rejects what the contract does not allow and writes nothing", async () => {
  const caller = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    for (const [body, rules, fields] of REFUSED_BODIES) {
      assertInvalid(await create(caller, body), rules, fields, JSON.stringify(body));
    }
  });
});

const REFUSED_TEXTS: readonly [string, string][] = [
  ["", "json.syntax"],
  ["{", "json.syntax"],
  ['{"title":"A","title":"B"}', "json.duplicate_key"],
  ['{"title":"A","payload":{"__proto__":{}}}', "json.key"],
  ['{"title":"A","payload":{"a":{"constructor":1}}}', "json.key"],
  ['{"title":"A","payload":{"value":1e999}}', "json.number"],
  ['{"title":"A","payload":{"value":[{"id":12345678901234567890}]}}', "json.number"],
  ['{"title":"\\u0000"}', "json.text"],
  ['{"title":"\\ud800"}', "json.text"],
  [`{"title":"A","payload":${"[".repeat(32)}${"]".repeat(32)}}`, "json.depth"],
  [`{"title":"A","payload":[${"0,".repeat(20_000)}0]}`, "json.nodes"],
];

Deno.test("POST record rejects unsafe JSON by the violated rule", async () => {
  const caller = await world().createCaller();
  const headers = { "Content-Type": "application/json" };
  for (const [raw, rule] of REFUSED_TEXTS) {
    const response = await caller.call("POST", COMMITMENTS, { key: ulid(), headers, raw });
    assertInvalid(response, [rule], [], raw.slice(0, 80));
  }
  const raw = new Uint8Array([0x7b, 0xff, 0x7d]);
  assertInvalid(await caller.call("POST", COMMITMENTS, { key: ulid(), headers, raw }), [
    "json.encoding",
  ]);
});

Deno.test("POST record rejects a payload of more than 512 KiB", async () => {
  const caller = await world().createCaller();
  const plan = { planType: "DIGITAL_LEGACY", legacyTitle: "Letters", legacyStatus: "DRAFT" };
  const make = (codePoints: number) =>
    caller.call("POST", "/api/v2/records/legacy", {
      key: ulid(),
      body: {
        title: "A",
        payload: {
          ...plan,
          sealedContent: "漢".repeat(100_000),
          releaseInstructions: "漢".repeat(codePoints),
        },
      },
    });
  assertEquals((await make(70_000)).status, 201);
  assertInvalid(await make(80_000), ["payload.bytes"]);
});

Deno.test("POST record rejects a body of more than two MiB with any Content-Length", async () => {
  const caller = await world().createCaller();
  const raw = `{"title":"${"a".repeat(2 * 1024 * 1024)}"}`;
  const headers = { "Content-Type": "application/json", "Content-Length": "10" };
  const response = await caller.call("POST", COMMITMENTS, { key: ulid(), headers, raw });
  assertEquals(assertFailure(response, "HTTP_413"), { limit: 2 * 1024 * 1024 });
});

Deno.test("POST record accepts only application/json", async () => {
  const caller = await world().createCaller();
  const raw = JSON.stringify({ title: "A", payload: COMMITMENT });
  for (const type of ["text/plain", "application/jsonp", "application/problem+json", "json"]) {
    const headers = { "Content-Type": type };
    const response = await caller.call("POST", COMMITMENTS, { key: ulid(), headers, raw });
    assertFailure(response, "HTTP_415", type);
  }
  for (const type of ["application/json", "Application/JSON;charset=utf-8"]) {
    const headers = { "Content-Type": type };
    const response = await caller.call("POST", COMMITMENTS, { key: ulid(), headers, raw });
    assertEquals(response.status, 201, type);
  }
});

Deno.test("POST record answers 408 for a body that breaks off", async () => {
  const caller = await world().createCaller();
  const raw = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"title":'));
      controller.error(new Error("The client went away"));
    },
  });
  const headers = { "Content-Type": "application/json" };
  const response = await caller.call("POST", COMMITMENTS, { key: ulid(), headers, raw });
  assertFailure(response, "HTTP_408");
});

Deno.test("POST record accepts a reference to an attachment of the same owner only", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const upload = async (owner: Caller) => {
    const headers = { "Content-Type": "image/png", "X-Filename": "a.png" };
    const response = await owner.call("POST", "/api/v2/attachments", { headers, raw: "bytes" });
    return response.body.data.attachmentId;
  };
  const media = (fileId: string) =>
    caller.call("POST", "/api/v2/records/media", {
      key: ulid(),
      body: { title: "A", payload: { mediaType: "PHOTO", fileId } },
    });
  const [own, foreign] = [await upload(caller), await upload(stranger)];
  await assertWritesNothing(world(), async () => {
    for (const id of [foreign, ulid()]) {
      assertInvalid(await media(id), ["attachment.exists"], ["fileId"]);
    }
  });
  assertEquals((await media(own)).status, 201);
});
