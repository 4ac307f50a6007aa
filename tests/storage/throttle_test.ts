// engines: postgres
/** Exact limits and times of the throttle. */

import { assertEquals, assertRejects } from "@std/assert";
import { createThrottle } from "../../src/accounts/throttle.ts";
import {
  assertTaken,
  DAY,
  HERE,
  MINUTE,
  openHarness,
  SECOND,
  SECRET,
  takeFrom,
} from "./throttle.ts";

Deno.test("Throttle accepts ten failures for an email from an address, and no eleventh", async () => {
  const harness = await openHarness();
  await harness.fail(10, "ada@example.org");
  assertEquals(await harness.take("ada@example.org"), 900);
  assertTaken(await harness.take("ada@example.org", "192.0.2.2"), "another address");
  assertTaken(await harness.take("bob@example.org"), "another email");
  assertEquals(await harness.take("ada@example.org"), 900);
});

Deno.test("Throttle counts spellings of one account's email together", async () => {
  const harness = await openHarness();
  await harness.fail(5, "ada@example.org");
  await harness.fail(5, "ADA@Example.ORG");
  // Full-width letters fold to the same.
  assertEquals(await harness.take("ａｄａ@example.org"), 900);
});

Deno.test("Throttle accepts thirty failures from an address, with any emails", async () => {
  const harness = await openHarness();
  for (let person = 1; person <= 29; person++) await harness.fail(1, `${person}@example.org`);
  await harness.fail(1, null);
  assertEquals(await harness.take("31@example.org"), 900);
  assertEquals(await harness.take(null), 900);
  assertTaken(await harness.take("31@example.org", "192.0.2.2"), "another address");
});

Deno.test("Throttle accepts 40 failures for an email and 120 in all from a /56 network", async () => {
  const harness = await openHarness();
  const at = (subnet: number, start = "a") =>
    `2001:db8:0:${start}${subnet.toString(16).padStart(2, "0")}::/64`;
  for (let subnet = 0; subnet < 4; subnet++) {
    await harness.fail(10, "ada@example.org", at(subnet));
  }
  assertEquals(await harness.take("ada@example.org", at(5)), 900, "the email in the network");
  assertTaken(await harness.take("ada@example.org", at(5, "b")), "another network");
  assertTaken(await harness.take("ada@example.org"), "another address");
  for (let subnet = 6; subnet < 86; subnet++) {
    await harness.fail(1, `${subnet}@example.org`, at(subnet));
  }
  for (const email of ["bob@example.org", "ada@example.org", null]) {
    assertEquals(await harness.take(email, at(99)), 900, "the network");
  }
  assertTaken(await harness.take("bob@example.org", at(99, "b")), "another network");
  harness.world.advance(15 * MINUTE);
  assertTaken(await harness.take("bob@example.org", at(99)));
});

Deno.test("Throttle limits set-up by address only", async () => {
  const harness = await openHarness();
  await harness.fail(30, null);
  assertEquals(await harness.take(null), 900);
  await harness.fail(30, null, "192.0.2.2");
});

Deno.test("Throttle accepts a hundred failures for an email in an hour, from any addresses", async () => {
  const harness = await openHarness();
  for (let host = 1; host <= 10; host++) {
    await harness.fail(10, "ada@example.org", `10.0.0.${host}`);
  }
  assertEquals(await harness.take("ada@example.org", "10.0.0.21"), 3600);
  assertEquals(await harness.take("ada@example.org", "10.0.0.1"), 3600, "the longer wait");
  assertTaken(await harness.take("bob@example.org", "10.0.0.21"), "another email");
  harness.world.advance(15 * MINUTE);
  assertEquals(
    await harness.take("ada@example.org", "10.0.0.1"),
    2700,
    "its own ten are forgotten",
  );
  harness.world.advance(45 * MINUTE - 1);
  assertEquals(
    await harness.take("ada@example.org", "10.0.0.1"),
    1,
    "a millisecond before the end",
  );
  harness.world.advance(1);
  assertTaken(await harness.take("ada@example.org", "10.0.0.1"));
});

Deno.test("Throttle accepts at most a hundred failures for an email in any hour", async () => {
  const harness = await openHarness();
  let taken = 0;
  // 720 attempts in two hours, from different addresses.
  for (let minute = 0; minute < 2 * 60; minute++) {
    for (let attempt = 0; attempt < 6; attempt++) {
      const response = await harness.take("ada@example.org", `10.${attempt}.${minute}.1`);
      if (typeof response === "string") taken++;
    }
    harness.world.advance(MINUTE);
  }
  assertEquals(taken, 200);
});

Deno.test("Throttle lets strangers lock no owner out of a known address", async () => {
  const harness = await openHarness();
  await harness.succeed("ada@example.org");
  await harness.succeed("bob@example.org", "10.0.0.21");
  for (let host = 1; host <= 10; host++) {
    await harness.fail(10, "ada@example.org", `10.0.0.${host}`);
  }
  assertEquals(
    await harness.take("ada@example.org", "10.0.0.21"),
    3600,
    "another account's address",
  );
  await harness.fail(10, "ada@example.org");
  assertEquals(await harness.take("ada@example.org"), 900, "its own ten count all the same");
});

Deno.test("Throttle remembers an address for thirty days after a success", async () => {
  const harness = await openHarness();
  await harness.succeed("ada@example.org");
  const attack = async () => {
    for (let host = 1; host <= 10; host++) {
      await harness.fail(10, "ada@example.org", `10.0.0.${host}`);
    }
  };
  harness.world.advance(30 * DAY - 1);
  await attack();
  assertTaken(await harness.take("ada@example.org"), "a millisecond before the end");
  harness.world.advance(1);
  assertEquals(await harness.take("ada@example.org"), 3600);
});

Deno.test("Throttle never counts a success as a failure", async () => {
  const harness = await openHarness();
  for (let success = 1; success <= 35; success++) await harness.succeed("ada@example.org");
  await harness.fail(10, "ada@example.org");
  assertEquals(await harness.take("ada@example.org"), 900);
});

Deno.test("Throttle counts a running attempt as a failure until it succeeds", async () => {
  const harness = await openHarness();
  await harness.fail(9, "ada@example.org");
  const pending = await harness.take("ada@example.org");
  assertTaken(pending);
  assertEquals(await harness.take("ada@example.org"), 900);
  const { database } = harness.world;
  await database.transaction((tx) =>
    harness.throttle.succeeded(tx.sql, String(pending), "ada@example.org")
  );
  assertTaken(await harness.take("ada@example.org"));
});

Deno.test("Throttle undoes a success whose transaction is rolled back", async () => {
  const harness = await openHarness();
  await harness.fail(9, "ada@example.org");
  const pending = String(await harness.take("ada@example.org"));
  const failing = harness.world.database.transaction(async (tx) => {
    await harness.throttle.succeeded(tx.sql, pending, "ada@example.org");
    throw new RangeError("rolled back");
  });
  await assertRejects(() => failing, RangeError);
  assertEquals(await harness.take("ada@example.org"), 900);
});

Deno.test("Throttle states to the second when the next attempt is possible", async () => {
  const harness = await openHarness();
  await harness.fail(1, "ada@example.org");
  harness.world.advance(MINUTE + 1);
  await harness.fail(9, "ada@example.org");
  assertEquals(await harness.take("ada@example.org"), 840);
  harness.world.advance(838 * SECOND + 999);
  assertEquals(await harness.take("ada@example.org"), 1);
  harness.world.advance(999);
  assertEquals(await harness.take("ada@example.org"), 1, "a millisecond before the end");
  harness.world.advance(1);
  await harness.fail(1, "ada@example.org");
  assertEquals(
    await harness.take("ada@example.org"),
    61,
    "until the next failure leaves the window",
  );
});

Deno.test("Throttle states the longest wait of several reached limits", async () => {
  const harness = await openHarness();
  for (let person = 1; person <= 20; person++) await harness.fail(1, `${person}@example.org`);
  harness.world.advance(MINUTE);
  await harness.fail(10, "ada@example.org");
  harness.world.advance(MINUTE);
  assertEquals(await harness.take("bob@example.org"), 780, "the thirty of the address");
  assertEquals(await harness.take("ada@example.org"), 840, "the ten of the pair");
});

Deno.test("Throttle knows whether an address succeeded for an email within thirty days", async () => {
  const harness = await openHarness();
  const isKnown = async (email: string | null, address = HERE) =>
    (await harness.throttle.take({ email, address, now: harness.world.now() })).isKnown;
  assertEquals(await isKnown("ada@example.org"), false);
  await harness.succeed("ada@example.org");
  assertEquals(await isKnown("ADA@example.org"), true);
  assertEquals(await isKnown("bob@example.org"), false);
  assertEquals(await isKnown(null), false);
  assertEquals(await isKnown("ada@example.org", "192.0.2.2"), false);
  harness.world.advance(30 * DAY - 1);
  assertEquals(await isKnown("ada@example.org"), true);
  harness.world.advance(1);
  assertEquals(await isKnown("ada@example.org"), false);
});

Deno.test("Throttle applies its limits across processes", async () => {
  const harness = await openHarness();
  const other = createThrottle(harness.world.database, SECRET);
  const attempt = { email: "ada@example.org", address: HERE, now: harness.world.now() };
  for (let pair = 1; pair <= 5; pair++) {
    assertTaken(await takeFrom(harness.throttle, attempt));
    assertTaken(await takeFrom(other, attempt));
  }
  assertEquals(await takeFrom(harness.throttle, attempt), 900);
  assertEquals(await takeFrom(other, attempt), 900);
});
