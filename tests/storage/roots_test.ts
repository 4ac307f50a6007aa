/** A root equals its newest revision, without gaps: rejected raw SQL. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import {
  insertInto,
  insertRecord,
  literal,
  newRoot,
  nextRoot,
  refusal,
  revisionOf,
  type Row,
  updateRoot,
} from "./rows.ts";

const world = sharedWorld();

/** Belongs to a new owner. */
async function storedRoot(columns: Row = {}): Promise<Row> {
  const { accountId } = await world().createCaller();
  const root = newRoot(accountId, columns);
  await world().raw(insertRecord(root));
  return root;
}

async function freshRoot(columns: Row = {}): Promise<Row> {
  const { accountId } = await world().createCaller();
  return newRoot(accountId, columns);
}

function step(root: Row, next: Row, ledger: Row = {}): string {
  return updateRoot(root, next) + insertInto("record_revisions", revisionOf(next, ledger));
}

async function assertRefusal(script: string, expected: string | null): Promise<void> {
  assertEquals(await refusal(world(), script), expected, script);
}

Deno.test("A root steps to its next revision together with its ledger row", async () => {
  const root = await storedRoot();
  const second = nextRoot(root, { title: "Another", archived_at: "2026-11-20T12:00:00.000Z" });
  const third = nextRoot(second, { summary: "More", archived_at: null });
  await assertRefusal(step(root, second, { change: "ARCHIVED" }), null);
  await assertRefusal(step(second, third, { change: "RESTORED" }), null);
});

Deno.test("A root may take several steps in one transaction, in any statement order", async () => {
  const root = await storedRoot();
  const second = nextRoot(root, { title: "Second" });
  const third = nextRoot(second, { title: "Third" });
  const ledger = insertInto("record_revisions", revisionOf(second)) +
    insertInto("record_revisions", revisionOf(third));
  await assertRefusal(ledger + updateRoot(root, second) + updateRoot(second, third), null);
});

Deno.test("A root may be inserted with its whole chain of revisions", async () => {
  const root = await freshRoot({ revision: 3 });
  const ledger = [1, 2, 3].map((revision) => {
    const own = revision === 3 ? {} : { revision_id: ulid() };
    const change = revision === 1 ? "CREATED" : "MODIFIED";
    return insertInto("record_revisions", revisionOf(root, { revision, change, ...own }));
  });
  await assertRefusal(insertInto("records", root) + ledger.join(""), null);
});

Deno.test("A root's revision steps by exactly one", async () => {
  const root = await storedRoot();
  for (const revision of [-1, 0, 1, 3, 2_147_483_647]) {
    await assertRefusal(updateRoot(root, { ...root, revision, title: "Changed" }), "PRS03");
  }
  await assertRefusal(
    `update records set revision = null where record_id = '${root.record_id}'`,
    "PRS03",
  );
});

Deno.test("A root's owner, identifier, module, source and creation are fixed", async () => {
  const root = await storedRoot();
  const { accountId: other } = await world().createCaller();
  const changes = {
    owner_id: other,
    record_id: ulid(),
    module_code: "health",
    source_type: "IMPORT",
    recorded_at: "2020-01-01T00:00:00.000Z",
    created_at: "2020-01-01T00:00:00.000Z",
  };
  for (const [column, value] of Object.entries(changes)) {
    const next = nextRoot(root, { [column]: value });
    await assertRefusal(step(root, next), "PRS04");
    await assertRefusal(updateRoot(root, { ...root, [column]: value }), "PRS04");
    const script = `set local session_replication_role = replica; ${updateRoot(root, next)}`;
    await assertRefusal(script, "PRS04");
  }
});

Deno.test("A root without its ledger row is rejected at COMMIT", async () => {
  const root = await freshRoot();
  await assertRefusal(insertInto("records", root), "23503 record_has_its_revision");
  const stored = await storedRoot();
  const next = nextRoot(stored, { title: "Changed" });
  await assertRefusal(updateRoot(stored, next), "23503 record_has_its_revision");
  const twice = nextRoot(next, { title: "Again" });
  const script = step(stored, next) + updateRoot(next, twice);
  await assertRefusal(script, "23503 record_has_its_revision");
});

Deno.test("A ledger ahead of its root is rejected at COMMIT", async () => {
  const root = await storedRoot();
  const ahead = insertInto("record_revisions", revisionOf(nextRoot(root)));
  await assertRefusal(ahead, "PRS05");
  await assertRefusal(`set constraints all immediate; ${ahead}`, "PRS05");
  const further = insertInto("record_revisions", revisionOf(nextRoot(nextRoot(root))));
  await assertRefusal(step(root, nextRoot(root)) + further, "PRS05");
});

Deno.test("A ledger row that differs from its root in any column is rejected at COMMIT", async () => {
  const differences: readonly Row[] = [
    { revision_id: ulid() },
    { title: "Other" },
    { title: "a title" },
    { summary: "Other" },
    { payload: `{"content":"y"}` },
    { payload: `{"content": "x"}` },
    { archived_at: "2026-11-20T12:00:00.000Z" },
    { created_at: "2026-11-20T12:00:00.001Z" },
  ];
  for (const difference of differences) {
    const root = await freshRoot();
    const created = insertInto("records", root) +
      insertInto("record_revisions", revisionOf(root, difference));
    await assertRefusal(created, "PRS05");
    const stored = await storedRoot();
    await assertRefusal(step(stored, nextRoot(stored), difference), "PRS05");
  }
});

Deno.test("A ledger row of another module than its root's is rejected at COMMIT", async () => {
  const root = await freshRoot();
  const other = { module_code: "health" };
  const created = insertInto("records", root) +
    insertInto("record_revisions", revisionOf(root, other));
  await assertRefusal(created, "PRS05");
  // Also if not the newest.
  const stored = await storedRoot();
  const second = nextRoot(stored);
  const third = nextRoot(second);
  await assertRefusal(step(stored, second, other) + step(second, third), "PRS05");
});

Deno.test("An older ledger row has only values that a root can have", async () => {
  const misfits: readonly Row[] = [
    { title: "x".repeat(201) },
    { summary: "x".repeat(1001) },
    ...["[]", "1", "null", `"text"`].map((payload) => ({ payload })),
  ];
  for (const misfit of misfits) {
    const stored = await storedRoot();
    const second = nextRoot(stored);
    const third = nextRoot(second);
    await assertRefusal(step(stored, second, misfit) + step(second, third), "PRS05");
    const whole = await freshRoot({ revision: 2 });
    const first = { revision: 1, revision_id: ulid(), change: "CREATED" };
    const chain = [{}, { ...first, ...misfit }].map((columns) =>
      insertInto("record_revisions", revisionOf(whole, columns))
    ).reverse();
    await assertRefusal(insertInto("records", whole) + chain.join(""), "PRS05");
  }
  const stored = await storedRoot();
  const second = nextRoot(stored);
  const longest = { title: "🚀".repeat(200), summary: "🚀".repeat(1000), payload: "{}" };
  await assertRefusal(step(stored, second, longest) + step(second, nextRoot(second)), null);
});

Deno.test("A ledger row with an unsuitable kind of change is rejected", async () => {
  const archived = "2026-11-20T12:00:00.000Z";
  const misfits: readonly (readonly [Row, Row])[] = [
    [{}, { change: "CREATED" }],
    [{}, { change: "ARCHIVED" }],
    [{ archived_at: archived }, { change: "RESTORED" }],
    [{}, { change: "DELETED" }],
    [{}, { change: "modified" }],
  ];
  for (const [columns, misfit] of misfits) {
    const root = await storedRoot();
    const next = nextRoot(root, columns);
    await assertRefusal(step(root, next, misfit), "PRS05");
    // Also if not the newest.
    const last = step(next, nextRoot(next, columns));
    await assertRefusal(step(root, next, misfit) + last, "PRS05");
    await assertRefusal(step(root, next) + last, null);
  }
  for (const change of ["MODIFIED", "ARCHIVED", "RESTORED"]) {
    const first = await freshRoot({ archived_at: change === "ARCHIVED" ? archived : null });
    const ledger = insertInto("record_revisions", revisionOf(first, { change }));
    await assertRefusal(insertInto("records", first) + ledger, "PRS05");
  }
});

Deno.test("A gap in the revisions is rejected", async () => {
  const root = await storedRoot();
  const third = { ...nextRoot(nextRoot(root)), title: "Third" };
  const ledger = insertInto("record_revisions", revisionOf(third));
  await assertRefusal(ledger, "23503 revision_follows");
  const second = nextRoot(root);
  const jump = updateRoot(root, second) + updateRoot(second, third) + ledger;
  await assertRefusal(jump, "23503 revision_follows");
  await assertRefusal(`set constraints all deferred; ${jump}`, "23503 revision_follows");
});

Deno.test("A root with a partial chain of revisions is rejected", async () => {
  for (const present of [[5], [2, 3, 4, 5], [1, 2, 4, 5], [1, 3, 5]]) {
    const root = await freshRoot({ revision: 5 });
    const ledger = present.map((revision) => {
      const own = revision === 5 ? {} : { revision_id: ulid() };
      const change = revision === 1 ? "CREATED" : "MODIFIED";
      return insertInto("record_revisions", revisionOf(root, { revision, change, ...own }));
    });
    const script = insertInto("records", root) + ledger.join("");
    await assertRefusal(script, "23503 revision_follows");
  }
  const root = await freshRoot({ revision: 5 });
  const ledger = insertInto(
    "record_revisions",
    revisionOf(root, { revision: 1, change: "CREATED" }),
  );
  await assertRefusal(insertInto("records", root) + ledger, "23503 record_has_its_revision");
});

Deno.test("A revision that is not a positive number is rejected", async () => {
  const root = await storedRoot();
  for (const revision of [0, -1]) {
    const ledger = revisionOf(root, { revision, revision_id: ulid(), change: "MODIFIED" });
    await assertRefusal(insertInto("record_revisions", ledger), "23503 revision_follows");
    // Replication skips foreign keys.
    const script = `set local session_replication_role = replica; ${
      insertInto("record_revisions", ledger)
    }`;
    await assertRefusal(script, "PRS05");
    const fresh = await freshRoot({ revision });
    await assertRefusal(insertInto("records", fresh), "23514 record_is_record");
  }
});

Deno.test("A revision's number and identifier are each used once", async () => {
  const root = await storedRoot();
  const again = insertInto("record_revisions", revisionOf(root, { revision_id: ulid() }));
  await assertRefusal(again, "23505 record_revisions_pkey");
  const next = nextRoot(root, { revision_id: root.revision_id ?? null });
  await assertRefusal(step(root, next), "23505 revision_id_unique");
});

Deno.test("A ledger row without a root is rejected", async () => {
  const root = await freshRoot();
  const ledger = insertInto("record_revisions", revisionOf(root));
  await assertRefusal(ledger, "PRS05");
  await assertRefusal(`set local session_replication_role = replica; ${ledger}`, "PRS05");
});

Deno.test("A ledger row cannot belong to another owner", async () => {
  const root = await storedRoot();
  const { accountId: other } = await world().createCaller();
  const theirs = { ...newRoot(other), record_id: root.record_id ?? null };
  const script = insertInto("records", theirs);
  await assertRefusal(script, "23503 record_has_its_revision");
  const ledger = insertInto("record_revisions", {
    ...revisionOf(theirs),
    owner_id: root.owner_id ?? null,
  });
  await assertRefusal(script + ledger, "23505 record_revisions_pkey");
});

Deno.test("Checking a deferred constraint early does not avoid its check at COMMIT", async () => {
  const root = await storedRoot();
  const second = nextRoot(root, { title: "Second" });
  const third = nextRoot(second, { title: "Third" });
  const early = `${
    step(root, second)
  } set constraints all immediate; set constraints all deferred;`;
  await assertRefusal(early + updateRoot(second, third), "23503 record_has_its_revision");
  const ahead = insertInto("record_revisions", revisionOf(nextRoot(third)));
  await assertRefusal(early + step(second, third) + ahead, "PRS05");
});

Deno.test("A deferred check that passed inside a savepoint is repeated after its rollback", async () => {
  const root = await storedRoot();
  const second = nextRoot(root, { title: "Second" });
  const third = nextRoot(second, { title: "Third" });
  // At the third revision the second ledger row is not compared.
  const script = `
    ${updateRoot(root, second)}
    ${insertInto("record_revisions", revisionOf(second, { title: "Forged" }))}
    savepoint before;
    ${step(second, third)}
    set constraints all immediate;
    rollback to savepoint before;`;
  await assertRefusal(script, "PRS05");
});

Deno.test("A root cannot be replaced by a conflict, a merge or a data-modifying WITH", async () => {
  const root = await storedRoot();
  const key = `owner_id = ${literal(root.owner_id ?? null)} and record_id = '${root.record_id}'`;
  const columns = Object.keys(root).join(", ");
  const conflict = insertInto("records", { ...root, title: "Forged" }).replace(
    /;$/,
    " on conflict (owner_id, record_id) do update set title = excluded.title",
  );
  await assertRefusal(conflict, "PRS03");
  const merge = `merge into records using (select 1) one on ${key}
    when matched then update set title = 'Forged', revision = records.revision + 2`;
  await assertRefusal(merge, "PRS03");
  const both = `with root as (
      update records set title = 'Forged', revision = revision + 1 where ${key} returning *
    ) insert into records (${columns}) select ${columns} from root`;
  await assertRefusal(both, "23505 records_pkey");
  const moved = `with root as (delete from records where ${key} returning *)
    insert into records (${columns}) select ${columns} from root`;
  await assertRefusal(moved, "PRS01");
});

Deno.test("A guard is not fooled by a caller's temporary table or operator", async () => {
  const root = await storedRoot();
  const ahead = nextRoot(root);
  const ledger = insertInto("public.record_revisions", revisionOf(ahead));
  const table = `create temporary table records (like public.records) on commit drop;
    ${insertInto("pg_temp.records", ahead)}`;
  await assertRefusal(table + ledger, "PRS05");
  await assertRefusal(withDeceit("<") + ledger, "PRS05");
  // Nothing passes with a manipulated operator.
  const update = (next: Row) =>
    updateRoot(root, next).replaceAll(/\b(owner_id|record_id) = /g, "$1 operator(pg_catalog.=) ");
  const forge = (columns: Row) =>
    update(ahead) + insertInto("public.record_revisions", revisionOf(ahead, columns));
  const wrong: readonly Row[] = [
    { module_code: "Health" },
    { module_code: "x".repeat(41) },
    { revision: 0 },
    { source_type: "OTHER" },
    { updated_at: "2026-11-20T11:59:59.999Z" },
    { title: "x".repeat(201) },
    { summary: "x".repeat(1001) },
    { payload: "[]" },
  ];
  for (const name of Object.keys(DECEITS)) {
    const deceit = withDeceit(name);
    await assertRefusal(deceit + update({ ...ahead, module_code: "health" }), "PRS04");
    await assertRefusal(deceit + update({ ...root, title: "Forged" }), "PRS03");
    await assertRefusal(deceit + update(nextRoot(ahead)), "PRS03");
    await assertRefusal(deceit + forge({ title: "Forged" }), "PRS05");
    await assertRefusal(deceit + forge({ change: "FORGED" }), "PRS05");
    for (const columns of wrong) {
      const insert = insertInto("public.records", { ...root, record_id: ulid(), ...columns });
      await assertRefusal(deceit + insert, "23514 record_is_record");
    }
  }
});

const DECEITS: Readonly<Record<string, string>> = {
  "+": "$1",
  "<": "false",
  "<>": "false",
  ">": "false",
  "<=": "true",
  ">=": "true",
  "=": "true",
  "~": "true",
};

/** Shadows PostgreSQL's operators and functions. */
function withDeceit(name: string): string {
  const answer = DECEITS[name];
  const [types, result] = name === "+"
    ? [["integer"], "integer"]
    : [["integer", "text", "timestamptz"], "boolean"];
  const operators = types.map((type) => `
    create function deceit.answer(${type}, ${type}) returns ${result} language sql
      as 'select ${answer}';
    create operator deceit.${name} (function = deceit.answer, leftarg = ${type}, rightarg = ${type});`);
  return `create schema deceit; ${operators.join("")}
    create function deceit.octet_length(text) returns integer language sql as 'select 1';
    create function deceit.char_length(text) returns integer language sql as 'select 1';
    create function deceit.json_typeof(json) returns text language sql as $$select 'object'$$;
    set local search_path = deceit, pg_catalog, public;`;
}
