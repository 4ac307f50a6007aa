/** A standby: 503 for writes until promoted, without a restart. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import postgres from "postgres";
import type { Database } from "../../src/database/database.ts";
import { StandbyError } from "../../src/database/failures.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { type Cluster, startCluster } from "../../scripts/postgres_cluster.ts";
import { ENGINE } from "../support/world.ts";

async function assertStandby(action: () => Promise<unknown>): Promise<void> {
  const error = await assertRejects(action, ServiceError);
  assertEquals(error.code, "HTTP_503");
  assert(error.cause instanceof StandbyError, String(error.cause));
}

function count(database: Database): Promise<number> {
  return database.read(async (sql) => {
    const [row] = await sql<{ n: number }>`select count(*)::integer as n from notes`;
    return row?.n ?? 0;
  });
}

const WRITES: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  "one statement": (database) =>
    database.write((sql) => sql`insert into notes values ('one') returning name`),
  "a transaction": (database) =>
    database.transaction((tx) => tx.sql`insert into notes values ('two')`),
  "a transaction that ends with its statement": (database) =>
    database.transaction((tx) => tx.commitWith(tx.sql`insert into notes values ('three')`)),
  "a transaction that fails by itself": (database) =>
    database.transaction(async (tx) => {
      await tx.sql`select 1`;
      throw new ServiceError("RECORD_NOT_FOUND");
    }),
};

/** Restarts without a primary: it serves reads and waits. */
async function restartAsStandby({ programs }: Cluster, data: string): Promise<void> {
  await Deno.writeTextFile(`${data}/standby.signal`, "");
  const restart = [
    `${programs}/pg_ctl`,
    "restart",
    "-w",
    "-m",
    "fast",
    "-D",
    data,
    "-l",
    `${data}.log`,
  ];
  const [program = "", ...args] = Deno.uid() === 0
    ? ["runuser", "-u", "postgres", "--", ...restart]
    : restart;
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

async function testStandby(cluster: Cluster): Promise<void> {
  const console = postgres(cluster.url, { max: 1, fetch_types: false, onnotice: () => {} });
  await console.unsafe("create table notes (name text)");
  const [place] = await console.unsafe<{ data: string }[]>(
    "select current_setting('data_directory') as data",
  );
  const database = openPostgres(cluster.url, 4);
  try {
    // Open connections send BEGIN with the first statement.
    for (const write of Object.values(WRITES)) await write(database).catch(() => {});
    assertEquals(await count(database), 3);
    await restartAsStandby(cluster, place?.data ?? "");
    for (let round = 0; round < 3; round++) {
      for (const write of Object.values(WRITES)) {
        const [outcome] = await Promise.allSettled([write(database)]);
        assert(outcome?.status === "rejected");
        // A lost connection reports itself once.
        if (round > 0) await assertStandby(() => Promise.reject(outcome.reason));
      }
    }
    assertEquals(await count(database), 3);
    await console.unsafe("select pg_promote()");
    for (const write of Object.values(WRITES)) await write(database).catch(() => {});
    assertEquals(await count(database), 6);
  } finally {
    await console.end();
    await database.close();
  }
}

Deno.test({
  name: "A standby answers 503 to writes, and accepts them once promoted",
  ignore: ENGINE !== "postgres",
  async fn() {
    const cluster = await startCluster();
    assert(cluster !== null);
    try {
      await testStandby(cluster);
    } finally {
      await cluster.stop();
    }
  },
});
