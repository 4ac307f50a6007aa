// engines: postgres
/** Attempts that share a limit wait for each other, others do not. */

import { assertEquals } from "@std/assert";
import { createThrottle, type Throttle } from "../../src/accounts/throttle.ts";
import { newId } from "../../src/core/ids.ts";
import type { Database } from "../../src/database/database.ts";
import { begin, type OpenTransaction, waitForWaiters } from "./held.ts";
import { serverTest } from "./server.ts";
import { assertTaken, countRows, HERE, openHarness, SECRET, takeFrom } from "./throttle.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");

Deno.test("Throttle accepts exactly ten of fifty concurrent attempts", async () => {
  const harness = await openHarness();
  const other = createThrottle(harness.world.database, SECRET);
  const attempt = { email: "ada@example.org", address: HERE, now: harness.world.now() };
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => takeFrom(i % 2 === 0 ? harness.throttle : other, attempt)),
  );
  assertEquals(answers.filter((response) => typeof response === "string").length, 10);
  assertEquals(answers.filter((response) => response === 900).length, 40);
  assertEquals(await countRows(harness.world), 10);
});

Deno.test("Throttle accepts exactly thirty of sixty concurrent emails from an address", async () => {
  const harness = await openHarness();
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, person) => harness.take(`${person}@example.org`)),
  );
  assertEquals(answers.filter((response) => typeof response === "string").length, 30);
});

Deno.test("Throttle accepts exactly the rest of an email's limit from many addresses at once", async () => {
  const harness = await openHarness();
  for (let host = 1; host <= 9; host++) await harness.fail(10, "ada@example.org", `10.0.0.${host}`);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, host) => harness.take("ada@example.org", `10.0.1.${host}`)),
  );
  assertEquals(answers.filter((response) => typeof response === "string").length, 10);
});

async function fail(throttle: Throttle, email: string, address: string): Promise<void> {
  assertTaken(await takeFrom(throttle, { email, address, now: NOW }), `${email} at ${address}`);
}

/** Holds an attempt with the newest one's email, address or network. */
function holdAttempt(
  database: Database,
  same: "email" | "address" | "network",
): Promise<OpenTransaction> {
  return begin(database, (tx) =>
    tx.sql`
      select take_access_attempt(
               ${newId(NOW)},
               case when ${same === "email"} then subject else sha256('another email') end,
               case when ${same === "address"} then address else sha256('another address') end,
               case when ${same === "network"} then network end,
               ${NOW})
        from access_attempts order by attempt_id desc limit 1`);
}

serverTest(
  "An attempt waits for another from its address, which may reach the limit",
  async (server) => {
    const database = server.open(8);
    const throttle = createThrottle(database, SECRET);
    for (let person = 1; person <= 29; person++) await fail(throttle, `${person}@b.org`, HERE);
    const first = await holdAttempt(database, "address");
    const second = takeFrom(throttle, { email: "ada@example.org", address: HERE, now: NOW });
    await waitForWaiters(server, 1);
    await first.commit();
    assertEquals(await second, 900);
  },
);

serverTest(
  "An attempt waits for another from its /56 network, which may reach the limit",
  async (server) => {
    const database = server.open(8);
    const throttle = createThrottle(database, SECRET);
    const at = (subnet: number) => `2001:db8:0:a${subnet.toString(16).padStart(2, "0")}::/64`;
    for (let i = 0; i < 119; i++) await fail(throttle, `${i}@b.org`, at(i));
    const first = await holdAttempt(database, "network");
    const second = takeFrom(throttle, { email: "ada@example.org", address: at(200), now: NOW });
    await waitForWaiters(server, 1);
    await first.commit();
    assertEquals(await second, 900);
  },
);

serverTest(
  "An attempt waits for another with its email, which may reach the limit",
  async (server) => {
    const database = server.open(8);
    const throttle = createThrottle(database, SECRET);
    for (let i = 0; i < 99; i++) await fail(throttle, "ada@example.org", `10.0.0.${i % 20}`);
    const first = await holdAttempt(database, "email");
    const second = takeFrom(throttle, { email: "ada@example.org", address: HERE, now: NOW });
    await waitForWaiters(server, 1);
    await first.commit();
    assertEquals(await second, 3600);
  },
);

serverTest("An attempt is accepted when the one it waited for is rolled back", async (server) => {
  const database = server.open(8);
  const throttle = createThrottle(database, SECRET);
  for (let person = 1; person <= 29; person++) await fail(throttle, `${person}@b.org`, HERE);
  const first = await holdAttempt(database, "address");
  const second = takeFrom(throttle, { email: "ada@example.org", address: HERE, now: NOW });
  await waitForWaiters(server, 1);
  await first.rollBack();
  assertTaken(await second);
});

serverTest("An attempt does not wait for another email and address", async (server) => {
  const database = server.open(8);
  const throttle = createThrottle(database, SECRET);
  await fail(throttle, "ada@example.org", HERE);
  const first = await holdAttempt(database, "email");
  await fail(throttle, "bob@example.org", HERE);
  await first.commit();
  const second = await holdAttempt(database, "address");
  await fail(throttle, "ada@example.org", "192.0.2.2");
  await second.commit();
});

serverTest(
  "Concurrent attempts remove each old attempt once, without waiting",
  async (server) => {
    const database = server.open(8);
    const throttle = createThrottle(database, SECRET);
    await server.rows(`
    insert into access_attempts (attempt_id, address, attempted_at)
      select '01A' || lpad(i::text, 23, '0'), sha256('old'), '2026-11-20T11:00:00Z'
        from generate_series(1, 150) i`);
    const first = await begin(
      database,
      (tx) => tx.sql`select take_access_attempt(${newId(NOW)}, null, sha256('first'), ${NOW})`,
    );
    await fail(throttle, "ada@example.org", HERE);
    await first.commit();
    const left = await server.rows("select 1 from access_attempts");
    assertEquals(left.length, 2);
  },
);
