/** Responses about erased roots. `tests/process/erasure_test.ts` has the erasure itself. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { newId } from "../../src/core/ids.ts";
import { DRAFTS, MEMORY, remember, TEXTS, withPermissions } from "../families/memory/api.ts";
import { ASSIGNMENTS, CATEGORIES, tag, TAGS } from "../families/taxonomy/api.ts";
import { newProposal } from "../storage/assistant_rows.ts";
import { insertInto, type Row } from "../storage/rows.ts";
import { fileOf } from "../support/account_file.ts";
import { putThumbnail, uploaded } from "../support/attachments.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import { exportAccount, importFile, linesOf } from "./account.ts";
import { assertFailure, COMMITMENT } from "./kernel.ts";

const world = fileWorld();

/** Stores a subject as erased. */
async function erase(
  { accountId }: Caller,
  subject_id: string,
  module_code: string | null,
): Promise<string> {
  await world().raw(insertInto("erased_subjects", {
    owner_id: accountId,
    subject_id,
    module_code,
    certificate_id: ulid(),
    erased_at: world().now().toISOString(),
  }));
  return subject_id;
}

Deno.test("Erased root is 410 with its module at each of its addresses, and nowhere else", async () => {
  const caller = await world().createCaller();
  const [memory, record] = [ulid(), ulid()];
  await erase(caller, memory, "memory");
  await erase(caller, record, "commitment");
  const gone = [
    `${TEXTS}/${memory}`,
    `${TEXTS}/${memory}/slices`,
    `${TEXTS}/${memory}/revisions/1`,
    `/api/v2/records/memory/${memory}`,
    `/api/v2/records/memory/${memory}/revisions`,
  ];
  for (const path of gone) {
    const details = assertFailure(await caller.call("GET", path), "RECORD_ERASED");
    assertEquals(details, { moduleCode: "memory" }, path);
  }
  const body = { expectedRevision: 1 };
  const archive = await caller.call("POST", `${TEXTS}/${memory}/archive`, { key: ulid(), body });
  assertFailure(archive, "RECORD_ERASED");
  const patched = await caller.call("PATCH", `/api/v2/records/commitment/${record}`, {
    body: { title: "A" },
  });
  assertEquals(assertFailure(patched, "RECORD_ERASED"), { moduleCode: "commitment" });

  const other = await world().createCaller();
  assertFailure(await other.call("GET", `${TEXTS}/${memory}`), "RECORD_NOT_FOUND");
  for (const path of [`${TAGS}/${memory}`, `/api/v2/records/media/${memory}`]) {
    assertFailure(await caller.call("GET", path), "RECORD_NOT_FOUND");
  }
  const reader = await withPermissions(world(), caller, "record.read");
  assertFailure(await reader.call("GET", `${TEXTS}/${memory}`), "FORBIDDEN");
});

Deno.test("Erased identifier in a body is an unknown one", async () => {
  const caller = await world().createCaller();
  const record = await erase(caller, ulid(), "commitment");
  const { termId } = await tag(caller, "A tag");
  const body = { termId, moduleCode: "commitment", recordId: record };
  const assigned = await caller.call("POST", ASSIGNMENTS, { key: ulid(), body });
  assertFailure(assigned, "RECORD_NOT_FOUND");
});

Deno.test("Erased attachment is 410 without details, and an erased draft is not saved again", async () => {
  const caller = await world().createCaller();
  const attachment = await erase(caller, ulid(), null);
  for (const below of ["", "/content", "/thumbnail"]) {
    const path = `/api/v2/attachments/${attachment}${below}`;
    assertEquals(assertFailure(await caller.call("GET", path), "RECORD_ERASED"), undefined);
  }
  assertFailure(await putThumbnail(caller, attachment), "RECORD_ERASED");
  const draft = `${DRAFTS}/${await erase(caller, ulid(), "memory")}`;
  const body = { draftVersion: 1, content: { title: "Again" } };
  assertFailure(await caller.call("PUT", draft, { body }), "RECORD_ERASED");
  assertFailure(await caller.call("POST", `${draft}/commit`, { body: {} }), "RECORD_ERASED");
});

Deno.test("Category whose parent was erased is at the top, and takes children as others do", async () => {
  const caller = await world().createCaller();
  const parent = newId(world().now());
  const made = await caller.call("POST", CATEGORIES, { key: ulid(), body: { name: "Below" } });
  const lines = linesOf((await exportAccount(world(), caller)).bytes).slice(1, -1);
  const moved = lines.map((line: Json) =>
    line.type === "term"
      ? { ...line, parentId: parent, revisions: [{ ...line.revisions[0], parentId: parent }] }
      : line
  );
  const other = await world().createCaller();
  const refused = await importFile(other, new TextEncoder().encode(fileOf(moved)));
  assertEquals(refused.body.error.details.rules, ["import.reference"]);
  await erase(other, parent, "taxonomy");
  const imported = await importFile(other, new TextEncoder().encode(fileOf(moved)));
  assertEquals(imported.status, 200, imported.text);
  const { termId } = made.body.data;
  const [tree, top] = await Promise.all(
    [`${CATEGORIES}/tree`, `${CATEGORIES}?parentId=root`].map((path) => other.call("GET", path)),
  );
  for (const { body: { data: { items } } } of [tree, top].map((it) => it as Json)) {
    assertEquals(items.map((item: Json) => [item.termId, item.parentId]), [[termId, parent]]);
  }
  const body = { name: "Child", parentId: termId };
  const child = await other.call("POST", CATEGORIES, { key: ulid(), body });
  assertEquals(child.status, 201, child.text);
});

Deno.test("Import brings erased identifiers, and leaves out the rows that they name", async () => {
  const caller = await world().createCaller();
  const attachmentId = await uploaded(caller, "bytes of an attachment");
  const going = await remember(caller);
  const staying = await remember(caller);
  await caller.create("commitment", COMMITMENT);
  const whole = await exportAccount(world(), caller);
  const erasedLine = (subjectId: string, moduleCode: string | null) => ({
    type: "erased",
    subjectId,
    moduleCode,
    erasedAt: "2026-01-01T00:00:00.000Z",
    certificateId: going.memoryId,
  });
  const lines = [
    ...[erasedLine(going.memoryId, "memory"), erasedLine(attachmentId, null)]
      .sort((one, two) => one.subjectId < two.subjectId ? -1 : 1),
    ...linesOf(whole.bytes).slice(1, -1),
  ];
  const other = await world().createCaller();
  await erase(other, going.memoryId, "memory");
  const imported = await importFile(other, new TextEncoder().encode(fileOf(lines)));
  assertEquals(imported.status, 200, imported.text);
  const { erased, memory, record, attachment } = imported.body.data.counts;
  assertEquals([erased, memory, record, attachment], [1, 1, 2, 0]);
  assertFailure(await other.call("GET", `${TEXTS}/${going.memoryId}`), "RECORD_ERASED");
  assertFailure(await other.call("GET", `/api/v2/attachments/${attachmentId}`), "RECORD_ERASED");
  const kept = await other.call("GET", `${TEXTS}/${staying.memoryId}`);
  assertEquals(kept.body.data.title, MEMORY.title);

  const once = await exportAccount(world(), other);
  const third = await world().createCaller();
  assertEquals((await importFile(third, once.bytes.slice())).status, 200);
  const twice = await exportAccount(world(), third);
  assertEquals(new TextDecoder().decode(twice.bytes), new TextDecoder().decode(once.bytes));
});

Deno.test("Import leaves out what was proposed for an erased record, or accepted as it", async () => {
  const caller = await world().createCaller();
  const [going, staying] = [
    await caller.create("commitment", COMMITMENT),
    await caller.create("commitment", COMMITMENT),
  ];
  for (const { recordId } of [going, staying]) {
    const of = { kind: "CHANGE", target: recordId, expected_revision: 1 };
    await proposed(caller, {}, { state: "ACCEPTED", record_id: recordId, revision: 1 });
    await proposed(caller, of, { state: "REJECTED", target: recordId });
  }
  const whole = await exportAccount(world(), caller);
  const other = await world().createCaller();
  await erase(other, going.recordId, "commitment");
  const imported = await importFile(other, whole.bytes.slice());
  assertEquals(imported.status, 200, imported.text);
  const { record, assistantProposal } = imported.body.data.counts;
  assertEquals([record, assistantProposal], [1, 2]);
  const kept = await world().rows(`
    select p.target, e.record_id from assistant_proposals p
      join assistant_proposal_events e using (owner_id, proposal_id)
     where owner_id = '${other.accountId}' order by p.target nulls first`);
  const id = staying.recordId;
  assertEquals(kept, [{ target: null, record_id: id }, { target: id, record_id: null }]);
});

/** Stores a proposal and its decision. */
async function proposed(caller: Caller, columns: Row, decision: Row): Promise<void> {
  const [proposal_id, created_at] = [newId(world().now()), world().now().toISOString()];
  const row = newProposal(caller, { proposal_id, created_at, ...columns });
  await world().raw(
    insertInto("assistant_proposals", row) +
      insertInto("assistant_proposal_events", {
        owner_id: caller.accountId,
        proposal_id,
        decided_at: created_at,
        ...decision,
      }),
  );
}
