// engines: postgres
/** The import of legacy records. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname } from "node:path";
import { decodeTime, ulid } from "@std/ulid";
import { DiskRoom } from "../../src/command/write_limits.ts";
import type { AdminServices } from "../../src/operator/admin/runner.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import type { Database } from "../../src/database/database.ts";
import {
  assertWritesNothing,
  COMMITMENT,
  readPage,
  setMaintenance,
  tableCounts,
  walkPages,
} from "../http/kernel.ts";
import { introduce } from "../families/identity/api.ts";
import { keepRecords, newLegacyRecords } from "../http/legacy.ts";
import { type LegacyRecord, toImportFile } from "../support/legacy_records.ts";
import { Markers } from "../support/markers.ts";
import { type Caller, createWorld, fileWorld, type Json, type World } from "../support/world.ts";
import { emailOf, refusalOf, servicesOf } from "./operator.ts";
import { assertIndexed } from "./search_rows.ts";
import { countStatements } from "./sent_statements.ts";

const world = fileWorld();

function newRecords(count: number, of: World = world()): LegacyRecord[] {
  return newLegacyRecords(of, count);
}

/** Imports as the operator's command does. */
async function importText(
  caller: Caller,
  text: string,
  { of = world(), ...services }: Partial<AdminServices> & { readonly of?: World } = {},
): Promise<string> {
  const file = `${ulid()}.jsonl`;
  await Deno.writeTextFile(`${dirname(of.objectFolder)}/${file}`, text);
  const command = { command: "legacy import", owner: emailOf(caller), file } as const;
  return (await runAdminCommand({ ...servicesOf(of), ...services }, command)).join("\n");
}

/** Reads every part. */
async function exportOf(caller: Caller): Promise<Json[]> {
  const records: Json[] = [];
  let query = "limit=7";
  while (true) {
    const response = await caller.call("GET", `/api/v1/identity/export?${query}`);
    assertEquals(response.status, 200, response.text);
    records.push(...response.body.data.records);
    const { nextCursor } = response.body.data;
    if (nextCursor === null) return records;
    query = `limit=7&cursor=${nextCursor}`;
  }
}

Deno.test("An export of version 1 is imported equal, record by record", async () => {
  const [one, other] = [await world().createCaller(), await world().createCaller()];
  const kept = await keepRecords(world(), one, "identity", 25);
  const exported = await exportOf(one);
  assertEquals(exported, kept.toReversed());
  const said = await importText(other, toImportFile(exported));
  assertEquals(said, "Imported 25 records; 0 records of the file already existed");
  assertEquals(await exportOf(other), exported);
  // Generic reads show them, with their import.
  const list = await walkPages(other, "/api/v2/records/identity", { archived: "include" });
  for (const [index, record] of list.flat().entries()) {
    const { recordId, revisions } = exported[index];
    const newest = revisions.at(-1);
    assertEquals(record, {
      recordId,
      moduleCode: "identity",
      title: newest.title,
      summary: newest.summary,
      payload: newest.payload,
      revision: revisions.length,
      sourceType: "IMPORT",
      recordedAt: world().now().toISOString(),
      createdAt: revisions[0].createdAt,
      updatedAt: newest.createdAt,
      archivedAt: newest.archivedAt,
      localTimes: {},
      attachmentIds: [],
    });
    if (index % 5 > 0) continue;
    const path = `/api/v2/records/identity/${recordId}/revisions`;
    const history = (await walkPages(other, path)).flat().reverse();
    for (const { revisionId, createdAt } of history) {
      assertEquals(decodeTime(revisionId), Date.parse(createdAt));
    }
    assertEquals(
      history.map(({ revisionId: _id, recordId: _record, ...revision }) => revision),
      revisions.map((revision: Json) => ({ ...revision, localTimes: {} })),
    );
  }
});

/** Finds markers in the log and other ledgers. */
async function toldOf(markers: Markers, { log, rows }: World): Promise<string[]> {
  const tables = ["access_events", "audit_entries", "executions", "idempotency_envelopes"];
  const texts = await Promise.all(
    tables.map((table) => rows(`select string_agg(t::text, ' ') as text from ${table} t`)),
  );
  return markers.in(JSON.stringify([log, texts]));
}

Deno.test("An import leaves one audit entry and index row per record, no envelope, and reveals no content", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const markers = new Markers();
  const records = newRecords(5, own);
  for (const { revisions } of records) {
    for (const revision of revisions) {
      revision.title = markers.make("title");
      revision.summary = markers.make("summary");
      revision.payload = { displayName: markers.make("name"), tags: [markers.make("tag")] };
    }
  }
  const before = await tableCounts(own);
  const said = await importText(caller, toImportFile(records), { of: own });
  assertEquals(markers.in(said), []);
  const after = await tableCounts(own);
  const grown = Object.keys(after).filter((table) => after[table] !== before[table]);
  assertEquals(grown, [
    "audit_entries",
    "record_order",
    "record_revisions",
    "records",
    "search_index",
  ]);
  await assertIndexed(own);
  const { accountId } = caller;
  const { items } = await readPage(caller, "/api/v2/audit");
  const entries = items.map(({ auditId: _id, requestId: _request, ...entry }) => entry);
  assertEquals(
    entries.sort((a, b) => a.subjectId < b.subjectId ? -1 : 1),
    records.sort((a, b) => a.recordId < b.recordId ? -1 : 1).map(({ recordId, revisions }) => ({
      actorId: accountId,
      credentialKind: "ADMIN",
      credentialId: accountId,
      operation: "legacy.import",
      moduleCode: "identity",
      subjectId: recordId,
      revision: revisions.length,
      createdAt: own.now().toISOString(),
    })),
  );
  assertEquals(new Set(items.map(({ requestId }) => requestId)).size, 1);
  assertEquals(await toldOf(markers, own), []);
});

Deno.test("Existing records with equal revisions are skipped", async () => {
  const caller = await world().createCaller();
  const records = newRecords(10);
  await importText(caller, toImportFile(records.slice(0, 4)));
  assertEquals(
    await importText(caller, toImportFile(records)),
    "Imported 6 records; 4 records of the file already existed",
  );
  await assertWritesNothing(world(), async () => {
    // Equal JSON in another order and time format.
    const reordered = records.map(({ recordId, revisions }) => ({
      revisions: revisions.map(({ payload, createdAt, ...others }) => ({
        createdAt: createdAt.replace("Z", "+00:00"),
        ...others,
        payload: Object.fromEntries(Object.entries(payload).reverse()),
      })),
      recordId,
    }));
    assertEquals(
      await importText(caller, toImportFile(reordered as Json)),
      "Nothing was changed: the account already has all of the file's 10 records",
    );
    assertEquals(await importText(caller, ""), "Nothing was changed: the file contains no records");
  });
});

/** Writes nothing. */
function refusedImport(caller: Caller, text: string): Promise<string | null> {
  return assertWritesNothing(world(), () => refusalOf(importText(caller, text)));
}

Deno.test("One invalid line rejects the whole file, with its number and rules only", async () => {
  const caller = await world().createCaller();
  const markers = new Markers();
  const [broken] = newRecords(1);
  assert(broken?.revisions[0] !== undefined);
  broken.revisions[0].revision = 7;
  broken.revisions[0].title = markers.make("title");
  const text = toImportFile([...newRecords(3), broken, ...newRecords(2)]);
  const refusal = await refusedImport(caller, text);
  assertEquals(refusal, "Nothing was imported: line 4 breaks revisions.numbers");
  const garbled = `${toImportFile(newRecords(1))}${markers.make("text")}\n`;
  const syntax = await refusedImport(caller, garbled);
  assertEquals(syntax, "Nothing was imported: line 2 breaks json.syntax");
  assertEquals(markers.in(`${refusal} ${syntax}`), []);
  assertEquals(await toldOf(markers, world()), []);
});

Deno.test("A taken or repeated identifier rejects the whole file", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const [kept, longer, otherwise, elsewhere] = newRecords(4);
  assert(kept && longer && otherwise && elsewhere);
  await importText(caller, toImportFile([kept, longer]));
  await importText(other, toImportFile([elsewhere]));
  const { recordId } = await caller.create("commitment", COMMITMENT);
  const commitment = { ...otherwise, recordId };
  for (const revision of commitment.revisions) revision.createdAt = world().now().toISOString();
  commitment.revisions.length = 1;
  const changed = structuredClone(kept);
  Object.assign(changed.revisions.at(-1) ?? {}, { title: "Another title" });
  const shorter = structuredClone(longer);
  shorter.revisions.push({
    ...shorter.revisions.at(-1) as Json,
    revision: shorter.revisions.length + 1,
    change: "MODIFIED",
  });
  const { createdAt, profileId } = await introduce(caller);
  const profile: LegacyRecord = {
    recordId: profileId,
    revisions: commitment.revisions.map((revision) => ({ ...revision, createdAt })),
  };
  const taken = "Nothing was imported: line 3 breaks record_id.taken";
  for (const record of [changed, shorter, commitment, profile]) {
    const text = toImportFile([...newRecords(2), record, ...newRecords(1)]);
    assertEquals(await refusedImport(caller, text), taken, record.recordId);
  }
  const twice = toImportFile([...newRecords(1), elsewhere, elsewhere]);
  assertEquals(
    await refusedImport(caller, twice),
    "Nothing was imported: line 3 breaks record_id.repeated",
  );
  // Other owners' identifiers do not matter.
  assertMatch(await importText(caller, toImportFile([elsewhere])), /^Imported 1 record; /);
});

/** Something happens just before the first write. */
function beforeWriting(database: Database, act: () => Promise<unknown>): Database {
  return {
    ...database,
    async transaction(use) {
      await act();
      return await database.transaction(use);
    },
  };
}

Deno.test("A file that changes between its two readings is rejected", async () => {
  const caller = await world().createCaller();
  const folder = dirname(world().objectFolder);
  const records = newRecords(6);
  const changes: readonly [string, string][] = [
    [toImportFile(records.slice(1)), "the file changed during the import"],
    [toImportFile(newRecords(6)), "the file changed during the import"],
    [`${toImportFile(records)} `, "line 7 breaks json.syntax"],
    ["", "the file changed during the import"],
  ];
  for (const [text, why] of changes) {
    const path = `${folder}/changing.jsonl`;
    await Deno.writeTextFile(path, toImportFile(records));
    const database = beforeWriting(world().database, () => Deno.writeTextFile(path, text));
    const command = {
      command: "legacy import",
      owner: emailOf(caller),
      file: "changing.jsonl",
    } as const;
    await assertWritesNothing(world(), async () => {
      const running = runAdminCommand({ ...servicesOf(world()), database }, command);
      assertEquals(await refusalOf(running), `Nothing was imported: ${why}`);
    });
  }
});

Deno.test("Of two concurrent imports of one file the later is rejected, and later finds everything", async () => {
  const caller = await world().createCaller();
  const text = toImportFile(newRecords(6));
  const database = beforeWriting(world().database, () => importText(caller, text));
  assertEquals(
    await refusalOf(importText(caller, text, { database })),
    "Nothing was imported: another import created one of the records",
  );
  assertMatch(
    await importText(caller, text),
    /^Nothing was changed: the account already has all .* 6 records$/,
  );
});

Deno.test("Maintenance window rejects an import, also a running one", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const text = toImportFile(newRecords(2, own));
  const paused = "Writing is paused for maintenance";
  const database = beforeWriting(own.database, () => setMaintenance(own, true));
  await assertWritesNothing(own, async () => {
    assertEquals(await refusalOf(importText(caller, text, { of: own, database })), paused);
    assertEquals(await refusalOf(importText(caller, text, { of: own })), paused);
    assertEquals(await refusalOf(importText(caller, "", { of: own })), paused);
  });
  await setMaintenance(own, false);
  assertMatch(await importText(caller, text, { of: own }), /^Imported 2 records; /);
});

Deno.test("A full account and a nearly full disk reject an import with a reason", async () => {
  const caller = await world().createCaller();
  const text = toImportFile(newRecords(3));
  const full = { accountBytes: 10, assertDiskRoom: () => {} };
  const space = { free: 1, total: 1024 ** 4 };
  const room = new DiskRoom(() => space, world().now);
  const nearlyFull = { accountBytes: null, assertDiskRoom: () => room.assertRoom() };
  const refusals = [
    [full, "The account has no storage left"],
    [nearlyFull, "The disk is nearly full"],
  ] as const;
  for (const [limits, why] of refusals) {
    await assertWritesNothing(world(), async () => {
      assertEquals(await refusalOf(importText(caller, text, { limits })), why);
    });
  }
  assertMatch(await importText(caller, text), /^Imported 3 records; /);
});

Deno.test("An import finds its account by email, and rejects a disabled one", async () => {
  const caller = await world().createCaller();
  const text = toImportFile(newRecords(1));
  const nobody = { ...caller, accountId: ulid() };
  assertEquals(await refusedImport(nobody, text), "No account has this email");
  await world().raw(
    `update accounts set disabled_at = now() where account_id = '${caller.accountId}'`,
  );
  assertEquals(await refusedImport(caller, text), "The account is disabled");
});

Deno.test("An import uses one statement for many records, and reports its progress", async () => {
  const caller = await world().createCaller();
  const records = newRecords(400);
  const { database, sent } = countStatements(world().database);
  const told: string[] = [];
  const file = "many.jsonl";
  const text = toImportFile(records);
  await Deno.writeTextFile(`${dirname(world().objectFolder)}/${file}`, text);
  const command = { command: "legacy import", owner: emailOf(caller), file } as const;
  const services = { ...servicesOf(world()), database };
  await runAdminCommand(services, command, (progress) => told.push(progress));
  const batches = Math.ceil(text.length / (512 * 1024)) + 1;
  assertEquals([sent.transactions, sent.writes], [1, 0]);
  // Per batch a look-up and two inserts; account, window and claim once.
  assert(sent.statements <= 3 * batches + 3, `${sent.statements} statements`);
  assertEquals(told.filter((text) => /^400 (lines checked|records written)$/.test(text)).length, 2);
});
