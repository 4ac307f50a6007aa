import { assert, assertEquals } from "@std/assert";
import { createRateLimits, RateLimit } from "../../../src/http/rate_limit.ts";
import { seededRandom } from "../../support/random.ts";

const START = Date.parse("2026-11-20T12:00:00.000Z");

function at(milliseconds: number): Date {
  return new Date(START + milliseconds);
}

/** Accepted at one moment. */
function takenBy(limit: RateLimit, client: string, now: Date): number {
  let taken = 0;
  while (limit.consume(client, now).secondsToWait === null) taken++;
  return taken;
}

for (const perMinute of [1, 7, 59, 60, 600, 1_000]) {
  Deno.test(`RateLimit of ${perMinute} accepts as many at once, and refills within a minute`, () => {
    const limit = new RateLimit("default", perMinute);
    assertEquals(takenBy(limit, "a", at(0)), perMinute);
    const each = Math.ceil(60_000 / perMinute);
    assertEquals(takenBy(limit, "a", at(each - 1)), 0);
    assertEquals(takenBy(limit, "a", at(each)), 1);
    assertEquals(takenBy(limit, "a", at(each + 60_000)), perMinute);
    assertEquals(takenBy(limit, "a", at(each + 600_000)), perMinute);
  });
}

Deno.test("RateLimit counts each client separately", () => {
  const limit = new RateLimit("default", 3);
  assertEquals(takenBy(limit, "a", at(0)), 3);
  assertEquals(takenBy(limit, "b", at(0)), 3);
  assertEquals(takenBy(limit, "a", at(20_000)), 1);
});

Deno.test("RateLimit returns the rest, the time until full, and the wait", () => {
  const limit = new RateLimit("default", 600);
  const policy = '"default";q=600;w=60';
  const first = { secondsToWait: null, left: 599, field: '"default";r=599;t=1', policy };
  assertEquals(limit.consume("a", at(0)), first);
  for (let index = 0; index < 599; index++) limit.consume("a", at(0));
  const refused = { secondsToWait: 1, left: 0, field: '"default";r=0;t=60', policy };
  assertEquals(limit.consume("a", at(0)), refused);
  assertEquals(limit.consume("a", at(30_000)).field, '"default";r=299;t=31');
  const slow = new RateLimit("slow", 2);
  slow.consume("a", at(0));
  slow.consume("a", at(0));
  assertEquals(slow.consume("a", at(0)).secondsToWait, 30);
  assertEquals(slow.consume("a", at(29_999)).secondsToWait, 1);
  assertEquals(slow.consume("a", at(30_000)).secondsToWait, null);
});

Deno.test("RateLimit does not change when the clock is set back", () => {
  const limit = new RateLimit("default", 2);
  assertEquals(takenBy(limit, "a", at(0)), 2);
  assertEquals(takenBy(limit, "a", at(-3_600_000)), 0);
  assertEquals(takenBy(limit, "a", at(-3_600_000 + 30_000)), 1);
});

Deno.test("RateLimit remembers a limited number of clients", () => {
  const limit = new RateLimit("default", 60, { buckets: 100 });
  for (let index = 0; index < 10_000; index++) {
    limit.consume(`client ${index}`, at(index));
    assert(limit.size <= 200, `${limit.size} after ${index}`);
  }
});

Deno.test("RateLimit forgets only clients with a full bucket", () => {
  const random = seededRandom(7);
  const limit = new RateLimit("default", 20);
  // Buckets in milliseconds, 3,000 per request; never forgotten.
  const buckets = new Map(["a", "b", "c"].map((client) => [client, { left: 60_000, since: 0 }]));
  let now = 0;
  for (let step = 0; step < 20_000; step++) {
    now += random.chance(0.01) ? random.integer(0, 130_000) : random.integer(0, 2_000);
    limit.consume(`stranger ${step}`, at(now));
    for (const [client, bucket] of buckets) {
      if (!random.chance(0.5)) continue;
      const left = Math.min(60_000, bucket.left + now - bucket.since);
      const isTaken = left >= 3_000;
      buckets.set(client, { left: isTaken ? left - 3_000 : left, since: now });
      assertEquals(limit.consume(client, at(now)).secondsToWait === null, isTaken, `step ${step}`);
    }
  }
  assert(limit.size < 1_000, `${limit.size} clients`);
});

Deno.test("RateLimit remembers a busy client while strangers fill its memory", () => {
  const limit = new RateLimit("default", 60, { buckets: 100 });
  assertEquals(takenBy(limit, "a", at(0)), 60);
  for (let index = 0; index < 1_000; index++) {
    limit.consume(`stranger ${index}`, at(0));
    if (index % 50 === 0) assertEquals(limit.consume("a", at(0)).secondsToWait, 1);
  }
});

Deno.test("createRateLimits() makes none for 0", () => {
  assertEquals(createRateLimits(0, 0), { accounts: null, addresses: null });
  const { accounts, addresses } = createRateLimits(5, 3);
  assertEquals(accounts?.consume("a", at(0)).policy, '"default";q=5;w=60');
  assertEquals(addresses?.consume("a", at(0)).policy, '"unauthenticated";q=3;w=60');
});
