/** Accounts share connections in turn. */

import { assert, assertEquals } from "@std/assert";
import { type Holder, runFor } from "../../src/core/holder.ts";
import type { Database } from "../../src/database/database.ts";
import type { Sql } from "../../src/database/sql.ts";
import { sharedWorld } from "../support/world.ts";

const ADA: Holder = { accountId: "ada", kind: "SESSION" };
const BEN: Holder = { accountId: "ben", kind: "SESSION" };
const MANY = 60;
/** More than an account may run at once. */
const FEW = 20;
const world = sharedWorld();

/** How many of Ada's operations ended before Ben's only one. */
async function endedBefore(operate: (database: Database) => Promise<unknown>): Promise<number> {
  const { database } = world();
  let ended = 0;
  const adas = runFor(
    ADA,
    () => Array.from({ length: MANY }, () => operate(database).then(() => ended++)),
  );
  const before = await runFor(BEN, () => operate(database).then(() => ended));
  await Promise.all(adas);
  assertEquals(ended, MANY);
  return before;
}

const sleep = async (sql: Sql) => await sql`select pg_sleep(0.03)`;

const OPERATIONS: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  read: (database) => database.read(sleep),
  write: (database) => database.write((sql) => sql`select pg_sleep(0.03)`),
  transaction: (database) => database.transaction(({ sql }) => sleep(sql)),
  snapshot: (database) => database.snapshot(sleep),
};

for (const [name, operate] of Object.entries(OPERATIONS)) {
  Deno.test(`${name}() of one account does not wait for all operations of another`, async () => {
    const before = await endedBefore(operate);
    assert(before < FEW, `${before} ended before it`);
  });
}

Deno.test("One account leaves another a connection, whatever its transactions wait for", async () => {
  const { database } = world();
  const release = Promise.withResolvers<void>();
  const { size } = database.connections();
  if (size === 1) return release.resolve();
  const held = runFor(
    ADA,
    () => Array.from({ length: size }, () => database.transaction(() => release.promise)),
  );
  await runFor(BEN, () => database.transaction(({ sql }) => sleep(sql)));
  release.resolve();
  await Promise.all(held);
});
