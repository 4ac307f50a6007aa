import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sha256Hex } from "../../src/core/digest.ts";
import { LINE_TYPES } from "../../src/portability/line_types.ts";
import { canonicalJson } from "../../src/validate/canonical.ts";
import { download, filesUnder, uploaded } from "../support/attachments.ts";
import { makeToken, proofOf } from "../support/tokens.ts";
import { callerOf, createWorld, fileWorld, type Json, sharedWorld } from "../support/world.ts";
import {
  ACCOUNT_EXPORTS,
  askForExport,
  exportAccount,
  fetchContent,
  giveDemoLife,
  linesOf,
} from "./account.ts";
import { COMMITMENT } from "./kernel.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

const world = sharedWorld();
const HOUR_MS = 60 * 60 * 1000;

Deno.test("Export has the sample life in canonical lines, with counts and a digest", async () => {
  const caller = await world().createCaller();
  await giveDemoLife(world(), caller);
  const { description, bytes, headers } = await exportAccount(world(), caller);

  const text = new TextDecoder().decode(bytes);
  assertEquals(description.size, bytes.length);
  assertEquals(description.sha256, sha256Hex(text));
  assertEquals(description.mediaType, "application/jsonl");
  assertMatch(description.filename, /^prs-account-\d{4}-\d\d-\d\d\.jsonl$/);
  assertEquals(headers.get("Content-Length"), String(bytes.length));
  assertEquals(headers.get("Content-Type"), "application/jsonl");
  assertEquals(
    headers.get("Content-Disposition"),
    `attachment; filename="${description.filename}"`,
  );
  assertEquals(headers.get("Cache-Control"), "no-store");

  assert(text.endsWith("\n"));
  const lines = text.slice(0, -1).split("\n");
  for (const line of lines) assertEquals(canonicalJson(JSON.parse(line)), line);
  assertEquals(lines[0], '{"format":"prs-account","version":1}');
  const manifest = JSON.parse(lines.at(-1) ?? "").manifest;
  const before = text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1);
  assertEquals(manifest.sha256, sha256Hex(before));
  assertEquals(manifest.counts, description.counts);

  const types = lines.slice(1, -1).map((line) => JSON.parse(line).type);
  for (const { type } of LINE_TYPES) {
    assertEquals(types.filter((each) => each === type).length, manifest.counts[type], type);
  }
  // Missing from the sample life.
  const absent = LINE_TYPES.map(({ type }) => type).filter((type) => manifest.counts[type] === 0);
  assertEquals(absent, [
    "erased",
    "draft",
    "legacyPlan",
    "legacyDrill",
    "import",
    "origin",
    "assistantProposal",
  ]);
});

Deno.test("A line has a record with all revisions, or an attachment with its bytes", async () => {
  const caller = await world().createCaller();
  const content = new Uint8Array(800_000).map((_, index) => index % 251);
  const attachmentId = await uploaded(caller, content);
  const { recordId } = await caller.create("commitment", COMMITMENT, "First");
  await caller.call("PATCH", `/api/v2/records/commitment/${recordId}`, {
    key: ulid(),
    body: { title: "Second" },
  });
  const { bytes } = await exportAccount(world(), caller);
  const lines = linesOf(bytes);

  const record = lines.find(({ type }) => type === "record");
  assertEquals(record.recordId, recordId);
  assertEquals([record.title, record.revision], ["Second", 2]);
  assertEquals(record.revisions.map((each: Json) => each.title), ["First", "Second"]);
  assertEquals(record.payload, record.revisions[1].payload);

  const at = lines.findIndex(({ type }) => type === "attachment");
  assertEquals([lines[at].attachmentId, lines[at].size], [attachmentId, content.length]);
  const parts = lines.slice(at + 1, -1);
  assert(parts.length > 1 && parts.every(({ type }) => type === "bytes"));
  const joined = parts.map(({ base64 }) => atob(base64)).join("");
  assertEquals(Uint8Array.from(joined, (character) => character.charCodeAt(0)), content);
  const longest = Math.max(
    ...new TextDecoder().decode(bytes).split("\n").map(({ length }) => length),
  );
  assert(longest < 1024 * 1024);
  assertEquals((await download(world(), caller, attachmentId)).bytes, content);
});

Deno.test("Long content continues in further lines, which do not count", async () => {
  const caller = await world().createCaller();
  const { recordId } = await caller.create("commitment", COMMITMENT);
  for (let index = 0; index < 4; index++) {
    const response = await caller.call("PATCH", `/api/v2/records/commitment/${recordId}`, {
      key: ulid(),
      body: { payload: { notes: `${index}`.repeat(100_000), content: "\u0001".repeat(60_000) } },
    });
    assertEquals(response.status, 200, response.text);
  }
  const { bytes, description } = await exportAccount(world(), caller);
  const [, record, ...rest] = linesOf(bytes).slice(0, -1);
  assertEquals(rest.map(({ type }) => type), ["continued", "continued"]);
  const revisions = [record, ...rest].flatMap((line) => line.revisions);
  assertEquals(revisions.map(({ revision }) => revision), [1, 2, 3, 4, 5]);
  assertEquals(description.counts.record, 1);
});

Deno.test("Exports of an unchanged account are identical bytes, for any session and time", async () => {
  const own = apart();
  const caller = await own.createCaller();
  await giveDemoLife(own, caller);
  const first = await exportAccount(own, caller);
  own.advance(5 * 60_000);
  const second = await exportAccount(own, caller);
  assertEquals(second.bytes, first.bytes);
  assertNotEquals(second.description.exportId, first.description.exportId);
  const entries = await own.rows(
    `select operation, subject_id, module_code from audit_entries
      where operation = 'account.export' order by audit_id`,
  );
  assertEquals(
    entries.map((entry: Json) => entry.subject_id).sort(),
    [
      first.description.exportId,
      second.description.exportId,
    ].sort(),
  );
});

Deno.test("Export needs a proof, a session and a key", async () => {
  const caller = await world().createCaller();
  const bare = await caller.call("POST", ACCOUNT_EXPORTS, { body: {}, key: ulid() });
  assertEquals([bare.status, bare.body.error.code], [403, "STEP_UP_REQUIRED"]);
  for (const purpose of ["MEMORY_SECRET_EXPORT", "TOKEN_CREATE"] as const) {
    const headers = await proofOf(world(), caller, purpose);
    const other = await caller.call("POST", ACCOUNT_EXPORTS, { body: {}, key: ulid(), headers });
    assertEquals([other.status, other.body.error.code], [403, "STEP_UP_REQUIRED"]);
  }
  const headers = await proofOf(world(), caller, "ACCOUNT_EXPORT");
  const keyless = await caller.call("POST", ACCOUNT_EXPORTS, { body: {}, headers });
  assertEquals(keyless.body.error.code, "RECORD_IDEMPOTENCY_KEY_REQUIRED");
  const more = await caller.call("POST", ACCOUNT_EXPORTS, {
    body: { format: "ZIP" },
    key: ulid(),
    headers,
  });
  assertEquals(more.body.error.code, "PAYLOAD_INVALID");
  // The proof is still unused.
  const call = () => caller.call("POST", ACCOUNT_EXPORTS, { body: {}, key: ulid(), headers });
  assertEquals((await call()).status, 201);
  assertEquals((await call()).body.error.code, "STEP_UP_REQUIRED");

  const { token } = await makeToken(world(), caller, { permissions: ["account.manage"] });
  const authorised = { Authorization: `Bearer ${token}` };
  const byToken = await world().call("POST", ACCOUNT_EXPORTS, {
    body: {},
    key: ulid(),
    headers: { ...authorised, ...headers },
  });
  assertEquals([byToken.status, byToken.body.error.code], [403, "FORBIDDEN"]);
  const editor = await world().createCaller("EDITOR");
  assertEquals((await askForExport(world(), editor)).body.error.code, "FORBIDDEN");
  const without = callerOf(world().again({ stepUp: null }), caller);
  const closed = await without.call("POST", ACCOUNT_EXPORTS, { body: {}, key: ulid() });
  assertEquals(closed.body.error.code, "STEP_UP_REQUIRED");
});

Deno.test("A repetition returns the first export, without a proof and after its bytes are gone", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const key = ulid();
  const first = await askForExport(own, caller, key);
  own.advance(2 * HOUR_MS);
  await own.spool.removeExpired(own.now());
  const again = await caller.call("POST", ACCOUNT_EXPORTS, { body: {}, key });
  assertEquals(again.status, 201);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  assertEquals(again.body.data, first.body.data);
  assertEquals((await filesUnder(own.spoolFolder)).length, 0);
});

Deno.test("Export can be read for an hour, by the session that made it", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const stranger = await own.createCaller();
  const { description } = await exportAccount(own, caller);
  const path = `${ACCOUNT_EXPORTS}/${description.exportId}`;
  assertEquals((await caller.call("GET", path)).body.data, description);

  const head = await fetchContent(own, caller, description.exportId, "HEAD");
  assertEquals(head.headers.get("Content-Length"), String(description.size));
  assertEquals((await head.bytes()).length, 0);
  for (const unknown of [path.slice(0, -26) + ulid(), path]) {
    for (const below of ["", "/content"]) {
      const refused = await stranger.call("GET", unknown + below);
      assertEquals([refused.status, refused.body.error.code], [404, "RECORD_NOT_FOUND"]);
    }
  }
  const later = `prs_s_${ulid()}${ulid().slice(0, 17)}`;
  await own.raw(`
    insert into sessions (account_id, session_id, secret_digest, transport, created_at,
                          last_seen_at, expires_at)
    select account_id, '${ulid()}', sha256('${later}'), 'bearer', created_at, last_seen_at, expires_at
      from sessions where session_id = '${caller.sessionId}'`);
  const other = callerOf(own.app, { ...caller, secret: later });
  assertEquals((await other.call("GET", path)).status, 404);
  assertEquals((await other.call("GET", `${path}/content`)).status, 404);

  own.advance(HOUR_MS - 1);
  assertEquals((await fetchContent(own, caller, description.exportId)).status, 200);
  own.advance(1);
  assertEquals((await caller.call("GET", path)).status, 404);
  assertEquals((await caller.call("GET", `${path}/content`)).status, 404);
  assert((await filesUnder(own.spoolFolder)).length > 0);
  await own.spool.removeExpired(own.now());
  assertEquals(await filesUnder(own.spoolFolder), []);
});

Deno.test("A proof works for minutes, once, for its own session and account", async () => {
  const own = apart();
  const [caller, stranger] = [await own.createCaller(), await own.createCaller()];
  const ask = (headers: Record<string, string>, key = ulid(), body: Json = {}) =>
    caller.call("POST", ACCOUNT_EXPORTS, { body, key, headers });
  const refuse = async (headers: Record<string, string>) => {
    const { status, body } = await ask(headers);
    assertEquals([status, body.error.code], [403, "STEP_UP_REQUIRED"]);
  };
  await refuse(await proofOf(own, stranger, "ACCOUNT_EXPORT"));
  const headers = await proofOf(own, caller, "ACCOUNT_EXPORT");
  await refuse({ "Step-Up-Proof": `${headers["Step-Up-Proof"]}A` });
  own.advance(5 * 60_000);
  await refuse(headers);

  const [key, proof] = [ulid(), await proofOf(own, caller, "ACCOUNT_EXPORT")];
  const first = await ask(proof, key);
  assertEquals(first.status, 201, first.text);
  // The key belongs to the other body, and the proof is used up.
  const other = await ask(proof, key, { format: "MARKDOWN" });
  assertEquals([other.status, other.body.error.code], [409, "IDEMPOTENCY_KEY_REUSED"]);
  await refuse(proof);

  // Range is ignored.
  const path = `${ACCOUNT_EXPORTS}/${first.body.data.exportId}/content`;
  for (const range of ["bytes=0-9", "bytes=999999999-", "bytes=-1", "lines=1"]) {
    const whole = await caller.call("GET", path, { headers: { Range: range } });
    assertEquals([whole.status, whole.text.length], [200, first.body.data.size], range);
  }
});

Deno.test("A rejected export leaves no file", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  await uploaded(caller, "bytes that cannot be read");
  const headers = await proofOf(own, caller, "ACCOUNT_EXPORT");
  const call = () => caller.call("POST", ACCOUNT_EXPORTS, { body: {}, key: ulid(), headers });
  const both = await Promise.all([call(), call()]);
  assertEquals(both.map(({ status }) => status).sort(), [201, 403]);
  assertEquals((await filesUnder(own.spoolFolder)).length, 2);

  // An unreadable file does not count as lost.
  const forbidden = () => Promise.reject(new Deno.errors.PermissionDenied());
  Object.assign(own.objects, { read: forbidden });
  const broken = await askForExport(own, caller);
  assertEquals([broken.status, broken.body.error.code], [500, "INTERNAL_ERROR"]);
  assertEquals((await filesUnder(own.spoolFolder)).length, 2);
});
