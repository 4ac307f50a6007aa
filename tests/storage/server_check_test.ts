// engines: postgres
/** Requirements for a PostgreSQL server. */

import { assert, assertEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { databaseFailure } from "../../src/database/failures.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { checkServer } from "../../src/database/server_check.ts";
import type { Sql } from "../../src/database/sql.ts";
import { waitUntil } from "../support/wait.ts";
import { serverTest } from "./server.ts";

/** Reads the setting for each kind of connection. */
async function commitsOf(database: Database): Promise<Set<string>> {
  const ask = (sql: Sql) =>
    sql<{ mode: string }>`select current_setting('synchronous_commit') as mode`;
  const answers = [
    await database.read(ask),
    await database.write(ask),
    await database.transaction(async ({ sql }) => await ask(sql)),
  ];
  return new Set(answers.flat().map(({ mode }) => mode));
}

const COMMITS = {
  off: "on",
  local: "on",
  remote_write: "on",
  on: "on",
  remote_apply: "remote_apply",
};

for (const [configured, held] of Object.entries(COMMITS)) {
  serverTest(`Commits are ${held} if the server says ${configured}`, async (server) => {
    const name = server.url.pathname.slice(1);
    await server.rows(`alter database ${name} set synchronous_commit = ${configured}`);
    const { options } = await checkServer(server.url.href);
    const database = openPostgres(server.url.href, 8, options);
    try {
      assertEquals(await commitsOf(database), new Set([held]));
    } finally {
      await database.close();
    }
  });
}

serverTest("Commits stay on when the server's settings change while it is used", async (server) => {
  const { options } = await checkServer(server.url.href);
  const database = openPostgres(server.url.href, 8, options);
  try {
    const name = server.url.pathname.slice(1);
    await server.rows(`alter database ${name} set synchronous_commit = off`);
    assertEquals(await commitsOf(database), new Set(["on"]));
  } finally {
    await database.close();
  }
});

serverTest(
  "Settings of a first statement apply in every session, also a later one",
  async (server) => {
    const database = server.open(8, {}, server.url, "statement");
    const ask = (sql: Sql) =>
      sql<{ pid: number; is_read_only: string; timeout: string }>`
      select pg_backend_pid() as pid,
             current_setting('default_transaction_read_only') as is_read_only,
             current_setting('statement_timeout') as timeout`;
    for (let session = 0; session < 2; session++) {
      // Statements at an unnoticed session end are not repeated.
      const [read, write] = [() => database.read(ask), () => database.write(ask)];
      const [reader, writer] = [(await read().catch(read))[0], (await write().catch(write))[0]];
      assertEquals([reader?.is_read_only, reader?.timeout], ["on", "10s"]);
      assertEquals([writer?.is_read_only, writer?.timeout], ["off", "10s"]);
      for (const { pid } of [reader, writer].filter((each) => each !== undefined)) {
        await server.terminate(pid);
      }
    }
  },
);

serverTest("A server check leaves no session", async (server) => {
  await checkServer(server.url.href);
  const mine = "application_name = 'personal-records-service' and datname = current_database()";
  await waitUntil("no session is left", async () => {
    const [row] = await server.rows(
      `select count(*)::int as n from pg_stat_activity where ${mine}`,
    );
    return row.n === 0;
  });
});

serverTest(
  "If settings cannot be set by a statement, no other statement is sent",
  async (server) => {
    const database = server.open(4, { lock_timeout: "no time" }, server.url, "statement");
    const insert = (name: string) => () =>
      database.write((sql) => sql`insert into notes values (${name})`);
    const insertIn = (name: string) => () =>
      database.transaction((tx) => tx.commitWith(tx.sql`insert into notes values (${name})`));
    const writes = [
      insert("alone"),
      insertIn("in a transaction"),
      insert("another"),
      insertIn("also another"),
      () => database.write((sql) => sql`insert into notes values ('without a parameter')`),
    ];
    const outcomes = await Promise.allSettled(writes.map((write) => write()));
    assertEquals(await server.notes(), []);
    for (const outcome of outcomes) {
      assert(outcome.status === "rejected");
      assertEquals(databaseFailure(outcome.reason)?.sqlstate, "22023");
    }
  },
);
