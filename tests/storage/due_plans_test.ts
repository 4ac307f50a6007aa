// engines: postgres
/** Query plans of the due list among very many rows. */

import { assert, assertEquals } from "@std/assert";
import { callerOf, createWorld } from "../support/world.ts";
import { DUE } from "../http/calendar.ts";
import { insertManyDue } from "./due_rows.ts";
import { assertSeeks, assertWalks, plansOf } from "./plans.ts";
import { createRecordingDatabase } from "./recording.ts";

Deno.test("Each kind is read along its index among very many records, page by page", async () => {
  await using world = await createWorld();
  const [caller, other] = [await world.createCaller(), await world.createCaller()];
  const first = "2026-01-01T00:00:00Z";
  await world.raw(`${insertManyDue(caller.accountId, 1_000, first)}
    ${insertManyDue(other.accountId, 1_000, first)} analyze`);
  const recording = createRecordingDatabase(world.database, "all");
  const reader = callerOf(world.again({ database: recording.database }), caller);
  let cursor = "";
  for (let page = 0; page < 2; page++) {
    const sent = await recording.during(async () => {
      const response = await reader.call("GET", `${DUE}?limit=50&counts=true${cursor}`);
      assertEquals(response.body.data.items.length, 50, response.text);
      cursor = `&cursor=${response.body.data.nextCursor}`;
    });
    const reads = sent.filter(({ text }) => /as is_secret|as examined/.test(text));
    // The first page also counts each kind that can be overdue.
    assertEquals(reads.length, page === 0 ? 12 : 7);
    for (const statement of reads) {
      // A count may read all records of a module that has no more than it counts.
      const isOfRecords = /record_due_at/.test(statement.text) &&
        !/as examined/.test(statement.text);
      for (const plan of await plansOf(world, statement)) {
        if (isOfRecords) assertWalks(plan, statement.text);
        else assertSeeks(plan, statement.text);
        if (isOfRecords) assert(JSON.stringify(plan).includes('"records_due"'), statement.text);
      }
    }
  }
});
