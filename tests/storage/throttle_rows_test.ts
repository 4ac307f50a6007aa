// engines: postgres
/** Stored and removed rows, and reads of the throttle. */

import { assert, assertEquals } from "@std/assert";
import { createThrottle } from "../../src/accounts/throttle.ts";
import { newId } from "../../src/core/ids.ts";
import { asTemplate, createWorld, type Json, type World } from "../support/world.ts";
import {
  assertTaken,
  countRows,
  DAY,
  HERE,
  HOUR,
  MINUTE,
  openHarness,
  takeFrom,
} from "./throttle.ts";

/** Attempts for one email and address. */
function oldAttempts(age: number, count: number, succeeded: boolean): string {
  return `
    insert into access_attempts (attempt_id, subject, address, attempted_at, succeeded)
      select '01A${
    succeeded ? "A" : "B"
  }' || lpad(i::text, 22, '0'), decode(repeat('ab', 32), 'hex'),
             decode(repeat('cd', 32), 'hex'), '${new Date(age).toISOString()}', ${succeeded}
        from generate_series(1, ${count}) i;`;
}

Deno.test("Throttle leaves no trace of a rejected attempt", async () => {
  const harness = await openHarness();
  await harness.fail(10, "ada@example.org");
  for (let refused = 1; refused <= 5; refused++) {
    assertEquals(await harness.take("ada@example.org"), 900);
  }
  assertEquals(await countRows(harness.world), 10);
  harness.world.advance(15 * MINUTE);
  await harness.fail(10, "ada@example.org");
});

Deno.test("Throttle removes attempts that no limit needs, a hundred of each kind at a time", async () => {
  const harness = await openHarness();
  const now = harness.world.now().getTime();
  await harness.world.raw(oldAttempts(now - HOUR, 150, false));
  await harness.world.raw(oldAttempts(now - 30 * DAY, 130, true));
  await harness.fail(1, "ada@example.org");
  assertEquals(await countRows(harness.world), 50 + 30 + 1);
  await harness.fail(1, "ada@example.org");
  assertEquals(await countRows(harness.world), 2);
});

Deno.test("Throttle keeps attempts that a limit needs", async () => {
  const harness = await openHarness();
  const now = harness.world.now().getTime();
  await harness.world.raw(oldAttempts(now - HOUR + 1, 20, false));
  await harness.world.raw(oldAttempts(now - 30 * DAY + 1, 20, true));
  await harness.fail(1, "ada@example.org");
  assertEquals(await countRows(harness.world), 41);
});

Deno.test("Throttle accepts the success of an attempt that was removed meanwhile", async () => {
  const harness = await openHarness();
  const slow = String(await harness.take("ada@example.org"));
  harness.world.advance(HOUR);
  await harness.fail(1, "bob@example.org");
  const { database } = harness.world;
  await database.transaction((tx) => harness.throttle.succeeded(tx.sql, slow, "ada@example.org"));
  assertEquals(await countRows(harness.world), 1);
});

Deno.test("Throttle stores neither email nor address", async () => {
  const harness = await openHarness();
  await harness.succeed("ada@example.org", "192.0.2.77");
  await harness.fail(1, "my secret password", "2001:db8:0:1::/64");
  const [{ text }] = await harness.world.rows(`
    select string_agg(a::text || encode(subject, 'escape') || encode(address, 'escape')
             || coalesce(encode(network, 'escape'), ''), ' ') as text
      from access_attempts a`);
  for (const word of ["ada@", "secret", "192.0.2", "2001:db8"]) {
    assertEquals(text.includes(word), false, word);
    const digits = new TextEncoder().encode(word).toHex();
    assertEquals(text.includes(digits), false, word);
  }
});

Deno.test("Throttle of another secret does not match stored digests", async () => {
  const harness = await openHarness();
  await harness.fail(10, "ada@example.org");
  const other = createThrottle(harness.world.database, new TextEncoder().encode("another secret"));
  const attempt = { email: "ada@example.org", address: HERE, now: harness.world.now() };
  assertTaken(await takeFrom(other, attempt));
});

/** The maximum: 20 from each of 500 addresses, 200 from each of 50 networks, 200 for one email. */
function busyTable(now: Date): string {
  return `
    insert into access_attempts (attempt_id, subject, address, network, attempted_at, succeeded)
      select '01Z' || lpad(i::text, 23, '0'),
             sha256((case when i <= 200 then 'busy email' else 'email' || i % 1250 end)::bytea),
             sha256(('address' || i % 500)::bytea), sha256(('network' || i % 50)::bytea),
             '${now.toISOString()}'::timestamptz - interval '1 ms' * i, i > 10000
        from generate_series(1, 15000) i`;
}

/** Sequential scans and index entries so far. */
const WORK = `
  select coalesce(pg_stat_get_xact_numscans('access_attempts'::regclass), 0)::int as scans,
         (select coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0) from pg_index
           where indrelid = 'access_attempts'::regclass)::int as entries`;

async function workOfAttempt(
  world: World,
  email: string,
  address: string,
  network: string | null,
): Promise<Json> {
  const now = world.now();
  return await world.database.transaction(async (tx) => {
    const [before] = await tx.sql<Json>(asTemplate(WORK));
    await tx.sql`
      select take_access_attempt(${newId(now)}, sha256(${email}::text::bytea),
                                 sha256(${address}::text::bytea),
                                 sha256(${network}::text::bytea), ${now})`;
    const [after] = await tx.sql<Json>(asTemplate(WORK));
    return { scans: after.scans - before.scans, entries: after.entries - before.entries };
  });
}

Deno.test("Throttle reads as many index entries as its limits, also in a large table", async () => {
  await using world = await createWorld();
  const assertReadsLittle = async (when: string) => {
    const places = [["address1", null], ["new address", null], ["address1", "network1"]] as const;
    for (const email of ["busy email", "email1", "new email"]) {
      for (const [address, network] of places) {
        const { scans, entries } = await workOfAttempt(world, email, address, network);
        const label = `${email} at ${address} ${when}: ${scans} scans, ${entries} entries`;
        const most = 30 + 100 + 1 + (network === null ? 0 : 120);
        assert(scans === 0 && entries <= most, label);
      }
    }
  };
  // A plan for an empty table is kept.
  for (let execution = 1; execution <= 3; execution++) await assertReadsLittle("while it is empty");
  await world.raw(busyTable(world.now()));
  await assertReadsLittle("before its figures are known");
  await world.raw("analyze access_attempts");
  await assertReadsLittle("once its figures are known");
  const { entries } = await workOfAttempt(world, "busy email", "new address", null);
  assert(entries >= 100, `Only ${entries} entries: the measure sees nothing`);
});
