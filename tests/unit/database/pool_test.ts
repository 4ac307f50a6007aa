import { assertEquals, assertRejects } from "@std/assert";
import postgres from "postgres";
import { type Connection, Silence } from "../../../src/database/connection.ts";
import { NoFreeConnectionError } from "../../../src/database/failures.ts";
import { ConnectionPool, SharedPool } from "../../../src/database/pool.ts";
import { SilentServer } from "./silent_server.ts";

/** Its connection is never made. */
function poolOfOne(secondsToWait?: number): ConnectionPool {
  return new ConnectionPool(
    (options) => postgres({ ...options, host: "127.0.0.1" }),
    1,
    secondsToWait,
  );
}

Deno.test("ConnectionPool gives a connection to one user at a time, in order", async () => {
  const pool = poolOfOne();
  const order: number[] = [];
  let users = 0;
  const use = (name: number) =>
    pool.borrow(async () => {
      users++;
      assertEquals(users, 1);
      order.push(name);
      await Promise.resolve();
      users--;
    });
  await Promise.all([1, 2, 3, 4, 5].map(use));
  assertEquals(order, [1, 2, 3, 4, 5]);
  await pool.close(0);
});

Deno.test("ConnectionPool rejects a caller that waits too long, and serves later ones", async () => {
  const pool = poolOfOne(0.02);
  const release = Promise.withResolvers<void>();
  const first = pool.borrow(() => release.promise);
  await assertRejects(() => pool.borrow(() => Promise.resolve()), NoFreeConnectionError);
  const waiting = pool.borrow(() => Promise.resolve("served"));
  release.resolve();
  await first;
  assertEquals(await waiting, "served");
  assertEquals(await pool.borrow(() => Promise.resolve("again")), "again");
  await pool.close(0);
});

Deno.test("Pools reopen only connections that may have met another's silence", async () => {
  const servers: SilentServer[] = [];
  const socket = () => {
    servers.push(new SilentServer(Infinity));
    return servers.at(-1);
  };
  const place = {
    socket,
    host: "silence",
    database: "none",
    username: "nobody",
    fetch_types: false,
  };
  const connect = (options: postgres.Options<Record<never, never>>) =>
    postgres({ ...options, ...place });
  const silence = new Silence();
  const exclusive = new ConnectionPool(connect, 1, Infinity, silence);
  const shared = new SharedPool(connect, 1, silence);
  const ask = (connection: Connection) => connection.script("commit");
  const askBoth = async () => {
    await exclusive.borrow(ask);
    await shared.share(ask);
    return servers.length;
  };
  assertEquals([await askBoth(), await askBoth()], [2, 2]);
  silence.noticed(Date.now());
  // The clock may not have advanced.
  await new Promise((resolve) => setTimeout(resolve, 2));
  assertEquals([await askBoth(), await askBoth()], [4, 4]);
  await Promise.all([exclusive.close(0), shared.close(0)]);
});
