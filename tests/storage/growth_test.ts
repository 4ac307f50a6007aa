/** What a write costs must not depend on how much was written before. */

import { assert } from "@std/assert";
import { COMMITMENT, pathOf } from "../http/kernel.ts";
import { done, remember, textPath } from "../http/memory.ts";
import { waitUntil } from "../support/wait.ts";
import { createWorld, type World } from "../support/world.ts";

const WRITES = 400;
/** A write looks up its root, its revision, the one before it, its owner, its key. */
const ROWS_A_WRITE = 8;
/** A memory is all that twice: itself and its projection. */
const ROWS_A_MEMORY = 16;

/** How many rows have been read since the database was made, one way or another. */
async function rowsRead(world: World): Promise<{ reads: number; scans: number }> {
  const [row] = await world.rows(`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as reads,
           sum(coalesce(idx_scan, 0))::integer as scans
      from pg_stat_user_tables
     where relname in ('records', 'record_revisions', 'idempotency_envelopes', 'audit_entries',
                       'memories', 'memory_revisions')`);
  return row;
}

/** Asserts that so many writes, which were all since the database was made, read few rows each. */
async function assertReads(world: World, writes: number, rowsAWrite: number): Promise<void> {
  // The server's figures come a moment late.
  await waitUntil("the reads are counted", async () => (await rowsRead(world)).scans >= writes);
  const { reads } = await rowsRead(world);

  assert(reads < writes * rowsAWrite, `${writes} writes read ${reads} rows`);
}

Deno.test("Writing to a database that was empty reads the same few rows at every size", async () => {
  // The plans are made while the tables are empty and kept while they grow.
  await using world = await createWorld();
  const person = await world.person();
  for (let index = 0; index < WRITES; index++) {
    const made = await person.create("commitment", COMMITMENT);
    if (index % 4 === 0) await person.call("PATCH", pathOf(made), { body: { title: `${index}` } });
  }
  await assertReads(world, WRITES, ROWS_A_WRITE);
});

Deno.test("Writing memories reads the same few rows at every size", async () => {
  await using world = await createWorld();
  const person = await world.person();
  for (let index = 0; index < WRITES; index++) {
    const made = await remember(person);
    if (index % 4 !== 0) continue;
    await done(person, textPath(made, "/revisions"), {
      currentContent: `${index}`,
      expectedRevision: 1,
    });
  }
  await assertReads(world, WRITES, ROWS_A_MEMORY);
});
