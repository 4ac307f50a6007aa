import { assertEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { checkServer } from "../../src/database/server_check.ts";
import type { Sql } from "../../src/database/sql.ts";
import { serverTest } from "./server.ts";

/** How each kind of connection commits. */
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
  serverTest(`Commits are ${held} where the server says ${configured}`, async (server) => {
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

serverTest("A server's check leaves no session behind", async (server) => {
  await checkServer(server.url.href);
  const mine = "application_name = 'personal-records-service' and datname = current_database()";
  let sessions = 1;
  while (sessions > 0) {
    const [row] = await server.rows(
      `select count(*)::int as n from pg_stat_activity where ${mine}`,
    );
    sessions = row.n;
  }
});
