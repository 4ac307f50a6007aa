// engines: postgres
import { assert, assertEquals } from "@std/assert";
import { purgeEnvelopes, startRetention } from "../../src/command/retention.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { createWorld, ENGINE, fileWorld, type Json, type World } from "../support/world.ts";
import { countNow } from "./statistics.ts";
import { waitUntil } from "../support/wait.ts";

const shared = fileWorld();

/** Adds envelopes of an age in days, by the database's clock. */
async function addEnvelopes(world: World, age: number, count: number): Promise<void> {
  const { accountId } = await world.createCaller();
  await world.raw(`
    insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                       fingerprint_key, envelope, created_at)
      select '${accountId}', 'operation', '', 'key ' || i, '\\x00', 'key', '{}',
             now() - interval '1 day' * ${age}
        from generate_series(1, ${count}) i`);
}

/** Whole days with counts. */
async function agesLeft(world: World): Promise<Record<string, number>> {
  const rows = await world.rows(`
    select extract(day from now() - created_at)::int as age, count(*)::int as n
      from idempotency_envelopes group by 1`);
  return Object.fromEntries(rows.map(({ age, n }) => [age, n]));
}

async function databaseNow(world: World): Promise<Date> {
  const [{ now }] = await world.rows("select now() as now");
  return now;
}

Deno.test("purgeEnvelopes() removes envelopes older than requested, in batches", async () => {
  const world = shared();
  await addEnvelopes(world, 91, 2_001);
  await addEnvelopes(world, 89, 20);
  await addEnvelopes(world, 31, 10);
  await addEnvelopes(world, 1, 5);
  const now = await databaseNow(world);
  assertEquals(await purgeEnvelopes(world.database, 90, now), 2_001);
  assertEquals(await agesLeft(world), { 89: 20, 31: 10, 1: 5 });
  assertEquals(await purgeEnvelopes(world.database, 30, now), 30);
  assertEquals(await agesLeft(world), { 1: 5 });
  assertEquals(await purgeEnvelopes(world.database, 30, now), 0);
});

Deno.test("purgeEnvelopes() keeps envelopes younger than thirty days, by any clock", async () => {
  await using world = await createWorld();
  await addEnvelopes(world, 31, 3);
  await addEnvelopes(world, 29, 4);
  const ahead = new Date((await databaseNow(world)).getTime() + 365 * DAY_MS);
  assertEquals(await purgeEnvelopes(world.database, 30, ahead), 3);
  assertEquals(await agesLeft(world), { 29: 4 });
});

Deno.test("purgeEnvelopes() removes each envelope once when several processes purge", async () => {
  await using world = await createWorld();
  await addEnvelopes(world, 40, 3_000);
  const now = await databaseNow(world);
  const purges = Array.from({ length: 4 }, () => purgeEnvelopes(world.database, 30, now));
  const purged = await Promise.all(purges);
  assertEquals(purged.reduce((sum, count) => sum + count), 3_000 - await left(world));
  assertEquals(await purgeEnvelopes(world.database, 30, now) + await left(world), 0);
});

async function left(world: World): Promise<number> {
  const ages = await agesLeft(world);
  return Object.values(ages).reduce((sum, count) => sum + count, 0);
}

Deno.test("startRetention() purges immediately and reports the number", async () => {
  const world = shared();
  await addEnvelopes(world, 40, 7);
  const lines: Json[] = [];
  const log = createLog("info", (line) => lines.push(JSON.parse(line)));
  const now = await databaseNow(world);
  const stop = startRetention(world.database, 30, () => now, log);
  await waitUntil("the purge is logged", () => lines.length > 0);
  stop();
  const [{ event, purged }] = lines;
  assertEquals([event, purged, lines.length], ["envelopes_purged", 7, 1]);
});

/** Total pages, and pages read so far. */
async function envelopePages(world: World): Promise<{ looked: number; all: number }> {
  await countNow(world);
  const [pages] = await world.rows(`
    select (heap_blks_read + heap_blks_hit)::integer as looked,
           (pg_relation_size('idempotency_envelopes') / 8192)::integer as all
      from pg_statio_user_tables where relname = 'idempotency_envelopes'`);
  return pages;
}

Deno.test({
  name: "purgeEnvelopes() reads only the old part of the table",
  // The same plan on both engines; slow on the embedded one.
  ignore: ENGINE === "embedded",
  async fn() {
    const world = shared();
    // In order of time: the index knows each part's range.
    await addEnvelopes(world, 40, 20);
    await addEnvelopes(world, 1, 60_000);
    await world.raw("select brin_summarize_new_values('idempotency_envelopes_by_age')");
    const now = await databaseNow(world);
    const before = await envelopePages(world);
    assertEquals(await purgeEnvelopes(world.database, 30, now), 20);
    const { looked, all } = await envelopePages(world);
    const pages = looked - before.looked;
    assert(pages > 0 && pages < all / 2, `looked at ${pages} pages of ${all}`);
  },
});
