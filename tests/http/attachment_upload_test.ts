import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { MAX_ATTACHMENT_BYTES } from "../../src/attachments/attachment.ts";
import { download, filesOf, generated, placedWorld, upload } from "../support/attachments.ts";
import { seededRandom } from "../support/random.ts";
import type { Caller, TestResponse } from "../support/world.ts";

const PATH = "/api/v2/attachments";
const MEBIBYTE = 1024 * 1024;

const world = placedWorld(import.meta.url);

/** No row, sum, audit entry or byte. */
async function assertNothingLeft(caller: Caller): Promise<void> {
  const [left] = await world().rows(`
    select (select count(*) from attachments where owner_id = '${caller.accountId}')
         + (select count(*) from attachment_usage where owner_id = '${caller.accountId}')
         + (select count(*) from audit_entries where owner_id = '${caller.accountId}') as rows`);
  assertEquals(Number(left.rows), 0);
  assertEquals(await filesOf(world(), caller.accountId), []);
}

function assertRefused(response: TestResponse, rule: string): void {
  assertEquals(response.status, 400, response.text);
  assertEquals(response.body.error.code, "PAYLOAD_INVALID");
  assert(response.body.error.details.rules.includes(rule), response.text);
}

Deno.test("POST attachment stores and returns any bytes", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(21);
  for (const size of [0, 1, 1000, 100_000]) {
    const bytes = Uint8Array.from({ length: size }, () => random.integer(0, 255));
    const response = await upload(caller, bytes, {
      "Content-Type": "image/png",
      "X-Filename": encodeURIComponent(`photo of ${size}, é 🙂.png`),
    });
    assertEquals(response.status, 201, response.text);
    const { data } = response.body;
    assertMatch(data.attachmentId, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    assertEquals(data, {
      attachmentId: data.attachmentId,
      size,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      mediaType: "image/png",
      filename: `photo of ${size}, é 🙂.png`,
      createdAt: world().now().toISOString(),
      thumbnail: null,
    });
    assertEquals(response.headers.get("Location"), `${PATH}/${data.attachmentId}`);
    const detail = await caller.call("GET", `${PATH}/${data.attachmentId}`);
    assertEquals(detail.body.data, data);
    const content = await download(world(), caller, data.attachmentId);
    assertEquals(content.bytes, bytes);
  }
});

Deno.test("POST attachment accepts a stream of unknown length", async () => {
  const caller = await world().createCaller();
  const { stream } = generated(5 * MEBIBYTE + 3, 60_000);
  const response = await upload(caller, stream);
  assertEquals(response.status, 201, response.text);
  assertEquals(response.body.data.size, 5 * MEBIBYTE + 3);
});

Deno.test("POST attachment counts bytes instead of trusting Content-Length", async () => {
  const caller = await world().createCaller();
  for (const length of ["3", "0", "-1", "many"]) {
    const { stream } = generated(1000, 100);
    const response = await upload(caller, stream, { "Content-Length": length });
    assertEquals(response.status, 201, response.text);
    assertEquals(response.body.data.size, 1000);
  }
});

Deno.test("POST attachment accepts 64 MiB and no more", async () => {
  const caller = await world().createCaller();
  const more = generated(MAX_ATTACHMENT_BYTES + 50 * MEBIBYTE, MEBIBYTE);
  const refused = await upload(caller, more.stream);
  assertEquals(refused.status, 413, refused.text);
  assertEquals(refused.body.error.code, "HTTP_413");
  assertEquals(refused.body.error.details, { limit: MAX_ATTACHMENT_BYTES });
  assert(more.cancelled());
  assert(more.sent() <= MAX_ATTACHMENT_BYTES + 4 * MEBIBYTE, `read ahead to ${more.sent()}`);
  await assertNothingLeft(caller);
  const exact = await upload(caller, generated(MAX_ATTACHMENT_BYTES, MEBIBYTE).stream);
  assertEquals(exact.status, 201, exact.text);
  assertEquals(exact.body.data.size, MAX_ATTACHMENT_BYTES);
});

Deno.test("POST attachment rejects a Content-Length beyond 64 MiB without reading", async () => {
  const caller = await world().createCaller();
  const { stream, sent } = generated(Infinity, 100);
  const length = String(MAX_ATTACHMENT_BYTES + 1);
  const response = await upload(caller, stream, { "Content-Length": length });
  assertEquals(response.status, 413, response.text);
  assert(sent() <= 100, `${sent()} bytes were read`);
});

Deno.test("POST attachment accepts only content that matches its digest", async () => {
  const caller = await world().createCaller();
  const digest = createHash("sha256").update("a note").digest("base64");
  const matching = { "Content-Digest": `sha-256=:${digest}:` };
  const other = await upload(caller, new TextEncoder().encode("another note"), matching);
  assertRefused(other, "content_digest.mismatch");
  const malformed = { "Content-Digest": `sha-256=${digest}` };
  const unreadable = await upload(caller, new TextEncoder().encode("a note"), malformed);
  assertRefused(unreadable, "content_digest.format");
  await assertNothingLeft(caller);
  const same = await upload(caller, new TextEncoder().encode("a note"), matching);
  assertEquals(same.status, 201, same.text);
});

Deno.test("POST attachment rejects invalid headers without reading the body", async () => {
  const caller = await world().createCaller();
  const type = { "Content-Type": "text/plain" };
  const name = { "X-Filename": "a" };
  const heads: [Record<string, string>, string, number, string?][] = [
    [name, PATH, 415],
    [{ ...name, "Content-Type": "text" }, PATH, 415],
    [type, PATH, 400, "filename.required"],
    [{ ...type, "X-Filename": "%zz" }, PATH, 400, "filename.encoding"],
    [{ ...type, "X-Filename": "a%00" }, PATH, 400, "field.control_character"],
    [{ ...type, "X-Filename": "x".repeat(256) }, PATH, 400, "field.length"],
    [{ ...type, ...name, "Content-Digest": "md5=:AA==:" }, PATH, 400, "content_digest.format"],
    [{ ...type, ...name }, `${PATH}?replace=true`, 400, "undeclared_field"],
  ];
  for (const [headers, path, status, rule] of heads) {
    const { stream, sent } = generated(Infinity, 100);
    const response = await caller.call("POST", path, { raw: stream, headers });
    assertEquals(response.status, status, response.text);
    if (rule !== undefined) assertRefused(response, rule);
    assert(sent() <= 100, `${sent()} bytes were read`);
  }
  await assertNothingLeft(caller);
});

Deno.test("POST attachment ignores an Idempotency-Key", async () => {
  const caller = await world().createCaller();
  const key = { "Idempotency-Key": "the same" };
  const first = await upload(caller, "a", key);
  const second = await upload(caller, "b", key);
  assertEquals([first.status, second.status], [201, 201]);
  assertEquals(first.body.data.attachmentId === second.body.data.attachmentId, false);
});

Deno.test("Attachment routes require a credential with their permission", async () => {
  const powerless = await world().createCaller("SERVICE");
  const id = world().now().getTime().toString().padStart(26, "0");
  const calls = [["POST", PATH], ["GET", PATH], ["GET", `${PATH}/${id}`], [
    "GET",
    `${PATH}/${id}/content`,
  ]];
  for (const [method = "", path = ""] of calls) {
    const unknown = await world().call(method, path);
    assertEquals([unknown.status, unknown.body.error.code], [401, "AUTH_REQUIRED"]);
    const forbidden = await powerless.call(method, path);
    assertEquals([forbidden.status, forbidden.body.error.code], [403, "FORBIDDEN"]);
  }
});
