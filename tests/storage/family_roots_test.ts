// engines: postgres
/** Guards of the procedures in `sql/0001_guards.sql`, for any family. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { fileWorld } from "../support/world.ts";
import { insertInto, refusal, type Row } from "./rows.ts";

const world = fileWorld();

const AT = "2026-11-20T12:00:00.000Z";

/** `kept` is only in the root. */
const TABLES = `
  create table things (
    owner_id ulid, thing_id ulid, parent_id ulid, revision integer, revision_id ulid,
    created_at timestamptz(3), updated_at timestamptz(3), kept text, word text, score numeric,
    content json, tags jsonb, primary key (owner_id, thing_id));
  create table thing_revisions (
    owner_id ulid, thing_id ulid, parent_id ulid, revision integer, revision_id ulid, change text,
    created_at timestamptz(3), word text, score numeric, content json, tags jsonb,
    primary key (owner_id, thing_id, revision));
  call make_root('things', 'thing_id', array['parent_id', 'kept']);
  call make_append_only('thing_revisions');
  call make_ledger_of_root('thing_revisions', 'things', 'thing_id', array['kept']);`;

let made: Promise<void> | undefined;

async function makeTables(): Promise<void> {
  await (made ??= world().raw(TABLES));
}

function newThing(columns: Row = {}): Row {
  return {
    owner_id: ulid(),
    thing_id: ulid(),
    parent_id: ulid(),
    revision: 1,
    revision_id: ulid(),
    created_at: AT,
    updated_at: AT,
    kept: "as it was",
    word: null,
    score: 1.5,
    content: `{"a": 1}`,
    tags: `["a"]`,
    ...columns,
  };
}

function revisionOf(thing: Row, columns: Row = {}): Row {
  const { created_at: _, updated_at: created_at = null, kept: __, ...common } = thing;
  return { ...common, created_at, change: "CREATED", ...columns } as Row;
}

function insertThing(thing: Row, forged: Row = {}): string {
  return insertInto("things", thing) + insertInto("thing_revisions", revisionOf(thing, forged));
}

/** Not yet in the column. */
function forgeryOf(column: string, type: string): string | number {
  if (column.endsWith("_id")) return ulid();
  if (type.startsWith("timestamp")) return "2026-11-20T11:00:00.000Z";
  if (type === "integer" || type === "numeric") return 3;
  if (type.startsWith("json")) return `["forged"]`;
  return "FORGED";
}

async function sharedColumns(root: string, ledger: string, id: string) {
  const rows = await world().rows(`
    select l.column_name as name, l.data_type as type
      from information_schema.columns l join information_schema.columns r using (column_name)
     where l.table_name = '${ledger}' and r.table_name = '${root}'
       and column_name not in ('owner_id', '${id}', 'revision')`);
  return rows as { name: string; type: string }[];
}

Deno.test("No shared column of a new root may differ from its ledger, of any type", async () => {
  await makeTables();
  assertEquals(await refusal(world(), insertThing(newThing())), null);
  const columns = await sharedColumns("things", "thing_revisions", "thing_id");
  assertEquals(columns.length, 7);
  for (const { name, type } of columns) {
    const script = insertThing(newThing(), { [name]: forgeryOf(name, type) });
    assertEquals(await refusal(world(), script), "PRS05", name);
  }
});

Deno.test("A ledger row neither precedes nor lacks its root", async () => {
  await makeTables();
  const thing = newThing();
  const alone = insertInto("thing_revisions", revisionOf(thing));
  const ahead = insertThing(thing, { revision: 2 });
  for (const script of [alone, ahead]) assertEquals(await refusal(world(), script), "PRS05");
});

Deno.test("A root of the procedures steps by one, keeps fixed columns, and is never deleted", async () => {
  await makeTables();
  const thing = newThing();
  await world().raw(insertThing(thing));
  const own = `where thing_id = '${thing.thing_id}'`;
  for (const role of ["origin", "replica", "local"]) {
    const as = (statement: string) =>
      refusal(world(), `set local session_replication_role = ${role}; ${statement} ${own}`);
    for (const column of ["owner_id", "thing_id", "parent_id"]) {
      const set = `update things set revision = 2, ${column} = '${ulid()}'`;
      assertEquals(await as(set), "PRS04", column);
    }
    assertEquals(await as("update things set revision = 2, kept = null"), "PRS04");
    assertEquals(await as("update things set revision = 2, created_at = now()"), "PRS04");
    assertEquals(await as("update things set revision = 3"), "PRS03");
    assertEquals(await as("update things set word = 'forged'"), "PRS03");
    assertEquals(await as("delete from things"), "PRS01");
    assertEquals(await as("update thing_revisions set word = 'forged'"), "PRS01");
  }
});

Deno.test("A column added later is guarded once the procedure is called again", async () => {
  await makeTables();
  const call = `call make_ledger_of_root('thing_revisions', 'things', 'thing_id', array['kept']);`;
  const missing = `alter table things add column mood text; ${call}`;
  assertEquals(await refusal(world(), missing), "P0001");
  await world().raw(
    `alter table things add column colour text; alter table thing_revisions add column colour text;
     ${call} call make_root('things', 'thing_id', array['parent_id', 'kept']);`,
  );
  const forged = insertThing(newThing({ colour: "red" }), { colour: "blue" });
  assertEquals(await refusal(world(), forged), "PRS05");
  assertEquals(await refusal(world(), insertThing(newThing({ colour: "red" }))), null);
});

Deno.test("A caller's temporary table cannot replace a root", async () => {
  await makeTables();
  const thing = newThing();
  const script = `create temporary table things (like public.things);
    insert into pg_temp.things select * from public.things;
    ${insertInto("pg_temp.things", thing)} ${insertInto("thing_revisions", revisionOf(thing))}`;
  assertEquals(await refusal(world(), script), "PRS05");
});
