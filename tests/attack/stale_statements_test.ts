/**
 * A session that loses its prepared statements, or would answer them in another form, costs answers: no
 * statement ever gets that of another one. The driver alone sends such a statement again and mixes up
 * what follows.
 */

import { assert, assertEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import type { Sql } from "../../src/database/sql.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { within } from "../../src/core/deadline.ts";
import { type ServerDatabase, serverTest } from "../storage/server.ts";

const READERS = 40;

/** Reads a number that only this reader asks for. */
type Ask = (sql: Sql, n: number) => Promise<number | undefined>;

/** Asks with many readers at once: each gets its own number or, where that may be, 503. */
async function assertNotMixed(database: Database, ask: Ask, mayFail: boolean): Promise<number> {
  const asked = Array.from({ length: READERS }, (_, n) => database.read((sql) => ask(sql, n)));
  const outcomes = await within(
    20_000,
    Promise.allSettled(asked),
    () => new Error("Readers were never answered"),
  );
  for (const [n, outcome] of outcomes.entries()) {
    if (outcome.status === "fulfilled") {
      assertEquals(outcome.value, n, "a reader got the answer of another one");
      continue;
    }
    const { reason } = outcome;
    assert(mayFail && reason instanceof ServiceError, String(reason));
    assertEquals(reason.code, "HTTP_503");
  }
  return outcomes.filter(({ status }) => status === "rejected").length;
}

async function assertSpoilt(
  database: Database,
  ask: Ask,
  spoil: () => Promise<unknown>,
): Promise<void> {
  for (let round = 0; round < 5; round++) {
    assertEquals(await assertNotMixed(database, ask, false), 0);
    await spoil();
    await assertNotMixed(database, ask, true);
    // The connection was renewed.
    assertEquals(await assertNotMixed(database, ask, false), 0);
  }
}

const askNumber: Ask = async (sql, n) => {
  const [row] = await sql<{ n: number }>`select ${n}::integer as n`;
  return row?.n;
};

serverTest("Statements that a session has forgotten (26000) mix up no answers", async (server) => {
  const database = server.open(2);
  await assertSpoilt(database, askNumber, () => database.read((sql) => sql`deallocate all`));
});

serverTest("Forgotten statements of a transaction end it, and write nothing", async (server) => {
  const database = server.open(2);
  const insert = (name: string) =>
    database.transaction((tx) => tx.commitWith(tx.sql`insert into notes values (${name})`));
  await insert("before");
  await database.transaction(async (tx) => await tx.script("deallocate all"));
  const outcomes = await Promise.allSettled(["one", "two", "three"].map(insert));
  const kept = ["one", "two", "three"].filter((_, n) => outcomes[n]?.status === "fulfilled");
  assertEquals(await server.notes(), ["before", ...kept].sort());
  await insert("zero");
});

async function fillNumbers(server: ServerDatabase): Promise<void> {
  await server.rows("create table numbers as select n from generate_series(0, 99) n");
}

serverTest("A table that gets a column mixes up no answers of `select *`", async (server) => {
  const database = server.open(2);
  await fillNumbers(server);
  let columns = 0;
  const ask: Ask = async (sql, n) => {
    const [row] = await sql<{ n: number }>`select * from numbers where n = ${n}::integer`;
    return row?.n;
  };
  await assertSpoilt(
    database,
    ask,
    () => server.rows(`alter table numbers add column more_${columns++} text default 'x'`),
  );
});
