import { assert, assertEquals, assertNotMatch } from "@std/assert";
import {
  broken,
  download,
  filesOf,
  generated,
  placedWorld,
  placeOf,
  upload,
  uploaded,
} from "../support/attachments.ts";
import { type Caller, fileWorld, type World } from "../support/world.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld({}, undefined, placeOf(import.meta.url));

const PATH = "/api/v2/attachments";

const world = placedWorld(import.meta.url);

/** Rows, sums, audit entries. */
async function writtenRows(where: World, { accountId }: Caller): Promise<number[]> {
  const [counts] = await where.rows(`
    select (select count(*) from attachments where owner_id = '${accountId}')::integer as rows,
           (select count(*) from attachment_usage where owner_id = '${accountId}')::integer as sums,
           (select count(*) from audit_entries where owner_id = '${accountId}')::integer as audit`);
  return [counts.rows, counts.sums, counts.audit];
}

Deno.test("POST attachment leaves nothing of a body that breaks off", async () => {
  const caller = await world().createCaller();
  for (const chunks of [0, 1, 50]) {
    const parts = Array.from({ length: chunks }, () => new Uint8Array(10_000));
    const response = await upload(caller, broken(...parts));
    assertEquals([response.status, response.body.error.code], [408, "HTTP_408"], response.text);
  }
  assertEquals(await writtenRows(world(), caller), [0, 0, 0]);
  assertEquals(await filesOf(world(), caller.accountId), []);
});

Deno.test("POST attachment exposes no bytes whose row was not written", async () => {
  const caller = await world().createCaller();
  // Left by a process that dies between move and row.
  const { objects, database } = world();
  const received = await objects.receive(caller.accountId, generated(1000, 100).stream, 1000);
  await database.transaction(({ sql }) => received.store(sql));
  const list = await caller.call("GET", PATH);
  assertEquals(list.body.data.items, []);
  const response = await upload(caller, generated(1000, 1000).stream);
  assertEquals(response.body.data.sha256, received.sha256);
  assertEquals((await filesOf(world(), caller.accountId)).length, 1);
  const content = await download(world(), caller, response.body.data.attachmentId);
  assertEquals([content.status, content.bytes.length], [200, 1000]);
});

Deno.test("POST attachment writes no row, sum or audit entry when the database fails", async () => {
  const own = apart();
  const caller = await own.createCaller();
  await own.raw(`
    create function fail_here() returns trigger language plpgsql as $$
    begin raise exception 'failed on purpose: %', new.filename; end $$;
    create trigger fail_here before insert on attachments
      for each row execute function fail_here();`);
  const response = await upload(caller, "a note", { "X-Filename": "marked" });
  assertEquals([response.status, response.body.error.code], [500, "INTERNAL_ERROR"], response.text);
  assertNotMatch(response.text + JSON.stringify(own.log), /marked|on purpose/);
  assertEquals(await writtenRows(own, caller), [0, 0, 0]);
  await own.raw("drop trigger fail_here on attachments");
  const id = await uploaded(caller, "a note");
  assertEquals((await download(own, caller, id)).bytes.length, 6);
});

Deno.test("POST attachment works in a retried transaction", async () => {
  const own = apart();
  const caller = await own.createCaller();
  await own.raw(`
    create sequence attempts;
    create function deadlock_first() returns trigger language plpgsql as $$
    begin
      if nextval('attempts') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger deadlock_first before insert on attachments
      for each row execute function deadlock_first();`);
  const id = await uploaded(caller, "a note");
  assertEquals(await writtenRows(own, caller), [1, 1, 1]);
  const [usage] = await own.rows("select bytes::integer from attachment_usage");
  assertEquals(usage.bytes, 6);
  assertEquals((await download(own, caller, id)).bytes.length, 6);
});

Deno.test("POST attachment is rejected in the maintenance window before its bytes are read", async () => {
  const own = apart();
  const caller = await own.createCaller();
  await own.raw("update maintenance_window set active = true");
  const { stream, sent } = generated(Infinity, 100);
  const response = await upload(caller, stream);
  assertEquals([response.status, response.body.error.code], [503, "SYSTEM_MAINTENANCE"]);
  assertEquals(response.body.error.details, {
    scope: "ORDINARY_WRITES",
    entryPoint: "attachment.create",
  });
  assert(response.headers.has("Retry-After"));
  assert(sent() <= 100, `${sent()} bytes were read`);
  const list = await caller.call("GET", PATH);
  assertEquals(list.status, 200);
  await own.raw("update maintenance_window set active = false");
  assertEquals((await upload(caller, "a note")).status, 201);
});

Deno.test("POST attachment leaves nothing when the maintenance window opens meanwhile", async () => {
  const own = apart();
  const caller = await own.createCaller();
  let chunks = 0;
  const stream = new ReadableStream({
    async pull(controller) {
      if (++chunks === 3) await own.raw("update maintenance_window set active = true");
      if (chunks === 6) controller.close();
      else controller.enqueue(new Uint8Array(100));
    },
  });
  const response = await upload(caller, stream);
  assertEquals([response.status, response.body.error.code], [503, "SYSTEM_MAINTENANCE"]);
  assertEquals(await writtenRows(own, caller), [0, 0, 0]);
  assertEquals(await filesOf(own, caller.accountId), []);
});
