// engines: postgres
/** Append-only and permanent tables, for every role and statement. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import { assertRefusedToAll, insertInto, insertRecord, newRoot, refusal } from "./rows.ts";
import { TABLE_CLASSES } from "./table_classes.ts";

const world = sharedWorld();

const { appendOnly, retained, permanent, derived, replaced, mutable } = TABLE_CLASSES;

/** Writable columns and key. */
async function columnsOf(table: string): Promise<{ columns: string[]; key: string[] }> {
  const columns = await world().rows(`
    select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = '${table}' and is_generated = 'NEVER'
     order by ordinal_position`);
  const key = await world().rows(`
    select column_name as name from information_schema.key_column_usage
     where table_schema = 'public' and constraint_name = '${table}_pkey'`);
  return { columns: columns.map(({ name }) => name), key: key.map(({ name }) => name) };
}

async function updatesOf(table: string): Promise<string[]> {
  const { columns, key } = await columnsOf(table);
  const [list, first] = [columns.join(", "), columns[0]];
  const same = key.map((column) => `target.${column} = source.${column}`).join(" and ");
  return [
    `update ${table} set ${first} = ${first}`,
    `update ${table} set ${first} = ${first} where false`,
    `with changed as (update ${table} set ${first} = ${first} returning 1) select * from changed`,
    `insert into ${table} (${list}) select ${list} from ${table}
       on conflict (${key.join(", ")}) do update set ${first} = excluded.${first}`,
    `merge into ${table} target using ${table} source on ${same}
       when matched then update set ${first} = source.${first}`,
  ];
}

async function removalsOf(table: string): Promise<string[]> {
  const { key } = await columnsOf(table);
  const same = key.map((column) => `target.${column} = source.${column}`).join(" and ");
  return [
    `delete from ${table}`,
    `with gone as (delete from ${table} returning 1) select * from gone`,
    `merge into ${table} target using ${table} source on ${same} when matched then delete`,
    ...truncationsOf(table),
  ];
}

/** Without CASCADE a foreign key rejects TRUNCATE earlier. */
function truncationsOf(table: string): string[] {
  return [
    `truncate ${table} cascade`,
    `truncate only ${table} restart identity cascade`,
    `truncate ${[...appendOnly, ...retained, ...permanent].join(", ")} cascade`,
  ];
}

/**
 * Every form for the first table of a class; for the others, whose guards are alike, the plainest.
 */
function formsFor(table: string, tables: readonly string[], statements: string[]): string[] {
  if (table === tables[0]) return statements;
  return statements.filter((statement) => PLAIN.test(statement));
}

const PLAIN = /^(update \w+ set (\w+) = \2|delete from \w+|truncate \w+ cascade)$/;

async function assertRefused(statements: readonly string[]): Promise<void> {
  for (const statement of statements) await assertRefusedToAll(world(), statement, "PRS01");
}

Deno.test("Every table is in exactly one class", async () => {
  const tables = await world().rows(`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p', 'f', 'm') order by c.relname`);
  const classified = Object.values(TABLE_CLASSES).flat().sort();
  assertEquals(tables.map(({ name }) => name), classified);
});

for (const table of appendOnly) {
  Deno.test(`Table ${table} rejects every change and removal`, async () => {
    const statements = [...await updatesOf(table), ...await removalsOf(table)];
    await assertRefused(formsFor(table, appendOnly, statements));
  });
}

for (const table of permanent) {
  Deno.test(`Table ${table} rejects every removal`, async () => {
    await assertRefused(formsFor(table, permanent, await removalsOf(table)));
  });
}

for (const table of derived) {
  Deno.test(`Table ${table} rejects every change, and TRUNCATE`, async () => {
    const statements = [...await updatesOf(table), ...truncationsOf(table)];
    await assertRefused(formsFor(table, derived, statements));
  });
}

function envelope(owner: string, age: string): string {
  return `
    insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                       fingerprint_key, envelope, created_at)
    values ('${owner}', 'o', '', '${ulid()}', '\\x00', 'k', '{}', now() - interval '${age}');`;
}

Deno.test("Table idempotency_envelopes rejects every change, and TRUNCATE", async () => {
  const table = "idempotency_envelopes";
  await assertRefused([...await updatesOf(table), ...truncationsOf(table)]);
});

Deno.test("Table idempotency_envelopes allows deletion after thirty days and not before", async () => {
  const owner = ulid();
  const remove = `delete from idempotency_envelopes where owner_id = '${owner}';`;
  for (const age of ["0 days", "29 days 23:59:00", "-1 day"]) {
    await world().raw(envelope(owner, age));
    await assertRefusedToAll(world(), remove, "PRS01");
  }
  const old = ulid();
  await world().raw(envelope(old, "30 days 00:00:01"));
  const script = `delete from idempotency_envelopes where owner_id = '${old}'`;
  assertEquals(await refusal(world(), script), null);
});

Deno.test("Permanent and append-only rows are not deleted with the rows they refer to", async () => {
  const caller = await world().createCaller();
  const root = newRoot(caller.accountId);
  await world().raw(insertRecord(root));
  for (const statement of ["delete from accounts", "truncate accounts cascade"]) {
    assertEquals(await refusal(world(), statement), "PRS01", statement);
  }
  const kept = await world().rows(`
    select count(*)::int as n from record_revisions where owner_id = '${caller.accountId}'`);
  assertEquals([...kept], [{ n: 1 }]);
});

Deno.test("A guard applies to every role on every guarded table", async () => {
  const rows = await world().rows(`
    select c.relname as table, t.tgname as trigger, t.tgenabled as enabled
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal order by 1, 2`);
  assertEquals(rows.filter(({ enabled }) => enabled !== "A"), []);
  // Not guards: these two write columns that the release before does not know.
  const guards = rows.filter(({ trigger }) => !/^former_(?:rule|words)$/.test(String(trigger)));
  const guarded = new Set(guards.map(({ table }) => table));
  const expected = [...appendOnly, ...retained, ...permanent, ...derived, ...replaced];
  assertEquals([...guarded].sort(), expected.sort());
  assertEquals(mutable.filter((table) => guarded.has(table)), []);
});

Deno.test("An account keeps its identifier and creation time", async () => {
  const { accountId } = await world().createCaller();
  for (const change of [`account_id = '${ulid()}'`, "created_at = now()"]) {
    const statement = `update accounts set ${change} where account_id = '${accountId}'`;
    assertEquals(await refusal(world(), statement), "PRS04", change);
  }
  const rename = `update accounts set display_name = 'x' where account_id = '${accountId}'`;
  assertEquals(await refusal(world(), rename), null);
});

Deno.test("An account that has moved keeps the time of its move", async () => {
  const { accountId } = await world().createCaller();
  const change = (columns: string) =>
    refusal(world(), `update accounts set ${columns} where account_id = '${accountId}'`);
  const moved = "frozen_at = now(), retired_at = now(), moved_to = 'https://two.example'";
  assertEquals(await change(moved), null);
  assertEquals(await change("retired_at = null"), "PRS04");
  assertEquals(await change("moved_to = 'https://three.example'"), null);
});

Deno.test("An attachment sum keeps its owner, only grows, and is limited by the quota", async () => {
  const { accountId } = await world().createCaller();
  const { accountId: other } = await world().createCaller();
  const quota = 10 * 1024 ** 3;
  await world().raw(insertInto("attachment_usage", { owner_id: accountId, bytes: 10 }));
  const where = `where owner_id = '${accountId}'`;
  const cases: readonly (readonly [string, string | null])[] = [
    [`update attachment_usage set owner_id = '${other}' ${where}`, "PRS04"],
    [`update attachment_usage set bytes = 9 ${where}`, "PRS04"],
    [`update attachment_usage set bytes = ${quota + 1} ${where}`, "23514 attachment_quota"],
    [`update attachment_usage set bytes = ${quota} ${where}`, null],
    [insertInto("attachment_usage", { owner_id: other, bytes: -1 }), "23514 attachment_quota"],
    [
      insertInto("attachment_usage", { owner_id: ulid(), bytes: 1 }),
      "23503 attachment_usage_owner_exists",
    ],
  ];
  for (const [statement, expected] of cases) {
    assertEquals(await refusal(world(), statement), expected, statement);
  }
});
