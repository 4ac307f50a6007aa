// engines: postgres
/** Order of the changes feed, by transactions only. */

import { COMMITMENT as COMMITMENT_MODULE } from "../../src/catalog/modules/commitment.ts";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { checkChangeFeed } from "../../src/records/feed/port.ts";
import { migrate } from "../../src/database/migrate.ts";
import { MIGRATIONS } from "../../src/database/migration_files.ts";
import { EXAMINED_REVISIONS } from "../../src/records/feed/feed_store.ts";
import { insertImportedRecords } from "../../src/records/port.ts";
import { CHANGES, follow, readChanges } from "../http/changes.ts";
import { assertInvalid, COMMITMENT, pathOf } from "../http/kernel.ts";
import { makeToken } from "../support/tokens.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  ENGINE,
  fileWorld,
  type Json,
  type World,
} from "../support/world.ts";
import { backupFolder, backUpWorld, restoreFile } from "./backup.ts";
import { emptyDatabases } from "./empty_database.ts";
import { begin } from "./held.ts";
import { idsSql, insertMany } from "./many_rows.ts";
import {
  assertRefusedToAll,
  insertInto,
  insertRecord,
  newAccount,
  newRoot,
  nextRoot,
  refusal,
  revisionOf,
  updateRoot,
} from "./rows.ts";
import { countNow } from "./statistics.ts";

const shared = fileWorld();

const openEmpty = emptyDatabases();

/** The ledger's numbers. */
async function numbersOf(world: Pick<World, "rows">, owner: string): Promise<Json[]> {
  return await world.rows(`
    select transaction_id::text as number, revision_id from record_revisions
     where owner_id = '${owner}' order by transaction_id, revision_id`);
}

async function feedOf(world: Pick<World, "rows">): Promise<string> {
  const [{ feed_id }] = await world.rows("select feed_id from change_feed");
  assert(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(feed_id), feed_id);
  return feed_id;
}

/** Writes the number as SQL, by default none. */
function withNumber(owner: string, number: string, root = newRoot(owner)): string {
  const revision = { ...revisionOf(root), transaction_id: "…" };
  return insertInto("records", root) +
    insertInto("record_revisions", revision).replace("'…'", number);
}

Deno.test("A revision has its own transaction's number, by any writer", async () => {
  const world = shared();
  const { accountId } = await world.createCaller();
  const own = "pg_current_xact_id()::text::numeric";
  const forged = [
    "'0'",
    "'1'",
    "null",
    "'18446744073709551615'",
    `(${own} - 1)::text::xid8`,
    `(${own} + 1)::text::xid8`,
  ];
  for (const number of forged) {
    await assertRefusedToAll(world, withNumber(accountId, number), "PRS04");
  }
  for (const number of ["default", "pg_current_xact_id()"]) {
    assertEquals(await refusal(world, withNumber(accountId, number)), null);
  }
  for (const change of ["transaction_id = '0'", "transaction_id = default"]) {
    await assertRefusedToAll(world, `update record_revisions set ${change}`, "PRS01");
  }
  await assertRefusedToAll(world, "delete from change_feed", "PRS01");
});

function step(before: Json, after: Json): string {
  return updateRoot(before, after) + insertInto("record_revisions", revisionOf(after));
}

Deno.test({
  name: "A revision that would precede its predecessor is retried, and follows it",
  // Without concurrent transactions nothing can be overtaken.
  ignore: ENGINE === "embedded",
  async fn() {
    const world = shared();
    const caller = await world.createCaller();
    const root = newRoot(caller.accountId);
    await world.raw(insertRecord(root));
    const [numbered, overtaken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let attempts = 0;
    const second = nextRoot(root);
    const slow = world.database.transaction(async (tx) => {
      attempts++;
      await tx.sql`select pg_current_xact_id()`;
      numbered.resolve();
      await overtaken.promise;
      await tx.script(step(second, nextRoot(second)));
    });
    await numbered.promise;
    await world.raw(step(root, second));
    overtaken.resolve();
    await slow;
    assertEquals(attempts, 2);
    const { items } = await follow(caller, 3);
    assertEquals(items.map(({ revision }) => revision), [1, 2, 3]);
  },
});

Deno.test({
  name: "Nothing is delivered that a running transaction could precede",
  ignore: ENGINE === "embedded",
  async fn() {
    const world = shared();
    const caller = await world.createCaller();
    const [early, late] = [newRoot(caller.accountId), newRoot(caller.accountId)];
    const running = await begin(world.database, (tx) => tx.script(insertRecord(early)));
    await world.raw(insertRecord(late));
    const before = await readChanges(caller);
    assertEquals([before.items, before.hasMore], [[], false]);
    await running.commit();
    const { items } = await follow(caller, 2, before.nextCursor);
    assertEquals(items.map(({ recordId }) => recordId), [early.record_id, late.record_id]);

    const undone = await begin(
      world.database,
      (tx) => tx.script(insertRecord(newRoot(caller.accountId))),
    );
    const behind = newRoot(caller.accountId);
    await world.raw(insertRecord(behind));
    await undone.rollBack();
    const all = await follow(caller, 3);
    assertEquals(all.items.map(({ recordId }) => recordId).slice(2), [behind.record_id]);
  },
});

Deno.test("A restored database begins a new feed, restored rows first", async () => {
  const world = shared();
  await using folder = await backupFolder();
  const caller = await world.createCaller();
  const record = await caller.create("commitment", COMMITMENT);
  for (const title of ["B", "C"]) await caller.call("PATCH", pathOf(record), { body: { title } });
  const { items, nextCursor } = await follow(caller, 3);
  await backUpWorld(world, `${folder.path}/backup`);

  await using other = await createWorld();
  const feeds = [await feedOf(world), await feedOf(other)];
  await restoreFile(other, `${folder.path}/backup`);
  feeds.push(await feedOf(other));
  assertNotEquals(feeds[2], feeds[1]);
  assertNotEquals(feeds[2], feeds[0]);
  const { accountId } = caller;
  assertEquals((await numbersOf(other, accountId)).map(({ number }) => number), ["0", "0", "0"]);

  const restored = await signedIn(other, caller);
  const refused = await restored.call(
    "GET",
    `${CHANGES}?${new URLSearchParams({ after: nextCursor })}`,
  );
  assertInvalid(refused, ["cursor.feed"], ["after"]);
  const again = await follow(restored, 3);
  assertEquals(again.items, items);
  const later = await restored.create("commitment", COMMITMENT);
  const more = await follow(restored, 1, again.nextCursor);
  assertEquals(more.items.map(({ recordId }) => recordId), [later.recordId]);
  await assertRefusedToAll(other, withNumber(accountId, "'0'"), "PRS04");
});

/** A session of the caller in another database. */
async function signedIn(world: World, caller: Caller): Promise<Caller> {
  const { accountId, secret } = caller;
  const now = `'${world.now().toISOString()}'::timestamptz`;
  await world.raw(`
    insert into sessions (account_id, session_id, secret_digest, transport, created_at,
                          last_seen_at, expires_at)
      values ('${accountId}', '${ulid()}', sha256('${secret}'), 'bearer', ${now}, ${now},
              ${now} + interval '30 days')`);
  return callerOf(world.app, caller);
}

Deno.test("Revisions from before the feed come first", async () => {
  await using empty = await openEmpty();
  const { database, rows } = empty;
  const version = MIGRATIONS.find(({ name }) => name === "changes")?.version ?? 0;
  await migrate(database, MIGRATIONS.filter((step) => step.version < version));
  const [account, old, recent] = [newAccount(), ulid(), ulid()];
  const owner = String(account.account_id);
  const write = (record_id: string) => {
    const root = newRoot(owner, { record_id, revision_id: record_id });
    return database.transaction((tx) => tx.script(insertRecord(root)));
  };
  await database.transaction((tx) => tx.script(insertInto("accounts", account)));
  await write(old);
  await migrate(database);
  await write(recent);
  const [first, second] = await numbersOf({ rows }, owner);
  assertEquals(first, { number: "0", revision_id: old });
  assertEquals(second.revision_id, recent);
  assert(Number(second.number) > 0);
});

Deno.test("A database numbered by another server begins a new feed when it is opened", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const record = await caller.create("commitment", COMMITMENT);
  const { nextCursor } = await follow(caller, 1);
  const feed = await feedOf(world);
  const numbers = await numbersOf(world, caller.accountId);
  await checkChangeFeed(world.database);
  assertEquals([await feedOf(world), await numbersOf(world, caller.accountId)], [feed, numbers]);

  // As after pg_restore: rows before triggers.
  const foreign = newRoot(caller.accountId);
  await world.raw(`
    alter table record_revisions disable trigger own_transaction;
    ${withNumber(caller.accountId, "'5000000000'", foreign)}
    set constraints all immediate;
    alter table record_revisions enable always trigger own_transaction;`);
  await Promise.all([checkChangeFeed(world.database), checkChangeFeed(world.database)]);
  assertNotEquals(await feedOf(world), feed);
  assertEquals(
    (await numbersOf(world, caller.accountId)).map(({ number }) => number),
    ["0", "0"],
  );
  const refused = await caller.call(
    "GET",
    `${CHANGES}?${new URLSearchParams({ after: nextCursor })}`,
  );
  assertInvalid(refused, ["cursor.feed"], ["after"]);
  const { items } = await follow(caller, 2);
  const ids = [record.recordId, foreign.record_id];
  assertEquals(items.map(({ recordId }) => recordId).sort(), ids.sort());
  await assertRefusedToAll(world, withNumber(caller.accountId, "'0'"), "PRS04");
});

Deno.test("Imported records have the import's number, in order", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const at = world.now();
  const revisions = Array.from({ length: 20 }, (_, index) => ({
    revision: index + 1,
    change: index === 0 ? "CREATED" as const : "MODIFIED" as const,
    title: "A title",
    summary: "",
    payload: "{}",
    archivedAt: null,
    createdAt: at,
  }));
  const records = [{ recordId: ulid(), revisions }, { recordId: ulid(), revisions }];
  await caller.create("commitment", COMMITMENT);
  const { nextCursor } = await follow(caller, 1);
  await world.database.transaction(async ({ sql }) => {
    await insertImportedRecords(sql, caller.accountId, COMMITMENT_MODULE, records, at);
  });
  const { items } = await follow(caller, 40, nextCursor);
  for (const { recordId } of records) {
    const own = items.filter((item) => item.recordId === recordId);
    assertEquals(own.map(({ revision }) => revision), revisions.map(({ revision }) => revision));
  }
  const numbers = new Set((await numbersOf(world, caller.accountId)).map(({ number }) => number));
  assertEquals(numbers.size, 2);
});

/** Since the database was created. */
async function revisionsRead(world: World): Promise<number> {
  await countNow(world);
  const [{ rows }] = await world.rows(`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
      from pg_stat_user_tables where relname = 'record_revisions'`);
  return rows;
}

Deno.test("A page of the feed reads only its own rows", async () => {
  const world = shared();
  const [caller, stranger] = [await world.createCaller(), await world.createCaller()];
  const { token } = await makeToken(world, caller, { permissions: ["changes.read"] });
  const blind = callerOf(world.app, { ...caller, secret: token });
  // The plan is made early and kept.
  for (let index = 0; index < 7; index++) await readChanges(caller);
  await world.raw(`
    ${manyRecords(caller.accountId, EXAMINED_REVISIONS + 500)}
    ${manyRecords(stranger.accountId, 500)}`);
  await follow(stranger, 500);
  const read = async (reader: Caller, after: string | null) => {
    const before = await revisionsRead(world);
    const page = await readChanges(reader, after, { limit: "10" });
    return { page, rows: await revisionsRead(world) - before };
  };
  // Readers without permission continue in limited steps.
  const steps = [await read(blind, null)];
  steps.push(await read(blind, steps[0]?.page.nextCursor ?? null));
  assertEquals(steps.map(({ page }) => [page.items, page.hasMore]), [[[], true], [[], false]]);
  for (const { rows } of steps) {
    assert(rows <= 2 * EXAMINED_REVISIONS, `An empty page read ${rows} rows`);
  }
  const [middle = null, end = null] = steps.map(({ page }) => page.nextCursor);
  for (const after of [null, middle]) {
    const { page, rows } = await read(caller, after);
    assertEquals([page.items.length, page.hasMore], [10, true]);
    assert(rows <= 20, `A page of 10 read ${rows} rows`);
  }
  const last = await read(caller, end);
  assertEquals([last.page.items, last.page.nextCursor, last.rows], [[], end, 0]);
});

/** Records at their first revision. */
function manyRecords(owner: string, count: number): string {
  const root = newRoot(owner);
  const numbered = { record_id: idsSql("01KA"), revision_id: idsSql("01KA") };
  return insertMany("records", root, count, numbered) +
    insertMany("record_revisions", revisionOf(root), count, numbered);
}
