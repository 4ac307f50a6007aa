/** Lost locks, deadlocks and time-outs: one retry, then 503. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Database, Tx } from "../../src/database/database.ts";
import { databaseFailure } from "../../src/database/failures.ts";
import type { Sql } from "../../src/database/sql.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { type ServerDatabase, serverTest } from "./server.ts";

async function assertUnavailable(action: () => Promise<unknown>, sqlstate: string): Promise<void> {
  const error = await assertRejects(action);
  assert(error instanceof ServiceError, `${error}`);
  assertEquals([error.code, databaseFailure(error.cause)?.sqlstate], ["HTTP_503", sqlstate]);
}

/** Locks a note until the returned function is called. */
async function holdNote(database: Database, name: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = database.transaction(async (tx) => {
    await lockNote(tx, name);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  return async () => {
    release.resolve();
    await holding;
  };
}

async function lockNote(tx: Tx, name: string): Promise<void> {
  await tx.sql`select 1 from notes where name = ${name} for update`;
}

async function noteNames(server: ServerDatabase, ...names: string[]): Promise<void> {
  for (const name of names) await server.rows(`insert into notes values ('${name}')`);
}

serverTest("A deadlock's victim is retried, and both transactions succeed", async (server) => {
  const database = server.open(4, { deadlock_timeout: "20ms" });
  await noteNames(server, "left", "right");
  const bothHold = Promise.withResolvers<void>();
  const oneSucceeded = Promise.withResolvers<void>();
  let holding = 0;
  let attempts = 0;
  const lockBoth = async (first: string, second: string) => {
    await database.transaction(async (tx) => {
      // Otherwise it could take its first lock before the other wakes, and cause a second deadlock.
      if (++attempts === 3) await oneSucceeded.promise;
      await lockNote(tx, first);
      if (++holding === 2) bothHold.resolve();
      await bothHold.promise;
      await lockNote(tx, second);
      await tx.sql`insert into notes values (${`${first} first`})`;
    });
    oneSucceeded.resolve();
  };
  await Promise.all([lockBoth("left", "right"), lockBoth("right", "left")]);
  assertEquals(attempts, 3);
  assertEquals(await server.notes(), ["left", "left first", "right", "right first"]);
});

serverTest("A lock that times out is requested twice", async (server) => {
  const database = server.open(4, { lock_timeout: "30ms" });
  await noteNames(server, "note");
  const release = await holdNote(database, "note");
  let attempts = 0;
  const write = (tx: Tx) => {
    attempts++;
    return tx.commitWith(tx.sql`update notes set name = 'changed' where name = 'note'`);
  };
  await assertUnavailable(() => database.transaction(write), "55P03");
  assertEquals(attempts, 2);
  attempts = 0;
  await database.transaction(async (tx) => {
    // Released between the attempts.
    if (attempts === 1) await release();
    await write(tx);
  });
  assertEquals([attempts, await server.notes()], [2, ["changed"]]);
});

serverTest(
  "A statement that times out is tried twice, in `read` and in `transaction`",
  async (server) => {
    const database = server.open(2, { statement_timeout: "30ms" });
    let attempts = 0;
    await assertUnavailable(() =>
      database.read((sql) => {
        attempts++;
        return sql`select pg_sleep(60)`;
      }), "57014");
    await assertUnavailable(() =>
      database.transaction(async (tx) => {
        attempts++;
        await tx.sql`insert into notes values ('note')`;
        await tx.sql`select pg_sleep(60)`;
      }), "57014");
    assertEquals([attempts, await server.notes()], [4, []]);
  },
);

serverTest("The service's session settings are in force", async (server) => {
  const database = server.open(2);
  const expected = {
    application_name: "personal-records-service",
    default_transaction_read_only: "on",
    statement_timeout: "10s",
    lock_timeout: "3s",
    idle_in_transaction_session_timeout: "15s",
    random_page_cost: "1.1",
    enable_seqscan: "off",
    enable_bitmapscan: "off",
    TimeZone: "UTC",
  };
  const settingsOf = async (sql: Sql) => {
    const rows = await Promise.all(
      Object.keys(expected).map((name) =>
        sql<{ name: string; value: string }>`
          select ${name}::text as name, current_setting(${name}::text) as value`
      ),
    );
    return Object.fromEntries(rows.flat().map(({ name, value }) => [name, value]));
  };
  assertEquals(await database.read(settingsOf), expected);
  assertEquals(await database.transaction((tx) => settingsOf(tx.sql)), expected);
  const [row] = await database.transaction((tx) =>
    tx.sql<{ value: string }>`select current_setting('transaction_read_only') as value`
  );
  assertEquals(row?.value, "off");
});
