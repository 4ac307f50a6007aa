/** Order, filters, limit and cursors. Rows are written past the service. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { FILTERED_PAGE_BUDGET } from "../../src/database/walk.ts";
import { insertInto, type Row } from "../storage/rows.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { remember, withPermissions } from "../families/memory/api.ts";
import { assertInvalid, COMMITMENT, pathOf, readPage, walkPages } from "./kernel.ts";

const world = sharedWorld();

const AUDIT = "/api/v2/audit";
const OPERATIONS = ["record.create", "record.modify", "attachment.create"];
const MODULES = ["commitment", "health", "ai-agent"];

/** Few subjects, modules and operations. */
function randomEntry(owner: string, subjects: readonly string[], random: Random): Row {
  const operation = random.pick(OPERATIONS);
  const isRecord = operation !== "attachment.create";
  return {
    owner_id: owner,
    audit_id: random.ulid(),
    actor_id: owner,
    credential_kind: "SESSION",
    credential_id: random.ulid(),
    operation,
    module_code: isRecord ? random.pick(MODULES) : null,
    subject_id: random.chance(0.9) ? random.pick(subjects) : null,
    revision: isRecord ? random.integer(1, 9) : null,
    request_id: random.ulid(),
    created_at: "2026-11-20T12:00:00.000Z",
  };
}

function toItem(row: Row): Json {
  return {
    auditId: row.audit_id,
    actorId: row.actor_id,
    credentialKind: row.credential_kind,
    credentialId: row.credential_id,
    operation: row.operation,
    moduleCode: row.module_code,
    subjectId: row.subject_id,
    revision: row.revision,
    requestId: row.request_id,
    createdAt: row.created_at,
  };
}

function randomFilter(subjects: readonly string[], random: Random): Record<string, string> {
  const filter: Record<string, string> = {};
  if (random.chance(0.4)) filter.operation = random.pick([...OPERATIONS, "record.unknown"]);
  if (random.chance(0.4)) filter.moduleCode = random.pick([...MODULES, "routine"]);
  if (random.chance(0.4)) filter.subjectId = random.pick([...subjects, random.ulid()]);
  return filter;
}

Deno.test("GET audit walks random entries as the model does, without gaps or repetitions", async () => {
  for (const seed of [1, 2, 3]) {
    const random = seededRandom(seed);
    const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
    const subjects = Array.from({ length: 5 }, () => random.ulid());
    const entries = Array.from(
      { length: 120 },
      () => randomEntry(caller.accountId, subjects, random),
    );
    const foreign = entries.map(() => randomEntry(stranger.accountId, subjects, random));
    await world().raw(
      [...entries, ...foreign].map((row) => insertInto("audit_entries", row)).join(""),
    );
    const items = entries.map(toItem).sort((a, b) => a.auditId < b.auditId ? 1 : -1);
    for (let run = 0; run < 40; run++) {
      const filter = randomFilter(subjects, random);
      const limit = random.integer(1, 60);
      const kind: Record<string, string> = random.chance(0.5) ? { kind: "audit" } : {};
      const pages = await walkPages(caller, AUDIT, { ...filter, ...kind, limit: String(limit) });
      const expected = items.filter((item) =>
        Object.entries(filter).every(([name, value]) => item[name] === value)
      );
      const label = `seed ${seed}, run ${run}: ${new URLSearchParams(filter)} limit ${limit}`;
      assertEquals(pages.flat(), expected, label);
      // Only full pages with more entries have a next page.
      assertEquals(pages.length, Math.max(1, Math.ceil(expected.length / limit)), label);
      for (const page of pages.slice(0, -1)) assertEquals(page.length, limit, label);
    }
  }
});

/** Numbers ascend with time; expressions may use `i`. */
async function seed(
  { accountId }: Caller,
  count: number,
  columns: { operation?: string; module?: string; subject?: string },
): Promise<void> {
  const { operation = "'o'", module = "null", subject = "null" } = columns;
  await world().raw(`
    insert into audit_entries (owner_id, audit_id, actor_id, credential_kind, credential_id,
                               operation, module_code, subject_id, revision, request_id, created_at)
      select '${accountId}', '01KA' || lpad(i::text, 22, '0'), '${accountId}', 'SESSION',
             '${accountId}', ${operation}, ${module}, ${subject}, i, 'request', now()
        from generate_series(1, ${count}) i`);
}

function revisions(items: readonly Json[]): number[] {
  return items.map((item) => item.revision);
}

Deno.test("GET audit returns 50 entries by default", async () => {
  const caller = await world().createCaller();
  await seed(caller, 51, {});
  const first = await readPage(caller, AUDIT);
  assertEquals([first.items.length, first.nextCursor], [50, first.items[49].auditId]);
  const rest = await readPage(caller, AUDIT, { cursor: first.nextCursor ?? "" });
  assertEquals([revisions(rest.items), rest.nextCursor], [[1], null]);
  assertEquals((await readPage(caller, AUDIT, { limit: "100" })).items.length, 51);
});

Deno.test("GET audit ends a filtered page after 5,000 entries and continues from there", async () => {
  const caller = await world().createCaller();
  const subject = ulid();
  // Matches at both ends and in the middle.
  const at = (found: string, other: string) =>
    `case when i in (1, 6000, 12000) then ${found} else ${other} end`;
  await seed(caller, 12_000, {
    operation: at("'record.create'", "'record.modify'"),
    module: at("'health'", "'commitment'"),
    subject: at(`'${subject}'`, "null"),
  });
  const filters: Record<string, string>[] = [
    { operation: "record.create" },
    { moduleCode: "health" },
    { subjectId: subject },
    { operation: "record.create", moduleCode: "health", subjectId: subject },
  ];
  for (const filter of filters) {
    const pages = await walkPages(caller, AUDIT, filter);
    assertEquals(pages.map(revisions), [[12000], [6000], [1]], `${new URLSearchParams(filter)}`);
  }
  const unfiltered = await readPage(caller, AUDIT, { limit: "2" });
  assertEquals(revisions(unfiltered.items), [12000, 11999]);
});

Deno.test("GET audit uses the last examined entry as the cursor of a short page", async () => {
  const caller = await world().createCaller();
  await seed(caller, FILTERED_PAGE_BUDGET + 1, {});
  const filter = { operation: "record.create" };
  const newest = await readPage(caller, AUDIT, filter);
  assertEquals(newest, { items: [], nextCursor: `01KA${"2".padStart(22, "0")}` });
  const rest = await readPage(caller, AUDIT, { ...filter, cursor: newest.nextCursor ?? "" });
  assertEquals(rest, { items: [], nextCursor: null });
});

Deno.test("GET audit keeps a cursor valid with other filters and after later entries", async () => {
  const caller = await world().createCaller();
  await seed(caller, 4, { operation: "'record.modify'" });
  const { nextCursor } = await readPage(caller, AUDIT, { limit: "2" });
  await caller.create("commitment", COMMITMENT);
  const cursor = nextCursor ?? "";
  assertEquals(revisions((await readPage(caller, AUDIT, { cursor })).items), [2, 1]);
  const other = await readPage(caller, AUDIT, { cursor, operation: "record.create" });
  assertEquals(other, { items: [], nextCursor: null });
});

Deno.test("GET audit rejects a cursor that is not one of the owner's entries", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const record = await caller.create("commitment", COMMITMENT);
  await stranger.create("commitment", COMMITMENT);
  const [foreign] = (await readPage(stranger, AUDIT)).items;
  for (const cursor of [ulid(), record.recordId, foreign.auditId]) {
    for (const filter of ["", "&moduleCode=commitment"]) {
      const response = await caller.call("GET", `${AUDIT}?cursor=${cursor}${filter}`);
      assertInvalid(response, ["cursor.unknown"], ["cursor"], `${cursor}${filter}`);
    }
  }
});

const REFUSED: readonly [query: string, rules: string, fields: readonly string[]][] = [
  ["limit=0", "field.range", ["limit"]],
  ["limit=101", "field.range", ["limit"]],
  ["limit=1e1", "field.type", ["limit"]],
  ["cursor=x", "field.identifier", ["cursor"]],
  ["kind=everything", "field.option", ["kind"]],
  ["kind=", "field.option", ["kind"]],
  ["moduleCode=novel", "field.option", ["moduleCode"]],
  ["moduleCode=Health", "field.option", ["moduleCode"]],
  ["moduleCode=", "field.option", ["moduleCode"]],
  ["subjectId=x", "field.identifier", ["subjectId"]],
  ["operation=", "field.blank", ["operation"]],
  [`operation=${"x".repeat(101)}`, "field.length", ["operation"]],
  ["operation=a%0Ab", "field.control_character", ["operation"]],
  ["operation=a%00b", "json.text field.control_character", ["operation"]],
  ["titles=yes", "field.option", ["titles"]],
  ["kind=access&titles=true", "filter.field", ["titles"]],
  ["ownerId=01KA0000000000000000000000", "undeclared_field", ["ownerId"]],
  ["limit=1&limit=1", "query.repeated", ["limit"]],
];

for (const [query, rules, fields] of REFUSED) {
  Deno.test(`GET audit rejects ${query.slice(0, 40)}`, async () => {
    const caller = await world().createCaller();
    assertInvalid(await caller.call("GET", `${AUDIT}?${query}`), rules.split(" "), fields);
  });
}

Deno.test("GET audit accepts each module of the catalog as a filter", async () => {
  const caller = await world().createCaller();
  for (const { code } of CATALOG.modules) {
    const page = await readPage(caller, AUDIT, { moduleCode: code });
    assertEquals(page, { items: [], nextCursor: null }, code);
  }
});

Deno.test("GET audit adds present titles on request, but no guarded ones and none of others", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const record = await caller.create("commitment", COMMITMENT, "Water");
  await remember(caller, { title: "Open memory" });
  await remember(caller, { title: "Secret memory", privacyLevel: "SECRET" });
  const patched = await caller.call("PATCH", pathOf(record), { body: { title: "Water it" } });
  assertEquals(patched.status, 200, patched.text);
  // An entry that names the record of another account.
  await world().raw(insertInto("audit_entries", {
    ...randomEntry(stranger.accountId, [record.recordId], seededRandom(5)),
    subject_id: record.recordId,
    module_code: "commitment",
  }));
  const titlesOf = async (reader: Caller) => {
    const { items } = await readPage(reader, AUDIT, { titles: "true" });
    return items.map(({ operation, title }) => `${operation} ${title}`).sort();
  };
  const records = ["record.create Water it", "record.modify Water it"];
  assertEquals(await titlesOf(caller), [
    "memory.create Open memory",
    "memory.create null",
    ...records,
  ]);
  assert((await titlesOf(stranger)).every((text) => text.endsWith(" null")));
  // A token without `memory.read` does not see titles of memories.
  const reader = await withPermissions(world(), caller, "audit.read", "record.read");
  assertEquals(await titlesOf(reader), ["memory.create null", "memory.create null", ...records]);
  for (const query of [{}, { titles: "false" }]) {
    const { items } = await readPage(caller, AUDIT, query);
    assert(items.every((item) => !Object.hasOwn(item, "title")));
  }
});
