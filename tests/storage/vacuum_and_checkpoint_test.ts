import { assert, assertEquals } from "@std/assert";
import postgres from "postgres";
import type { Connect } from "../../src/database/connection.ts";
import { ConnectionPool } from "../../src/database/pool.ts";
import {
  runIfDue,
  WAL_BYTES_BETWEEN_CHECKPOINTS,
} from "../../src/database/vacuum_and_checkpoint.ts";
import { createWorld, ENGINE, type World } from "../support/world.ts";
import { waitUntil } from "../support/wait.ts";
import { serverTest } from "./server.ts";

serverTest(
  "runIfDue() vacuums and takes a checkpoint once the log is long enough",
  async (server) => {
    const connection = { default_transaction_read_only: true };
    const connect: Connect = (options) =>
      postgres(server.url.href, { ...options, connection, fetch_types: false, onnotice: () => {} });
    const pool = new ConnectionPool(connect, 1);
    const figures = async () => {
      const [row] = await server.rows(`
      select last_vacuum is not null as vacuumed, last_analyze is not null as analysed
        from pg_stat_user_tables where relname = 'notes'`);
      return { ...row };
    };
    assertEquals(await runIfDue(pool, Number.MAX_SAFE_INTEGER), false);
    assertEquals(await figures(), { vacuumed: false, analysed: false });
    await server.rows("insert into notes values ('note')");
    const [{ lsn }] = await server.rows("select pg_current_wal_lsn()::text as lsn");
    assertEquals(await runIfDue(pool, 1), true);
    assertEquals(await figures(), { vacuumed: true, analysed: true });
    const [{ reached }] = await server.rows(
      `select redo_lsn >= '${lsn}' as reached from pg_control_checkpoint()`,
    );
    assert(reached);
    await pool.close(1);
  },
);

/** A world with its periodic work. */
async function createTickingWorld(): Promise<{ world: World; tick: () => void }> {
  const { setInterval } = globalThis;
  const ticks: (() => void)[] = [];
  Object.assign(globalThis, { setInterval: (tick: () => void) => ticks.push(tick) });
  try {
    const world = await createWorld();
    return { world, tick: () => ticks.forEach((tick) => tick()) };
  } finally {
    Object.assign(globalThis, { setInterval });
  }
}

Deno.test({
  name: "The embedded engine keeps its log short while it runs",
  ignore: ENGINE !== "embedded",
  fn: async () => {
    const { world, tick } = await createTickingWorld();
    await using _world = world;
    const log = async () => {
      const [{ bytes }] = await world.rows(`
        select (pg_current_wal_lsn() - redo_lsn)::float8 as bytes from pg_control_checkpoint()`);
      return bytes;
    };
    // Each switch fills a segment.
    while (await log() < WAL_BYTES_BETWEEN_CHECKPOINTS) {
      await world.raw("create table waste (); drop table waste; select pg_switch_wal()");
    }
    tick();
    await waitUntil(
      "the log is short again",
      async () => await log() < WAL_BYTES_BETWEEN_CHECKPOINTS / 64,
    );
    await world.raw("create table after_checkpoint ()");
  },
});
