/** Raw SQL against the clocks of records and of one family with a root and a ledger. */

import { assertEquals } from "@std/assert";
import { fileWorld } from "../support/world.ts";
import { insertInto, newRoot, nextRoot, refusal, revisionOf, type Row } from "./rows.ts";

const world = fileWorld();

const PAYLOAD =
  `{"content":"x","dueAt":"2026-11-20T12:00:00.000Z","notes":"2026-13-45T12:00:00.000Z"}`;
const TOKYO = `{"dueAt":"+09:00[Asia/Tokyo]"}`;

async function newRecord(columns: Row = {}): Promise<Row> {
  const { accountId } = await world().createCaller();
  return newRoot(accountId, { payload: PAYLOAD, ...columns });
}

/** Inserts a record with clocks in the root and its revision. */
function withClocks(record: Row, clocks: string | null, ofRevision = clocks): string {
  return insertInto("records", { ...record, clocks }) +
    insertInto("record_revisions", revisionOf(record, { clocks: ofRevision }));
}

Deno.test("A clock of a record names a time of its payload, in one form", async () => {
  const accepted = [
    TOKYO,
    `{"dueAt":"-03:30"}`,
    `{"dueAt":"+00:00"}`,
    `{"dueAt":"+23:59[Mars/Olympus]"}`,
    `{"dueAt":"-23:59[${"A".repeat(64)}]"}`,
  ];
  for (const clocks of accepted) {
    assertEquals(await refusal(world(), withClocks(await newRecord(), clocks)), null, clocks);
  }
  const refused = [
    "{}",
    "[]",
    `"+09:00"`,
    "null",
    `{"dueAt":null}`,
    `{"dueAt":9}`,
    `{"dueAt":""}`,
    `{"dueAt":"Z"}`,
    `{"dueAt":"09:00"}`,
    `{"dueAt":"+9:00"}`,
    `{"dueAt":"+24:00"}`,
    `{"dueAt":"+09:60"}`,
    `{"dueAt":"+09:00:00"}`,
    `{"dueAt":"+09:00[]"}`,
    `{"dueAt":"+09:00[1]"}`,
    `{"dueAt":"+09:00[+09:00]"}`,
    `{"dueAt":"+09:00[Asia/Tokyo"}`,
    `{"dueAt":"+09:00[Asia/T\u00f4kyo]"}`,
    `{"dueAt":"+09:00[Asia/Tokyo][Asia/Tokyo]"}`,
    `{"dueAt":"+09:00[${"A".repeat(65)}]"}`,
    `{"dueAt":"+09:00\\n"}`,
    `{"completedAt":"+09:00"}`,
    `{"content":"+09:00"}`,
    `{"notes":"+09:00"}`,
    `{"dueAt":"+09:00","completedAt":"+09:00"}`,
    `{"dueAt":"+09:00","dueAt":"+10:00"}`,
  ];
  for (const clocks of refused) {
    assertEquals(await refusal(world(), withClocks(await newRecord(), clocks)), "PRS05", clocks);
  }
});

Deno.test("A clock leaves the local time in the years 0001 to 9999", async () => {
  const edges: readonly (readonly [time: string, offset: string, refused: string | null])[] = [
    ["0001-01-01T00:00:00.000Z", "+00:00", null],
    ["0001-01-01T00:59:59.999Z", "-01:00", "PRS05"],
    ["0001-01-01T01:00:00.000Z", "-01:00", null],
    ["9999-12-31T23:59:59.999Z", "+00:00", null],
    ["9999-12-31T22:59:59.999Z", "+01:00", null],
    ["9999-12-31T23:00:00.000Z", "+01:00", "PRS05"],
  ];
  for (const [time, offset, refused] of edges) {
    const record = await newRecord({ payload: `{"content":"x","dueAt":"${time}"}` });
    const script = withClocks(record, `{"dueAt":"${offset}"}`);
    assertEquals(await refusal(world(), script), refused, `${time} ${offset}`);
  }
});

Deno.test("A record's clocks are those of its newest revision", async () => {
  const other = `{"dueAt":"+08:00"}`;
  for (const [root, revision] of [[TOKYO, null], [null, TOKYO], [TOKYO, other]] as const) {
    const script = withClocks(await newRecord(), root, revision);
    assertEquals(await refusal(world(), script), "PRS05");
  }
  const record = await newRecord();
  await world().raw(withClocks(record, TOKYO));
  const own = `where record_id = '${record.record_id}'`;
  for (const clocks of ["null", `'${other}'`, `'${TOKYO}'`]) {
    const update = `update records set clocks = ${clocks}, clocks_revision = 1 ${own}`;
    assertEquals(await refusal(world(), update), "PRS03", clocks);
  }
  const changed = `update record_revisions set clocks = null ${own}`;
  assertEquals(await refusal(world(), changed), "PRS01");
});

/** As a process of the release before writes it. */
function stepWithoutClocks(record: Row): { readonly next: Row; readonly script: string } {
  const next = nextRoot(record, { title: "Changed" });
  const script = `
    update records set revision = ${next.revision}, revision_id = '${next.revision_id}',
                       title = 'Changed' where record_id = '${record.record_id}';
    ${insertInto("record_revisions", revisionOf(next))}`;
  return { next, script };
}

Deno.test("A process without clocks writes a revision without any, on every root", async () => {
  const record = await newRecord();
  await world().raw(withClocks(record, TOKYO));
  const { script } = stepWithoutClocks(record);
  assertEquals(await refusal(world(), script), null);
  const rows = await world().rows(`
    select v.revision, v.clocks::text as ledger, r.clocks::text as root
      from records r join record_revisions v using (owner_id, record_id)
     where record_id = '${record.record_id}' order by v.revision`);
  assertEquals(rows, [
    { revision: 1, ledger: TOKYO, root: null },
    { revision: 2, ledger: null, root: null },
  ]);
});

Deno.test("Every root with clocks gives them up with a revision that does not name them", async () => {
  const guarded = await world().rows(`
    select t.tgrelid::regclass::text as name from pg_trigger t
     where t.tgname in ('former_clocks', 'steps') and t.tgenabled = 'A' order by 1`);
  const roots = await world().rows(`
    select table_name as name from information_schema.columns
     where column_name = 'clocks_revision' and table_schema = current_schema() order by 1`);
  assertEquals(guarded, roots);
  assertEquals(roots.length, 8);
});

Deno.test("Each ledger compares its clocks with its times", async () => {
  const checked = await world().rows(`
    select conrelid::regclass::text as name from pg_constraint
     where conname = conrelid::regclass::text || '_clocks' order by 1`);
  const ledgers = await world().rows(`
    select table_name as name from information_schema.columns c
     where column_name = 'clocks' and table_schema = current_schema()
       and table_name <> 'record_revisions' and not exists (
         select from information_schema.columns r
          where r.table_name = c.table_name and r.column_name = 'clocks_revision') order by 1`);
  assertEquals(checked, ledgers);
  const forms = await world().rows(`
    select are_clocks('{"a":"+01:00"}', '{a,b}', array[now(), null]) as one,
           are_clocks('{"b":"+01:00"}', '{a,b}', array[now(), null]) as absent,
           are_clocks('{"c":"+01:00"}', '{a,b}', array[now(), null]) as unknown,
           are_clocks('{}', '{a}', array[now()]) as none`);
  assertEquals(forms, [{ one: true, absent: false, unknown: false, none: false }]);
});
