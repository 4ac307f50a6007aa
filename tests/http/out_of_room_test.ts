/** Full disk or memory: 503 with Retry-After, a log line, and recovery. */

import { assertEquals, assertNotMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { filesOf, upload } from "../support/attachments.ts";
import { callerOf, createWorld, fileWorld, type Json, type World } from "../support/world.ts";
import { COMMITMENT } from "./kernel.ts";

const shared = fileWorld();

const PATH = "/api/v2/records/commitment";

function whyUnavailable({ log }: World): Json[] {
  return log.filter(({ event }) => event === "unavailable")
    .map(({ level, error, code, reason, unreported }) => ({
      level,
      error,
      code,
      reason,
      unreported,
    }));
}

const REASONS = {
  "53100": "the disk of the database is full",
  "53200": "the database is out of memory",
  "53400": null,
  "58030": "the disk of the database failed",
};

for (const [sqlstate, reason] of Object.entries(REASONS)) {
  Deno.test(`A write that the database rejects with ${sqlstate} is 503, and can be repeated`, async () => {
    await using world = await createWorld();
    const caller = await world.createCaller();
    await world.raw(`
      create function fail_here() returns trigger language plpgsql as $$
      begin raise exception 'no room for %', new.title using errcode = '${sqlstate}'; end $$;
      create trigger fail_here before insert on records
        for each row execute function fail_here();`);
    const body = { title: "marked", payload: COMMITMENT };
    const key = ulid();
    const refused = await caller.call("POST", PATH, { key, body });
    assertEquals([refused.status, refused.body.error.code], [503, "HTTP_503"], refused.text);
    assertEquals(refused.headers.get("Retry-After"), "1");
    assertEquals(whyUnavailable(world), [
      { level: "warn", error: "PostgresError", code: sqlstate, reason, unreported: 0 },
    ]);
    assertNotMatch(refused.text + JSON.stringify(world.log), /marked|no room/);
    assertEquals((await caller.call("GET", PATH)).body.data.items, []);
    await world.raw("drop trigger fail_here on records");
    assertEquals((await caller.call("POST", PATH, { key, body })).status, 201);
  });
}

Deno.test("An upload without disk space is 503 and leaves nothing", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const write = Deno.FsFile.prototype.write;
  Deno.FsFile.prototype.write = () =>
    Promise.reject(Object.assign(new Error("/a/path"), { code: "ENOSPC" }));
  try {
    const refused = await upload(caller, "a note");
    assertEquals([refused.status, refused.body.error.code], [503, "HTTP_503"], refused.text);
    assertEquals(refused.headers.get("Retry-After"), "1");
  } finally {
    Deno.FsFile.prototype.write = write;
  }
  assertEquals(whyUnavailable(world), [
    { level: "warn", error: "Error", code: "ENOSPC", reason: "the disk is full", unreported: 0 },
  ]);
  assertNotMatch(JSON.stringify(world.log), /a\/path/);
  assertEquals(await filesOf(world, caller.accountId), []);
  assertEquals((await upload(caller, "a note")).status, 201);
});

Deno.test("A session that ran out of memory is not reused", async () => {
  const world = shared();
  const owner = await world.createCaller();
  const fail = () =>
    world.database.transaction<never[]>(async (tx) => {
      await tx.script("prepare held as select 1");
      await tx.script(
        "do $$ begin raise exception 'out of memory' using errcode = '53200'; end $$",
      );
      return [];
    });
  const database = { ...world.database, write: fail };
  const caller = callerOf(world.again({ database }), owner);
  const body = { title: "A title", payload: COMMITMENT };
  assertEquals((await caller.call("POST", PATH, { key: ulid(), body })).status, 503);
  const held = await world.database.transaction((tx) =>
    tx.sql`select 1 from pg_prepared_statements where name = 'held'`
  );
  assertEquals(held.length, 0);
});
