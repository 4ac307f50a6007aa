/** Successful writes, once each, by names only, for their owner. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { sha256 } from "../../src/core/digest.ts";
import { payloadInvalid } from "../../src/errors/service_error.ts";
import { upload } from "../support/attachments.ts";
import { Markers } from "../support/markers.ts";
import {
  type Caller,
  callerOf,
  type CallOptions,
  createWorld,
  fileWorld,
  type Json,
  type TestResponse,
  type World,
} from "../support/world.ts";
import {
  assertFailure,
  catalogWith,
  COMMITMENT,
  COMMITMENTS,
  pathOf,
  readPage,
  setMaintenance,
} from "./kernel.ts";

const shared = fileWorld();

const AUDIT = "/api/v2/audit";

/** One feature succeeds, another fails. */
function createFeatureWorld(): Promise<World> {
  return createWorld({
    catalog: catalogWith({
      "CMT-001": { status: "implemented_local", strategy: "analyze" },
      "CMT-002": { status: "implemented_local", strategy: "verify" },
    }),
    executors: {
      analyze: ({ input }) => ({ input }),
      verify: () => {
        throw payloadInvalid(["test.refused"]);
      },
    },
  });
}

/** Lists at most one page, newest first. */
async function entriesOf(caller: Caller): Promise<Json[]> {
  const { items, nextCursor } = await readPage(caller, AUDIT, { limit: "100" });
  assertEquals(nextCursor, null);
  return items;
}

/** Sends a write at its own time; it must succeed. */
async function write(
  world: World,
  caller: Caller,
  method: string,
  path: string,
  options: CallOptions,
): Promise<TestResponse> {
  world.advance(1);
  const response = await caller.call(method, path, options);
  assert(response.status < 300, response.text);
  return response;
}

Deno.test("GET audit lists each record write once, newest first", async () => {
  await using world = await createFeatureWorld();
  const caller = await world.createCaller();
  const expected: Json[] = [];
  const note = (response: TestResponse, operation: string, subject: Json) => {
    const { subjectId, moduleCode = "commitment", revision } = subject;
    const requestId = response.headers.get("X-Request-Id");
    const createdAt = world.now().toISOString();
    expected.unshift({ operation, moduleCode, subjectId, revision, requestId, createdAt });
  };
  const body = { title: "A", payload: COMMITMENT };
  const made = await write(world, caller, "POST", COMMITMENTS, { key: "k", body });
  const record = made.body.data;
  const [path, subjectId] = [pathOf(record), record.recordId];
  note(made, "record.create", { subjectId, revision: 1 });
  const title = { title: "B" };
  const modified = await write(world, caller, "PATCH", path, { body: title });
  note(modified, "record.modify", { subjectId, revision: 2 });
  const archived = await write(world, caller, "POST", `${path}/archive`, {});
  note(archived, "record.archive", { subjectId, revision: 3 });
  const restored = await write(world, caller, "POST", `${path}/restore`, {});
  note(restored, "record.restore", { subjectId, revision: 4 });
  const feature = `${path}/features/CMT-001`;
  const executed = await write(world, caller, "POST", feature, { key: "f", body: {} });
  note(executed, "record.feature", { subjectId, revision: 4 });
  world.advance(1);
  const attached = await upload(caller, "a note");
  const { attachmentId } = attached.body.data;
  const attachment = { subjectId: attachmentId, moduleCode: null, revision: null };
  note(attached, "attachment.create", attachment);

  const entries = await entriesOf(caller);
  for (const { auditId } of entries) assertMatch(auditId, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  const { accountId: actorId, sessionId: credentialId } = caller;
  const everyEntry = { actorId, credentialKind: "SESSION", credentialId };
  assertEquals(
    entries.map(({ auditId: _, ...entry }) => entry),
    expected.map((entry) => ({ ...everyEntry, ...entry })),
  );
});

Deno.test("GET audit shows the request's id and credential", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const sessionId = ulid();
  const secret = `prs_s_${"x".repeat(43)}`;
  await world.database.transaction((tx) =>
    tx.commitWith(tx.sql`
      insert into sessions (account_id, session_id, secret_digest, transport, created_at,
                            last_seen_at, expires_at)
      select account_id, ${sessionId}, ${sha256(secret)}, transport, created_at, last_seen_at,
             expires_at
        from sessions where session_id = ${caller.sessionId}`)
  );
  const elsewhere = callerOf(world.app, { accountId: caller.accountId, sessionId, secret });
  const body = { title: "A", payload: COMMITMENT };
  const headers = { "X-Request-Id": "request-of-a-client" };
  await write(world, elsewhere, "POST", COMMITMENTS, { key: "k", body, headers });
  const [entry] = await entriesOf(caller);
  assertEquals(
    [entry.requestId, entry.credentialId, entry.actorId],
    ["request-of-a-client", sessionId, caller.accountId],
  );
});

Deno.test("GET audit lists nothing for failed, repeated and ineffective requests", async () => {
  await using world = await createFeatureWorld();
  const caller = await world.createCaller();
  const record = await caller.create("commitment", COMMITMENT);
  const path = pathOf(record);
  const body = { title: "A", payload: COMMITMENT };
  await write(world, caller, "POST", COMMITMENTS, { key: "k", body });
  await write(world, caller, "POST", `${path}/archive`, { key: "a" });
  const before = await entriesOf(caller);
  assertEquals(before.length, 3);
  const attempts: readonly [string, string, CallOptions, number][] = [
    ["POST", COMMITMENTS, { key: "k", body }, 201],
    ["POST", `${path}/archive`, { key: "a" }, 200],
    ["POST", `${path}/archive`, { key: "b" }, 200],
    ["POST", COMMITMENTS, { key: "k", body: { ...body, title: "B" } }, 409],
    ["POST", COMMITMENTS, { body }, 400],
    ["POST", COMMITMENTS, { key: "n", body: { title: "A", payload: {} } }, 400],
    ["PATCH", path, { body: { title: "B", expectedRevision: 7 } }, 409],
    ["PATCH", `${COMMITMENTS}/${ulid()}`, { body: { title: "B" } }, 404],
    ["POST", `${path}/features/CMT-002`, { key: "r", body: {} }, 400],
    ["POST", `${path}/features/CMT-003`, { key: "p", body: {} }, 501],
    ["POST", "/api/v2/attachments", { raw: "a note" }, 400],
    ["GET", path, {}, 200],
  ];
  for (const [method, target, options, status] of attempts) {
    world.advance(1);
    const response = await caller.call(method, target, options);
    assertEquals(response.status, status, `${method} ${target}: ${response.text}`);
  }
  await setMaintenance(world, true);
  const frozen = await caller.call("PATCH", path, { body: { title: "B" } });
  assertFailure(frozen, "SYSTEM_MAINTENANCE");
  assertEquals(await entriesOf(caller), before);
});

Deno.test("GET audit never shows another owner's entries", async () => {
  const world = shared();
  const [caller, stranger] = [await world.createCaller(), await world.createCaller()];
  const own = await caller.create("commitment", COMMITMENT);
  const foreign = await stranger.create("commitment", COMMITMENT);
  await stranger.call("PATCH", pathOf(own), { body: { title: "Mine" } });
  for (const [owner, record] of [[caller, own], [stranger, foreign]] as const) {
    assertEquals((await entriesOf(owner)).map((entry) => entry.subjectId), [record.recordId]);
  }
  const { items } = await readPage(stranger, AUDIT, { subjectId: own.recordId });
  assertEquals(items, []);
});

Deno.test("GET audit requires audit.read", async () => {
  const world = shared();
  for (const role of ["SERVICE", "VIEWER"]) {
    const caller = await world.createCaller(role);
    for (const query of ["", "?kind=access", "?limit=0"]) {
      assertFailure(await caller.call("GET", AUDIT + query), "FORBIDDEN", `${role} ${query}`);
    }
  }
});

Deno.test("GET audit shows names and numbers, and no value that was sent", async () => {
  await using world = await createFeatureWorld();
  const caller = await world.createCaller();
  const markers = new Markers();
  const title = markers.make("a title");
  const payload = { ...COMMITMENT, content: markers.make("a content") };
  const body = { title, summary: markers.make("a summary"), payload };
  const made = await write(world, caller, "POST", COMMITMENTS, {
    key: markers.make("a key"),
    body,
  });
  const path = pathOf(made.body.data);
  await write(world, caller, "PATCH", path, { body: { title: markers.make("a new title") } });
  const input = { [markers.make("a name")]: markers.make("an input") };
  const feature = `${path}/features/CMT-001`;
  await write(world, caller, "POST", feature, { key: "f", body: { input } });
  const headers = { "X-Filename": markers.make("a filename") };
  assertEquals((await upload(caller, markers.make("a file"), headers)).status, 201);
  await caller.call("PATCH", path, { body: { title: [markers.make("a refused title")] } });

  const response = await caller.call("GET", AUDIT);
  assertEquals(response.body.data.items.length, 4);
  assertEquals(markers.inResponse(response), []);
  for (const parameter of ["moduleCode", "subjectId", "operation", "kind", "cursor", "limit"]) {
    const value = markers.make(parameter).repeat(10);
    const refused = await caller.call("GET", `${AUDIT}?${parameter}=${value}`);
    markers.assertTellsNothing(refused, parameter);
  }
});
