import { assertEquals, assertRejects } from "@std/assert";
import postgres from "postgres";
import { NoFreeConnectionError } from "../../../src/database/failures.ts";
import { ConnectionPool } from "../../../src/database/pool.ts";

/** A pool of one connection, which is never used and so never made. */
function poolOfOne(secondsToWait?: number): ConnectionPool {
  return new ConnectionPool(
    (options) => postgres({ ...options, host: "127.0.0.1" }),
    1,
    secondsToWait,
  );
}

Deno.test("ConnectionPool lends a connection to one user at a time, first come, first served", async () => {
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

Deno.test("ConnectionPool refuses a caller that waits too long, and serves later ones", async () => {
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
