import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { uploaded } from "../support/attachments.ts";
import { seededRandom } from "../support/random.ts";
import { type Caller, sharedWorld, type TestResponse } from "../support/world.ts";

const world = sharedWorld();
const random = seededRandom(17);

function media(fileId: string): JsonObject {
  return { mediaType: "PHOTO", fileId };
}

function capture(...attachmentIds: string[]): JsonObject {
  return {
    contentType: "IMAGE",
    originalContent: "a picture",
    targetModule: "media",
    capturedAt: world().now().toISOString(),
    routeStatus: "SUGGESTED",
    attachmentIds,
  };
}

function post(
  caller: Caller,
  module: string,
  payload: JsonObject,
  key: string,
): Promise<TestResponse> {
  const body = { title: "A title", payload };
  return caller.call("POST", `/api/v2/records/${module}`, { key, body });
}

function assertMissing(response: TestResponse, field: string): void {
  assertEquals(
    [response.status, response.body.error.code],
    [400, "PAYLOAD_INVALID"],
    response.text,
  );
  assertEquals(response.body.error.details, { fields: [field], rules: ["attachment.exists"] });
}

/** All rows of an owner's record write. */
async function writtenRows({ accountId }: Caller): Promise<number> {
  const counts = ["records", "record_revisions", "idempotency_envelopes", "audit_entries"].map(
    (table) => `(select count(*) from ${table} where owner_id = '${accountId}')`,
  );
  const [row] = await world().rows(`select (${counts.join(" + ")})::integer as rows`);
  return row.rows;
}

Deno.test("POST record accepts a reference to its owner's attachment", async () => {
  const caller = await world().createCaller();
  const first = await uploaded(caller, "first");
  const second = await uploaded(caller, "second");
  const photo = await post(caller, "media", media(first), "k1");
  assertEquals([photo.status, photo.body.data?.payload.fileId], [201, first], photo.text);
  const inbox = await post(caller, "capture", capture(first, second, first), "k2");
  assertEquals(inbox.status, 201, inbox.text);
  assertEquals(inbox.body.data.payload.attachmentIds, [first, second]);
});

Deno.test("POST record rejects a reference to a missing attachment", async () => {
  const caller = await world().createCaller();
  const own = await uploaded(caller, "own");
  const before = await writtenRows(caller);
  assertMissing(await post(caller, "media", media(random.ulid()), "k1"), "fileId");
  assertMissing(await post(caller, "capture", capture(own, random.ulid()), "k2"), "attachmentIds");
  assertEquals(await writtenRows(caller), before);
});

Deno.test("POST record rejects another owner's attachment like a missing one", async () => {
  const caller = await world().createCaller();
  const foreign = await uploaded(await world().createCaller(), "theirs");
  const requestId = { "X-Request-Id": "the-same-request" };
  const ask = (fileId: string) =>
    caller.call("POST", "/api/v2/records/media", {
      key: "k1",
      headers: requestId,
      body: { title: "A title", payload: media(fileId) },
    });
  const refused = await ask(foreign);
  assertMissing(refused, "fileId");
  assertEquals(refused.text, (await ask(random.ulid())).text);
  assertEquals(await writtenRows(caller), 0);
});

Deno.test("POST record succeeds under the same key once the attachment exists", async () => {
  const caller = await world().createCaller();
  const unknown = await post(caller, "media", media(random.ulid()), "k1");
  assertMissing(unknown, "fileId");
  const known = await post(caller, "media", media(await uploaded(caller, "own")), "k1");
  assertEquals([known.status, known.headers.get("Idempotency-Replayed")], [201, null]);
});

Deno.test("PATCH record checks references like a creation, and writes nothing if rejected", async () => {
  const caller = await world().createCaller();
  const foreign = await uploaded(await world().createCaller(), "theirs");
  const own = await uploaded(caller, "own");
  const record = await caller.create("media", media(own));
  const path = `/api/v2/records/media/${record.recordId}`;
  const before = await writtenRows(caller);
  for (const fileId of [foreign, random.ulid()]) {
    const patch = { body: { title: "Another title", payload: { fileId } }, key: "k1" };
    assertMissing(await caller.call("PATCH", path, patch), "fileId");
  }
  assertEquals(await writtenRows(caller), before);
  assertEquals((await caller.call("GET", path)).body.data, record);
  const other = await uploaded(caller, "other");
  const changed = await caller.call("PATCH", path, { body: { payload: { fileId: other } } });
  assertEquals([changed.status, changed.body.data.payload.fileId], [200, other], changed.text);
});

Deno.test("POST record replays although its reference has gone missing", async () => {
  const caller = await world().createCaller();
  const own = await uploaded(caller, "own");
  const first = await post(caller, "media", media(own), "k1");
  // Only a restored database may lack an attachment.
  await world().raw(`
    alter table attachments disable trigger append_only;
    delete from attachments where attachment_id = '${own}';
    alter table attachments enable always trigger append_only;`);
  const replayed = await post(caller, "media", media(own), "k1");
  assertEquals([replayed.status, replayed.headers.get("Idempotency-Replayed")], [201, "true"]);
  assertEquals(replayed.body.data, first.body.data);
  assertMissing(await post(caller, "media", media(own), "k2"), "fileId");
});
