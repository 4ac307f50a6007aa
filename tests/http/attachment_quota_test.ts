import { assertEquals } from "@std/assert";
import { OWNER_QUOTA_ATTACHMENTS, OWNER_QUOTA_BYTES } from "../../src/attachments/attachment.ts";
import { download, filesOf, upload, uploaded } from "../support/attachments.ts";
import { type Person, sharedWorld, type TestResponse } from "../support/world.ts";

/** As many uploads as one account may have under way. */
const AT_ONCE = 4;

const world = sharedWorld();

/** Leaves so many bytes of the owner's quota. */
async function leaveBytes(person: Person, bytes: number): Promise<void> {
  await world().raw(`
    insert into attachment_usage values ('${person.accountId}', ${OWNER_QUOTA_BYTES - bytes})
    on conflict (owner_id) do update set bytes = excluded.bytes`);
}

async function bytesLeft(person: Person): Promise<number> {
  const [row] = await world().rows(
    `select bytes::text from attachment_usage where owner_id = '${person.accountId}'`,
  );
  return OWNER_QUOTA_BYTES - Number(row.bytes);
}

async function rowsOf(person: Person): Promise<number> {
  const rows = await world().rows(
    `select 1 from attachments where owner_id = '${person.accountId}'`,
  );
  return rows.length;
}

function assertOverQuota(response: TestResponse): void {
  assertEquals([response.status, response.body.error.code], [413, "HTTP_413"], response.text);
  assertEquals(response.body.error.details, { limit: OWNER_QUOTA_BYTES });
}

Deno.test("POST attachment fills the owner's quota to the last byte and refuses the next", async () => {
  const person = await world().person();
  await leaveBytes(person, 1000);
  assertOverQuota(await upload(person, new Uint8Array(1001)));
  assertEquals(await filesOf(world(), person.accountId), []);
  assertEquals(await bytesLeft(person), 1000);
  assertEquals((await upload(person, new Uint8Array(1000))).status, 201);
  assertEquals(await bytesLeft(person), 0);
  assertOverQuota(await upload(person, new Uint8Array(1)));
  assertEquals((await upload(person, new Uint8Array(0))).status, 201);
  assertEquals([await rowsOf(person), await bytesLeft(person)], [2, 0]);
});

Deno.test("POST attachment leaves no audit entry where the quota refuses", async () => {
  const person = await world().person();
  await leaveBytes(person, 0);
  assertOverQuota(await upload(person, "one byte too many"));
  const entries = await world().rows(
    `select 1 from audit_entries where owner_id = '${person.accountId}'`,
  );
  assertEquals(entries.length, 0);
});

Deno.test("POST attachment holds the quota where uploads race", async () => {
  const person = await world().person();
  await leaveBytes(person, 1000);
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => upload(person, new Uint8Array(300).fill(index))),
  );
  const taken = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  assertEquals([taken.length, refused.length], [3, 1]);
  refused.forEach(assertOverQuota);
  assertEquals([await rowsOf(person), await bytesLeft(person)], [3, 100]);
  const kept = taken.map(({ body: { data: { sha256 } } }) =>
    `${person.accountId}/${sha256.slice(0, 2)}/${sha256}`
  );
  assertEquals(await filesOf(world(), person.accountId), kept.sort());
});

Deno.test("POST attachment keeps one file for equal content, and counts it each time", async () => {
  const person = await world().person();
  await leaveBytes(person, 1000);
  const same = Array.from({ length: 4 }, () => uploaded(person, new Uint8Array(200)));
  const ids = await Promise.all(same);
  assertEquals([new Set(ids).size, await bytesLeft(person)], [4, 200]);
  assertEquals((await filesOf(world(), person.accountId)).length, 1);
});

Deno.test("POST attachment leaves a file alone that an earlier upload refers to", async () => {
  const person = await world().person();
  await leaveBytes(person, 250);
  const id = await uploaded(person, new Uint8Array(200));
  assertOverQuota(await upload(person, new Uint8Array(200)));
  assertEquals((await download(world(), person, id)).bytes.length, 200);
  const wrong = { "Content-Digest": `sha-256=:${"A".repeat(43)}=:` };
  assertEquals((await upload(person, new Uint8Array(200), wrong)).status, 400);
  assertEquals((await download(world(), person, id)).bytes.length, 200);
});

Deno.test("POST attachment counts each owner alone", async () => {
  const full = await world().person();
  await leaveBytes(full, 0);
  const other = await world().person();
  assertEquals((await upload(other, "a")).status, 201);
  assertOverQuota(await upload(full, "a"));
});

Deno.test("POST attachment refuses more than an owner's number of attachments, also where they race", async () => {
  const [person, other] = [await world().person(), await world().person()];
  await world().raw(`
    insert into attachments (owner_id, attachment_id, size, sha256, media_type, filename, created_at)
      select '${person.accountId}', '01AZ' || lpad(i::text, 22, '0'), 0,
             decode(repeat('ab', 32), 'hex'), 'text/plain', 'a.txt', now()
        from generate_series(1, ${OWNER_QUOTA_ATTACHMENTS - 2}) i`);
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => upload(person, new Uint8Array(0))),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [201, 201, 413, 413]);
  const refused = await upload(person, "one more");
  assertEquals([refused.status, refused.body.error.code], [413, "HTTP_413"], refused.text);
  assertEquals(refused.body.error.details, { limit: OWNER_QUOTA_ATTACHMENTS });
  assertEquals(await rowsOf(person), OWNER_QUOTA_ATTACHMENTS);
  // Nothing is counted, and no file is kept, of what was refused.
  assertEquals(await bytesLeft(person), OWNER_QUOTA_BYTES);
  assertEquals((await filesOf(world(), person.accountId)).length, 1);
  assertEquals((await upload(other, "a")).status, 201);
});
