// engines: postgres
/** Plans of version 1's export and of the import: all use an index. */

import { assertEquals } from "@std/assert";
import { dirname } from "node:path";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { FILTERED_PAGE_BUDGET } from "../../src/database/walk.ts";
import { insertLegacyRecords, toImportFile } from "../support/legacy_records.ts";
import { type Caller, callerOf, createWorld } from "../support/world.ts";
import { newLegacyRecords } from "../http/legacy.ts";
import { emailOf, servicesOf } from "./operator.ts";
import { assertSeeks, plansOf } from "./plans.ts";
import { createRecordingDatabase } from "./recording.ts";

const COUNT = FILTERED_PAGE_BUDGET + 1_000;

function idOf(number: number): string {
  return `01KA${String(number).padStart(22, "0")}`;
}

/** Every third archived, every second guarded. */
function recordsOf({ accountId }: Caller, module: string): string {
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, archived_at, title, summary, payload,
                         guard)
      select '${accountId}', '01KA' || lpad(i::text, 22, '0'), '${module}', 1,
             '01MA' || lpad(i::text, 22, '0'), 'SEED', now(), now(), now(),
             case when i % 3 = 0 then now() end, 'A', '', '{}',
             case when i % 2 = 0 then 'relationship.ledger.secret' end
        from generate_series(1, ${COUNT}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, archived_at, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, archived_at, updated_at from records where owner_id = '${accountId}';`;
}

Deno.test("An export and an import use indexes at any size", async () => {
  await using world = await createWorld();
  const [owner, other] = [await world.createCaller(), await world.createCaller("EDITOR")];
  const kept = newLegacyRecords(world, 20);
  await world.raw(`
    ${recordsOf(owner, "resource")}
    ${recordsOf(other, "resource")}
    ${insertLegacyRecords(owner.accountId, "identity", kept)}
    analyze`);
  const recording = createRecordingDatabase(world.database);
  const app = world.again({ database: recording.database });
  const path = "/api/v1/resource/export";
  for (const caller of [owner, other].map((each) => callerOf(app, each))) {
    for (const query of ["", `?limit=100&cursor=${idOf(3_000)}`]) {
      const sent = await recording.during(async () => {
        const { status, body } = await caller.call("GET", path + query);
        assertEquals([status, body.data.records.length], [200, query === "" ? 50 : 100]);
      });
      const read = sent.filter(({ text }) => /\brecord(s|_revisions)\b/.test(text));
      // The walk, record sizes, and revisions.
      assertEquals(read.length, 3);
      for (const statement of read) {
        for (const plan of await plansOf(world, statement)) assertSeeks(plan, statement.text);
      }
    }
  }

  const file = "records.jsonl";
  const text = toImportFile([...kept, ...newLegacyRecords(world, 5)]);
  await Deno.writeTextFile(`${dirname(world.objectFolder)}/${file}`, text);
  const services = { ...servicesOf(world), database: recording.database };
  const sent = await recording.during(async () => {
    const command = { command: "legacy import", owner: emailOf(owner), file } as const;
    const said = "Imported 5 records; 20 records of the file already existed";
    assertEquals(await runAdminCommand(services, command), [said]);
  });
  const compared = sent.filter(({ text }) => text.includes("record_revisions"));
  assertEquals(compared.length, 1);
  for (const statement of compared) {
    for (const plan of await plansOf(world, statement)) assertSeeks(plan, statement.text);
  }
});
