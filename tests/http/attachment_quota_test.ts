import { assertEquals } from "@std/assert";
import { OWNER_QUOTA_ATTACHMENTS, OWNER_QUOTA_BYTES } from "../../src/attachments/attachment.ts";
import { download, filesOf, upload, uploaded } from "../support/attachments.ts";
import { type Caller, sharedWorld, type TestResponse } from "../support/world.ts";

/** Maximum concurrent uploads of an account. */
const AT_ONCE = 4;

const world = sharedWorld();

/** Leaves this many bytes of the quota. */
async function leaveBytes(caller: Caller, bytes: number): Promise<void> {
  await world().raw(`
    insert into attachment_usage values ('${caller.accountId}', ${OWNER_QUOTA_BYTES - bytes})
    on conflict (owner_id) do update set bytes = excluded.bytes`);
}

async function bytesLeft(caller: Caller): Promise<number> {
  const [row] = await world().rows(
    `select bytes::text from attachment_usage where owner_id = '${caller.accountId}'`,
  );
  return OWNER_QUOTA_BYTES - Number(row.bytes);
}

async function rowsOf(caller: Caller): Promise<number> {
  const rows = await world().rows(
    `select 1 from attachments where owner_id = '${caller.accountId}'`,
  );
  return rows.length;
}

function assertOverQuota(response: TestResponse): void {
  assertEquals([response.status, response.body.error.code], [413, "HTTP_413"], response.text);
  assertEquals(response.body.error.details, { limit: OWNER_QUOTA_BYTES });
}

Deno.test("POST attachment fills the owner's quota to the last byte and rejects the next", async () => {
  const caller = await world().createCaller();
  await leaveBytes(caller, 1000);
  assertOverQuota(await upload(caller, new Uint8Array(1001)));
  assertEquals(await filesOf(world(), caller.accountId), []);
  assertEquals(await bytesLeft(caller), 1000);
  assertEquals((await upload(caller, new Uint8Array(1000))).status, 201);
  assertEquals(await bytesLeft(caller), 0);
  assertOverQuota(await upload(caller, new Uint8Array(1)));
  assertEquals((await upload(caller, new Uint8Array(0))).status, 201);
  assertEquals([await rowsOf(caller), await bytesLeft(caller)], [2, 0]);
});

Deno.test("POST attachment leaves no audit entry if the quota rejects it", async () => {
  const caller = await world().createCaller();
  await leaveBytes(caller, 0);
  assertOverQuota(await upload(caller, "one byte too many"));
  const entries = await world().rows(
    `select 1 from audit_entries where owner_id = '${caller.accountId}'`,
  );
  assertEquals(entries.length, 0);
});

Deno.test("POST attachment keeps the quota under concurrent uploads", async () => {
  const caller = await world().createCaller();
  await leaveBytes(caller, 1000);
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => upload(caller, new Uint8Array(300).fill(index))),
  );
  const taken = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  assertEquals([taken.length, refused.length], [3, 1]);
  refused.forEach(assertOverQuota);
  assertEquals([await rowsOf(caller), await bytesLeft(caller)], [3, 100]);
  const kept = taken.map(({ body: { data: { sha256 } } }) =>
    `${caller.accountId}/${sha256.slice(0, 2)}/${sha256}`
  );
  assertEquals(await filesOf(world(), caller.accountId), kept.sort());
});

Deno.test("POST attachment keeps one file for equal content, and counts it each time", async () => {
  const caller = await world().createCaller();
  await leaveBytes(caller, 1000);
  const same = Array.from({ length: 4 }, () => uploaded(caller, new Uint8Array(200)));
  const ids = await Promise.all(same);
  assertEquals([new Set(ids).size, await bytesLeft(caller)], [4, 200]);
  assertEquals((await filesOf(world(), caller.accountId)).length, 1);
});

Deno.test("POST attachment keeps a file that an earlier upload refers to", async () => {
  const caller = await world().createCaller();
  await leaveBytes(caller, 250);
  const id = await uploaded(caller, new Uint8Array(200));
  assertOverQuota(await upload(caller, new Uint8Array(200)));
  assertEquals((await download(world(), caller, id)).bytes.length, 200);
  const wrong = { "Content-Digest": `sha-256=:${"A".repeat(43)}=:` };
  assertEquals((await upload(caller, new Uint8Array(200), wrong)).status, 400);
  assertEquals((await download(world(), caller, id)).bytes.length, 200);
});

Deno.test("POST attachment counts each owner separately", async () => {
  const full = await world().createCaller();
  await leaveBytes(full, 0);
  const other = await world().createCaller();
  assertEquals((await upload(other, "a")).status, 201);
  assertOverQuota(await upload(full, "a"));
});

Deno.test("POST attachment limits an owner's number of attachments, also under concurrency", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  await world().raw(`
    insert into attachments (owner_id, attachment_id, size, sha256, media_type, filename, created_at)
      select '${caller.accountId}', '01AZ' || lpad(i::text, 22, '0'), 0,
             decode(repeat('ab', 32), 'hex'), 'text/plain', 'a.txt', now()
        from generate_series(1, ${OWNER_QUOTA_ATTACHMENTS - 2}) i`);
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => upload(caller, new Uint8Array(0))),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [201, 201, 413, 413]);
  const refused = await upload(caller, "one more");
  assertEquals([refused.status, refused.body.error.code], [413, "HTTP_413"], refused.text);
  assertEquals(refused.body.error.details, { limit: OWNER_QUOTA_ATTACHMENTS });
  assertEquals(await rowsOf(caller), OWNER_QUOTA_ATTACHMENTS);
  // Rejected uploads leave no count and no file.
  assertEquals(await bytesLeft(caller), OWNER_QUOTA_BYTES);
  assertEquals((await filesOf(world(), caller.accountId)).length, 1);
  assertEquals((await upload(other, "a")).status, 201);
});
