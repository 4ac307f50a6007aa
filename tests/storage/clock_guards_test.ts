/** Raw SQL against clocks; `root_kinds_test.ts` attacks those of each family's roots. */

import { assertEquals } from "@std/assert";
import { DECISION_ROOT } from "../../src/families/decision/decision.ts";
import { OUTCOME } from "../../src/families/decision/outcome.ts";
import { PREDICTION } from "../../src/families/decision/prediction.ts";
import { PROFILE } from "../../src/families/identity/profile.ts";
import { ROLE } from "../../src/families/identity/role.ts";
import { STAGE } from "../../src/families/identity/stage.ts";
import { MEMORY_COLUMNS } from "../../src/families/memory/memory.ts";
import { CONTACT } from "../../src/families/relationship/contact.ts";
import { EXPERIENCE } from "../../src/families/relationship/experience.ts";
import { PERSON } from "../../src/families/relationship/person.ts";
import { TIMELINE_ENTRY } from "../../src/families/relationship/timeline_store.ts";
import { SNAPSHOT_COLUMNS } from "../../src/families/resource/snapshot.ts";
import { camelCase, type Columns, membersOf } from "../../src/kit/columns.ts";
import { clocks, time } from "../../src/kit/kinds.ts";
import type { JsonSchema } from "../../src/validate/json_schema.ts";
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
    `{"dueAt":"-00:00"}`,
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

Deno.test("A process of the release before writes a revision without clocks", async () => {
  const record = await newRecord();
  await world().raw(withClocks(record, TOKYO));
  const next = nextRoot(record, { title: "Changed" });
  const step = `
    update records set revision = ${next.revision}, revision_id = '${next.revision_id}',
                       title = 'Changed' where record_id = '${record.record_id}';
    ${insertInto("record_revisions", revisionOf(next))}`;
  assertEquals(await refusal(world(), step), null);
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
    select tgrelid::regclass::text as name from pg_trigger
     where tgname = 'former_clocks' and tgenabled = 'A' order by 1`);
  const roots = await world().rows(`
    select table_name as name from information_schema.columns
     where column_name = 'clocks_revision' and table_schema = current_schema() order by 1`);
  assertEquals(guarded, roots);
  assertEquals(roots.length, 8);
});

/** The columns with times of each ledger, as its family declares them. */
const DECLARED: Readonly<Record<string, Columns>> = {
  memory_revisions: MEMORY_COLUMNS,
  decision_revisions: DECISION_ROOT.fields,
  decision_prediction_revisions: PREDICTION.fields,
  decision_outcome_revisions: OUTCOME.fields,
  identity_profile_revisions: PROFILE.fields,
  identity_stage_revisions: STAGE.fields,
  identity_roles: ROLE,
  identity_snapshots: { as_of: time, ...PROFILE.fields },
  person_revisions: PERSON.state,
  person_contacts: CONTACT,
  person_experiences: EXPERIENCE,
  person_timeline_entries: TIMELINE_ENTRY,
  resource_snapshots: SNAPSHOT_COLUMNS,
};

Deno.test("Each ledger compares its clocks with the times that its family declares", async () => {
  const rules = await world().rows(`
    select conrelid::regclass::text as name, pg_get_constraintdef(oid) as rule from pg_constraint
     where conname = conrelid::regclass::text || '_clocks'`);
  const guarded = rules.map(({ name, rule }) => {
    const [, names = "", columns = ""] = /'{(.*)}'.*ARRAY\[(.*)\]/.exec(rule) ?? [];
    assertEquals(columns.split(", ").map(camelCase), names.split(","), name);
    return [name, names.split(",")];
  });
  const declared = Object.entries(DECLARED).map(([name, columns]) => {
    const { localTimes } = membersOf({ ...columns, clocks }) as Record<string, JsonSchema>;
    return [name, Object.keys(localTimes?.properties ?? {})];
  });
  assertEquals(Object.fromEntries(guarded), Object.fromEntries(declared));
});

Deno.test("A clock of a ledger belongs to a time with a value", async () => {
  const forms = await world().rows(`
    select are_clocks('{"a":"+01:00"}', '{a,b}', array[now(), null]) as one,
           are_clocks('{"b":"+01:00"}', '{a,b}', array[now(), null]) as absent,
           are_clocks('{"c":"+01:00"}', '{a,b}', array[now(), null]) as unknown,
           are_clocks('{}', '{a}', array[now()]) as none`);
  assertEquals(forms, [{ one: true, absent: false, unknown: false, none: false }]);
});
