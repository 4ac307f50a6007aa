/** What a write costs must not depend on how much was written before. */

import { assert } from "@std/assert";
import { COMMITMENT, pathOf } from "../http/kernel.ts";
import { waitUntil } from "../support/wait.ts";
import { createWorld, type World } from "../support/world.ts";

const WRITES = 400;
/** A write looks up its root, its revision, the one before it, its owner, its key. */
const ROWS_A_WRITE = 8;

/** How many rows have been read since the database was made, one way or another. */
async function rowsRead(world: World): Promise<{ reads: number; scans: number }> {
  const [row] = await world.rows(`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as reads,
           sum(coalesce(idx_scan, 0))::integer as scans
      from pg_stat_user_tables
     where relname in ('records', 'record_revisions', 'idempotency_envelopes', 'audit_entries')`);
  return row;
}

Deno.test("Writing to a database that was empty reads the same few rows at every size", async () => {
  // The plans are made while the tables are empty and kept while they grow.
  await using world = await createWorld();
  const person = await world.person();
  for (let index = 0; index < WRITES; index++) {
    const made = await person.create("commitment", COMMITMENT);
    if (index % 4 === 0) await person.call("PATCH", pathOf(made), { body: { title: `${index}` } });
  }
  // The server's figures come a moment late.
  await waitUntil("the reads are counted", async () => (await rowsRead(world)).scans >= WRITES);
  const { reads } = await rowsRead(world);
  assert(reads < WRITES * ROWS_A_WRITE, `${WRITES} writes read ${reads} rows`);
});
