/**
 * A session that loses its prepared statements, or would return them in another form, costs answers: no
 * statement ever gets that of another one. The driver alone sends such a statement again without holding
 * back those behind it: from there each response goes to another statement.
 */

import { assertEquals } from "@std/assert";
import { Connection } from "../../src/database/connection.ts";
import { isUnavailable } from "../../src/database/failures.ts";
import { createConnect } from "../../src/database/connect.ts";
import type { Sql } from "../../src/database/sql.ts";
import { type ServerDatabase, serverTest } from "../storage/server.ts";
import { asTemplate } from "../support/world.ts";

const OTHERS = 200;

/**
 * Spoils what a connection has prepared, then reads through it, with many others that come meanwhile. Each
 * gets its own number, or learns that the connection is gone.
 */
async function assertNotMixed(
  server: ServerDatabase,
  spoil: (sql: Sql) => Promise<unknown>,
): Promise<void> {
  await server.rows("create table numbers as select 1000 as n");
  const connection = new Connection(createConnect(server.url.href, "reading"));
  const sql = connection.sql();
  const prepared = () => sql<Numbered>`select * from numbers where n = ${1000}::integer`;
  assertEquals((await prepared())[0]?.n, 1000);
  await spoil(sql);
  const spoilt = outcomeOf(prepared());
  const others: Promise<number | string>[] = [];
  while (others.length < OTHERS && !connection.isLost) {
    // Without a parameter it is not prepared: the server answers whatever the session has forgotten.
    const other = sql<Numbered>(asTemplate(`select ${others.length} as n`));
    others.push(outcomeOf(other));
    // Not all in one packet.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const outcomes = await Promise.all(others);
  assertEquals(await spoilt, "lost");
  assertEquals(outcomes.filter((outcome, n) => outcome !== n && outcome !== "lost"), []);
  await connection.close(0);
}

interface Numbered {
  readonly n: number;
}

/** The number of a statement's row, or how it failed. */
async function outcomeOf(statement: PromiseLike<Numbered[]>): Promise<number | string> {
  try {
    const [row] = await statement;
    return row?.n ?? "nothing";
  } catch (error) {
    return isUnavailable(error) ? "lost" : String(error);
  }
}

serverTest("Statements that a session has forgotten (26000) mix up no answers", async (server) => {
  await assertNotMixed(server, (sql) => sql`deallocate all`);
});

serverTest("A table that gets a column mixes up no answers of `select *`", async (server) => {
  const alter = () => server.rows("alter table numbers add column more text default 'x'");
  await assertNotMixed(server, alter);
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
