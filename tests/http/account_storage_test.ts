/** The storage limit: rejected and accepted requests. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { ulid } from "@std/ulid";
import { CommandRunner } from "../../src/command/runner.ts";
import { NO_LIMITS } from "../../src/command/write_limits.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { completeProposal } from "../../src/families/relationship/evaluation_work.ts";
import { upload } from "../support/attachments.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, fileWorld, type TestResponse } from "../support/world.ts";
import { askForExport, exportAccount, fetchContent, importFile } from "./account.ts";
import {
  ANSWER,
  claim,
  propose,
  READY_SECONDS,
  shown,
} from "../families/relationship/evaluation.ts";
import { assertFailure, COMMITMENTS, pathOf } from "./kernel.ts";
import { DRAFTS, EXPORTS, MEMORY, post, remember, TEXTS } from "../families/memory/api.ts";
import { createPerson, EXPERIENCE, personPath } from "../families/relationship/api.ts";
import { fillStorage, recordOf } from "./storage.ts";

const LIMIT = 400_000;
const world = fileWorld({ accountStorageBytes: LIMIT });

function assertFull(response: TestResponse): void {
  assertEquals(assertFailure(response, "ACCOUNT_STORAGE_FULL"), { limit: LIMIT });
}

function create(caller: Caller, characters: number): Promise<TestResponse> {
  return caller.call("POST", COMMITMENTS, { key: ulid(), body: recordOf(characters) });
}

/** Too full for even a small record. */
async function fullCaller(): Promise<Caller> {
  const caller = await world().createCaller();
  for (const characters of [50_000, 1_000, 1]) assertFull(await fillStorage(caller, characters));
  return caller;
}

/** The caller at an application with a limit ten times as high. */
function roomy(caller: Caller): Caller {
  return callerOf(world().again({ accountStorageBytes: 10 * LIMIT }), caller);
}

async function countOf(table: string, { accountId }: Caller): Promise<number> {
  const rows = await world().rows(`select 1 from ${table} where owner_id = '${accountId}'`);
  return rows.length;
}

Deno.test("Each byte of a record counts one to ten times, and a write beyond the limit is rejected", async () => {
  const caller = await world().createCaller();
  assertFull(await fillStorage(caller, 20_000));
  const kept = await countOf("records", caller) * 20_000;
  assert(kept <= LIMIT && kept >= LIMIT / 10, `${kept} bytes were accepted`);
});

Deno.test("An account reads what it stores, by the sums that its limits use", async () => {
  const caller = await world().createCaller();
  const read = async () => (await caller.call("GET", "/api/v2/account/storage")).body.data;
  const files = { bytes: 0, limit: 10 * 1024 ** 3 };
  assertEquals((await read()).files, files);
  const before = (await read()).content.bytes;
  await create(caller, 5_000);
  assertEquals((await upload(caller, "six by")).status, 201);
  const { content, files: after } = await read();
  const [row] = await world().rows(
    `select sum(bytes)::float8 as bytes from account_storage where owner_id = '${caller.accountId}'`,
  );
  assertEquals(content, { bytes: row.bytes, limit: LIMIT });
  assert(content.bytes - before >= 5_000);
  assertEquals(after, { ...files, bytes: 6 });
});

Deno.test("Each byte of a memory and its revisions counts one to ten times", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { originalContent: "ä".repeat(20_000) });
  const revise = (revision: number) =>
    post(caller, `${TEXTS}/${memory.memoryId}/revisions`, {
      currentContent: `${revision}${"ä".repeat(20_000)}`,
      expectedRevision: revision,
    });
  let revision = 1;
  let answer = await revise(revision);
  while (answer.status < 300 && revision < 50) answer = await revise(++revision);
  assertFull(answer);
  const kept = revision * 40_000;
  assert(kept <= LIMIT && kept >= LIMIT / 10, `${kept} bytes were accepted`);
});

Deno.test("A change beyond the limit is rejected and leaves nothing", async () => {
  const caller = await world().createCaller();
  const record = (await create(caller, 10)).body.data;
  const change = (expectedRevision: number) => {
    const { payload } = recordOf(90_000);
    const notes = `${expectedRevision}${"ä".repeat(50_000)}`;
    const body = { payload: { ...payload, notes }, expectedRevision };
    return caller.call("PATCH", pathOf(record), { key: ulid(), body });
  };
  let revision = 1;
  let answer = await change(revision);
  while (answer.status === 200 && revision < 50) answer = await change(++revision);
  assertFull(answer);
  assertEquals((await caller.call("GET", pathOf(record))).body.data.revision, revision);
  for (const table of ["record_revisions", "audit_entries", "idempotency_envelopes"]) {
    assertEquals(await countOf(table, caller), revision, table);
  }
});

Deno.test("A full account rejects additions of every family", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  for (const characters of [50_000, 1_000, 1]) assertFull(await fillStorage(caller, characters));
  const note = "a".repeat(1_000);
  assertFull(await post(caller, TEXTS, { ...MEMORY, originalContent: note }));
  assertFull(
    await caller.call("PUT", `${DRAFTS}/${ulid()}`, {
      body: { draftVersion: 1, content: { originalContent: note } },
    }),
  );
  const experience = { ...EXPERIENCE, narrative: note };
  assertFull(await post(caller, personPath(known, "/experiences"), experience));
  assertFull(await post(caller, "/api/v2/taxonomy/tags", { name: "Garden", description: note }));
  assertFull(
    await post(caller, "/api/v2/resource/resources", {
      resourceType: "TIME",
      name: "Evenings",
      notes: note,
    }),
  );
});

Deno.test("A full account still reads, searches, exports, uploads and replays", async () => {
  const caller = await world().createCaller();
  const [key, body] = [ulid(), { ...recordOf(20), title: "The first" }];
  const first = await caller.call("POST", COMMITMENTS, { key, body });
  for (const characters of [50_000, 1_000, 1]) assertFull(await fillStorage(caller, characters));
  const replay = await caller.call("POST", COMMITMENTS, { key, body });
  assertEquals([replay.status, replay.body.data], [201, first.body.data]);
  const paths = [pathOf(first.body.data), COMMITMENTS, "/api/v2/changes", "/api/v2/audit"];
  for (const path of paths) assertEquals((await caller.call("GET", path)).status, 200, path);
  const found = await caller.call("POST", "/api/v2/search", { body: { q: "first" } });
  assertEquals([found.status, found.body.data.items.length], [200, 1], found.text);

  const exported = await askForExport(world(), caller);
  assertEquals(exported.status, 201, exported.text);
  const content = await fetchContent(world(), caller, exported.body.data.exportId);
  assertEquals([content.status, (await content.bytes()).length > LIMIT / 2], [200, true]);
  assertEquals((await post(caller, EXPORTS, { format: "JSON" })).status, 201);
  const resources = { format: "CSV", dataset: "RESOURCES" };
  assertEquals((await post(caller, "/api/v2/resource/exports", resources)).status, 201);

  // Attachments have their own limit.
  assertEquals((await upload(caller, "a file")).status, 201);
  await makeToken(world(), caller);
  assertEquals((await create(await world().createCaller(), 1_000)).status, 201);
  assertEquals((await caller.call("POST", "/api/v2/auth/logout")).status, 200);
});

Deno.test("A draft counts with its current content, however often it is saved", async () => {
  const caller = await world().createCaller();
  const path = `${DRAFTS}/${ulid()}`;
  for (let version = 1; version <= 30; version++) {
    const content = { originalContent: `${version} ${"a".repeat(90_000)}` };
    const answer = await caller.call("PUT", path, { body: { draftVersion: version, content } });
    assert(answer.status < 300, `${version}: ${answer.text}`);
  }
  const content = { originalContent: "" };
  assert((await caller.call("PUT", path, { body: { draftVersion: 31, content } })).status < 300);
  const [{ bytes }] = await world().rows(
    `select sum(bytes)::integer as bytes from account_storage where owner_id = '${caller.accountId}'`,
  );
  assert(bytes > 0 && bytes < 1_000, `${bytes} bytes are counted`);
});

Deno.test("A rejected write keeps its key: it succeeds under it with a higher limit", async () => {
  const caller = await fullCaller();
  const [key, body] = [ulid(), recordOf(60_000)];
  assertFull(await caller.call("POST", COMMITMENTS, { key, body }));
  assertEquals((await roomy(caller).call("POST", COMMITMENTS, { key, body })).status, 201);
});

Deno.test("The evaluation worker's writes count, and are rejected by code", async () => {
  const caller = await world().createCaller();
  const proposal = await propose(caller, await createPerson(caller));
  await fillStorage(caller);
  const claimed = await claim(world(), proposal);
  const commands = new CommandRunner(world().database, { ...NO_LIMITS, accountBytes: LIMIT });
  const services = { database: world().database, commands };
  const readiness = { now: world().now(), readySeconds: READY_SECONDS };
  const candidate = "a".repeat(50_000);
  const refused = await assertRejects(
    () => completeProposal(services, claimed, { ...ANSWER, candidate }, readiness),
    ServiceError,
  );
  assertEquals([refused.code, refused.details], ["ACCOUNT_STORAGE_FULL", { limit: LIMIT }]);
  assertEquals((await shown(caller, proposal)).state, "REQUESTED");
});

Deno.test("An import beyond the limit is rejected as a whole", async () => {
  const giver = await world().createCaller();
  for (let count = 0; count < 6; count++) await create(roomy(giver), 90_000);
  const { bytes } = await exportAccount(world(), giver);
  const caller = await world().createCaller();
  assertFull(await importFile(caller, bytes.slice()));
  assertEquals([await countOf("records", caller), await countOf("audit_entries", caller)], [0, 0]);
  assertEquals((await importFile(roomy(caller), bytes.slice())).status, 200);
  assertFull(await create(caller, 1));
});
