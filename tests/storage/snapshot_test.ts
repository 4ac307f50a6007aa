/** `snapshot`: the database at one point in time. */

import { assertEquals, assertRejects } from "@std/assert";
import { AsyncLocalStorage } from "node:async_hooks";
import { databaseFailure } from "../../src/database/failures.ts";
import type { Sql } from "../../src/database/sql.ts";
import { ENGINE, fileWorld } from "../support/world.ts";

const shared = fileWorld();

async function names(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }>`select name from notes order by name`;
  return rows.map(({ name }) => name);
}

Deno.test("snapshot() sees what its first statement saw, and no later write", async () => {
  const world = shared();
  await world.raw("create table notes (name text primary key); insert into notes values ('first')");
  // Runs outside the snapshot.
  const outside = AsyncLocalStorage.snapshot();
  let writing = Promise.resolve();
  const seen = await world.database.snapshot(async (sql) => {
    const before = await names(sql);
    writing = outside(() => world.raw("insert into notes values ('second')"));
    // The embedded engine runs nothing else during the snapshot.
    if (ENGINE === "postgres") await writing;
    return [before, await names(sql)];
  });
  assertEquals(seen, [["first"], ["first"]]);
  await writing;
  assertEquals(await world.database.snapshot(names), ["first", "second"]);
});

Deno.test("snapshot() cannot write, and allows no other operation inside", async () => {
  const world = shared();
  const { database } = world;
  const error = await assertRejects(() =>
    database.snapshot(async (sql) => await sql`update maintenance_window set active = true`)
  );
  assertEquals(databaseFailure(error)?.sqlstate, "25006", String(error));
  await assertRejects(
    () => database.snapshot(() => database.read((sql) => names(sql))),
    Error,
    "read() cannot be called inside snapshot()",
  );
});

Deno.test("snapshot() has no time limits, and leaves those of others unchanged", async () => {
  const world = shared();
  const limits = async (sql: Sql) =>
    await sql<{ name: string }>`
      select name from pg_settings
       where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
         and setting <> '0'`;
  assertEquals([...await world.database.snapshot(limits)], []);
  const left = await world.database.transaction(({ sql }) => limits(sql));
  assertEquals(left.length, ENGINE === "postgres" ? 3 : 0);
});
