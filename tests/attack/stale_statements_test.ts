/**
 * A session that loses its prepared statements may lose answers but never mixes them up. The driver
 * alone would resend such a statement without holding later ones, which shifts all answers.
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
 * Breaks a connection's prepared statements, then reads concurrently. Each read gets its own number
 * or an error.
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
    // Without parameters it is not prepared: the server answers regardless.
    const other = sql<Numbered>(asTemplate(`select ${others.length} as n`));
    others.push(outcomeOf(other));
    // In several packets.
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

/** The row's number, or the failure. */
async function outcomeOf(statement: PromiseLike<Numbered[]>): Promise<number | string> {
  try {
    const [row] = await statement;
    return row?.n ?? "nothing";
  } catch (error) {
    return isUnavailable(error) ? "lost" : String(error);
  }
}

serverTest("Statements that a session forgot (26000) do not mix up answers", async (server) => {
  await assertNotMixed(server, (sql) => sql`deallocate all`);
});

serverTest("A table that gains a column does not mix up answers of `select *`", async (server) => {
  const alter = () => server.rows("alter table numbers add column more text default 'x'");
  await assertNotMixed(server, alter);
});

serverTest("A forgotten statement in a transaction ends it and writes nothing", async (server) => {
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
