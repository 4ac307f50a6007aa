// engines: postgres
/**
 * Reads that fill every pipeline, with transactions: the driver must not send BEGIN on a shared
 * connection (its issues 823, 1189 and 1204).
 */

import { assert, assertEquals } from "@std/assert";
import { waitUntil } from "../support/wait.ts";
import { asTemplate } from "../support/world.ts";
import { serverTest } from "./server.ts";

const READS = 300;
const TRANSACTIONS = 75;

serverTest("Transactions are isolated from reads that fill every pipeline", async (server) => {
  for (const poolSize of [2, 3, 8]) {
    const database = server.open(poolSize);
    const name = (n: number) => `${poolSize} ${n}`;
    const reads = Array.from({ length: READS }, (_, n) =>
      database.read(async (sql) => {
        const [row] = await sql<{ n: number }>`select ${n}::int as n, pg_sleep(0.0001)`;
        return row?.n;
      }));
    const transactions = Array.from(
      { length: TRANSACTIONS },
      (_, n) =>
        database.transaction(async (tx) => {
          const [[before]] = await Promise.all([
            tx.sql<{ id: string }>`select pg_current_xact_id()::text as id`,
            tx.sql`insert into notes values (${name(n)})`,
          ]);
          const [after] = await tx.commitWith(
            tx.sql<{ id: string }>`select pg_current_xact_id()::text as id`,
          );
          return before?.id === after?.id;
        }),
    );
    assertEquals(await Promise.all(reads), Array.from({ length: READS }, (_, n) => n));
    assertEquals(await Promise.all(transactions), transactions.map(() => true));
    const notes = new Set(await server.notes());
    assertEquals(transactions.filter((_, n) => !notes.has(name(n))), []);
    await database.close();
  }
});

serverTest(
  "No connection stays in a transaction after failures in full pipelines",
  async (server) => {
    const database = server.open(3);
    const running = Array.from(
      { length: 500 },
      (_, n) =>
        n % 5 > 0
          ? database.read((sql) => sql`select ${n}::int`)
          : database.transaction(async (tx) => {
            await tx.sql`insert into notes values (${String(n)})`;
            await tx.sql`select 1 / 0`;
          }),
    );
    const outcomes = await Promise.allSettled(running);
    assertEquals(
      outcomes.map(({ status }) => status),
      running.map((_, n) => n % 5 > 0 ? "fulfilled" : "rejected"),
    );
    assertEquals(await server.notes(), []);
    await waitUntil("every session is idle", async () => {
      const busy = await server.rows(`
      select state from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`);
      return busy.length === 0;
    });
  },
);

/** The operation it serves. */
interface Session {
  readonly pid: number;
  readonly jit: string;
  readonly readOnly: string;
}

const INTRODUCTION = `select pg_backend_pid() as pid, current_setting('jit') as jit,
  current_setting('default_transaction_read_only') as "readOnly", pg_sleep(0.002)::text as slept`;

serverTest(
  "A pool of any size opens no more connections than that, and serves all operations",
  async (server) => {
    for (const poolSize of [2, 3, 4, 8]) {
      const database = server.open(poolSize);
      const name = (n: number) => `${poolSize} ${n}`;
      const operations = [
        (_: string) => database.read((sql) => sql<Session>(asTemplate(INTRODUCTION))),
        (own: string) =>
          database.write((sql) =>
            sql<Session>`
          with note as (insert into notes values (${own}))
          ${sql(asTemplate(INTRODUCTION))}`
          ),
        (own: string) =>
          database.transaction(async (tx) => {
            await tx.sql`insert into notes values (${own})`;
            return await tx.commitWith(tx.sql<Session>(asTemplate(INTRODUCTION)));
          }),
        (_: string) => database.snapshot((sql) => sql<Session>(asTemplate(INTRODUCTION))),
      ];
      const running = Array.from(
        { length: 120 },
        (_, n) => operations[n % operations.length]?.(name(n)),
      );
      const sessions = (await Promise.all(running)).flatMap((rows) => [...rows ?? []]);
      assertEquals(sessions.length, 120);
      assertEquals(new Set(sessions.map(({ jit }) => jit)), new Set(["off"]));
      const [open] = await server.rows(`
      select count(*)::integer as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend'`);
      assert(open.count <= poolSize, `${open.count} connections of ${poolSize}`);
      assert(new Set(sessions.map(({ pid }) => pid)).size <= poolSize);
      // Only connections for single writes may write without a transaction.
      const writers = new Set(sessions.filter((_, n) => n % 4 === 1).map(({ pid }) => pid));
      for (const { pid, readOnly } of sessions) {
        assertEquals(readOnly, poolSize > 2 && writers.has(pid) ? "off" : "on", `${poolSize}`);
      }
      const notes = new Set(await server.notes());
      const missing = running.filter((_, n) => [1, 2].includes(n % 4) && !notes.has(name(n)));
      assertEquals(missing, []);
      await database.close();
    }
  },
);
