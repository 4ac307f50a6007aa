// engines: postgres
/** Plans of contacts, routines and weeks among very many rows, and the limits of revisions. */

import { assert, assertEquals } from "@std/assert";
import { insertDecisionCrowd } from "../families/decision/crowd.ts";
import { PEOPLE } from "../families/relationship/rows.ts";
import { timesBelow } from "../../src/families/decision/port.ts";
import { routineIds, writtenRecords } from "../../src/records/port.ts";
import { timeHistory } from "../../src/records/time_history.ts";
import { type Caller, callerOf, fileWorld } from "../support/world.ts";
import { newRow } from "./family_rows.ts";
import { idOf, idsSql, insertMany, insertManyRows } from "./many_rows.ts";
import { assertSeeks, examinedRows, plansOf } from "./plans.ts";
import { createRecordingDatabase } from "./recording.ts";
import { insertRecord, newRoot, revisionOf, type Row } from "./rows.ts";

const COUNT = 1_000;
/** Revisions of the busy routine: one an hour, the last one at noon of 20 November. */
const REVISIONS = 1_200;
const BUSY = "01KB" + "0".repeat(22);
const NOON = "timestamptz '2026-11-20 12:00Z'";
/** Statements of tables that grow with an account. */
const GROWING = /people|person_contacts|record_order\s+where mod|records\s+where|decision_/;
const ROUTINE = `{"routineName":"A","area":"B","intervalDays":1,"active":true}`;

/** The time of a revision, in SQL. */
function hourOf(revision: string): string {
  return `${NOON} - (${REVISIONS} - ${revision}) * interval '1 hour'`;
}

function payloadAt(revision: string): string {
  return `(left('${ROUTINE}', -1) || ',"lastCompletedAt":"' || to_char(
    (${hourOf(revision)}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}')::json`;
}

function insertRoutines(owner: string): string {
  const root: Row = newRoot(owner, { module_code: "routine", payload: ROUTINE });
  const numbered = { record_id: idsSql("01KA"), revision_id: idsSql("01KAR") };
  const revision_id = idOf("01KBR", REVISIONS);
  const busy = { ...root, record_id: BUSY, revision: REVISIONS, revision_id };
  const payload = payloadAt(String(REVISIONS));
  const revisions = {
    revision: "i",
    revision_id: idsSql("01KBR"),
    change: "case i when 1 then 'CREATED' else 'MODIFIED' end",
    created_at: hourOf("i"),
    payload: payloadAt("i"),
  };
  return insertMany("records", root, COUNT, numbered) +
    insertMany("record_revisions", revisionOf(root), COUNT, numbered) +
    insertMany("records", busy, 1, { payload }) +
    insertMany("record_revisions", revisionOf(busy), REVISIONS, revisions);
}

function insertLife(owner: string): string {
  const person = newRow(PEOPLE, owner, { desired_contact_interval_days: 30 });
  return `
    ${insertRoutines(owner)}
    ${insertManyRows(PEOPLE, person, COUNT, "01KD", { archived_at: "null" })}
    ${insertDecisionCrowd({ accountId: owner }, COUNT, "01KE")}
    ${insertRecord(newRoot(owner))}
    insert into record_order (owner_id, record_id, module_code, rule, is_archived, guard, order_form)
      select owner_id, record_id, module_code, 3, archived_at is not null, coalesce(guard, ''), title
        from records where owner_id = '${owner}'
        on conflict do nothing;`;
}

let caller: Caller;

const world = fileWorld({}, async (world) => {
  caller = await world.createCaller();
  const other = await world.createCaller();
  await world.raw(`${insertLife(caller.accountId)} ${insertLife(other.accountId)} analyze;`);
});

Deno.test("Contacts, routines and weeks are read along indexes, in bounded pieces", async () => {
  const recording = createRecordingDatabase(world().database);
  const reader = callerOf(world().again({ database: recording.database }), caller);
  const insight = "/api/v2/insight";
  for (
    const path of [
      `${insight}/contacts?zone=UTC&limit=50`,
      `${insight}/routines?zone=UTC&limit=100`,
      `${insight}/week?zone=UTC&start=2026-11-16`,
    ]
  ) {
    const sent = await recording.during(async () => {
      const response = await reader.call("GET", path);
      assertEquals(response.status, 200, response.text);
    });
    const statements = new Map(
      sent.filter(({ text }) => GROWING.test(text)).map((statement) => [statement.text, statement]),
    );
    assert(statements.size > 0);
    for (const statement of statements.values()) {
      for (const plan of await plansOf(world(), statement)) assertSeeks(plan, statement.text);
    }
    for (const statement of sent.filter(({ text }) => text.includes("record_revisions"))) {
      // 401 revisions, the steps of the search, and one or two of each other routine.
      const examined = await examinedRows(world(), statement, "record_revisions");
      assert(examined < 401 + 11 * 4 + 12, `${examined} revisions`);
    }
  }
});

Deno.test("Of a routine with very many revisions the newest or the oldest count", async () => {
  const read = async (path: string) => {
    const response = await caller.call("GET", `/api/v2/insight/${path}`);
    assertEquals(response.status, 200, response.text);
    return response.body.data;
  };
  await world().raw(`update record_order set order_form = '' where record_id = '${BUSY}'`);
  const { items: [busy, quiet] } = await read("routines?zone=UTC&limit=2");
  assertEquals([busy.recordId, busy.complete, quiet.complete], [BUSY, false, true]);
  // The hours of 20 November up to noon, those of the 16 days before, and the last ones of another.
  const days = busy.days.map(({ count }: { count: number }) => count);
  assertEquals(days, [4, ...Array(16).fill(24), 13]);
  assertEquals(busy.days.at(-1), { day: "2026-11-20", count: 13 });
  assertEquals(quiet.days, []);

  const short = await read("week?zone=UTC&start=2026-11-16");
  assertEquals(short.routines, { routines: 1, completions: 4 * 24 + 13, complete: true });
  const long = await read("week?zone=UTC&start=2026-10-05");
  assertEquals(long.routines, { routines: 1, completions: 7 * 24, complete: false });
  // Since these midnights there are 400 and 401 revisions.
  const limit = await read("week?zone=Europe/Moscow&start=2026-11-04");
  assertEquals(limit.routines, { routines: 1, completions: 7 * 24, complete: true });
  const beyond = await read("week?zone=Asia/Dubai&start=2026-11-04");
  assertEquals(beyond.routines, { routines: 1, completions: 7 * 24, complete: false });
});

Deno.test("The last revision before a window is found at any place", async () => {
  for (const revision of [1, 2, 3, 599, 600, 601, 1_199, 1_200, 1_201]) {
    const since = new Date(Date.parse("2026-11-20T12:00Z") - (REVISIONS - revision) * 3_600_000);
    const rows = await world().database.read(async (sql) =>
      await timeHistory(sql, {
        owner: caller.accountId,
        recordIds: [BUSY],
        field: "lastCompletedAt",
        since,
        end: "oldest",
      })
    );
    const [first] = rows;
    assertEquals(first?.later, REVISIONS - revision + 1);
    assertEquals(rows.length, Math.min(REVISIONS - revision + 1, 400) + (revision > 1 ? 1 : 0));
    const before = Math.max(revision - 1, 1);
    const time = new Date(Date.parse("2026-11-20T12:00Z") - (REVISIONS - before) * 3_600_000);
    assertEquals(first?.time, time.toISOString());
  }
});

Deno.test("A piece of a week begins after the piece before", async () => {
  const owner = caller.accountId;
  const range = { owner, from: new Date(0), to: new Date("2100-01-01T00:00:00Z") };
  const records = { ...range, permissions: new Set([]) };
  await world().database.read(async (sql) => {
    const written = [...await writtenRecords(sql, records, null, COUNT)];
    const rest = [...await writtenRecords(sql, records, written[2] ?? null, 5)];
    assertEquals(rest, written.slice(3, 8));
    const routines = [...await routineIds(sql, owner, null, COUNT)];
    const others = [...await routineIds(sql, owner, routines[2]?.record_id ?? null, 5)];
    assertEquals(others, routines.slice(3, 8));
    assertEquals([written.length, routines.length], [COUNT, COUNT]);
    for (const kind of ["prediction", "outcome"] as const) {
      const below = [...await timesBelow(sql, { ...range, kind }, null, COUNT)];
      const next = [...await timesBelow(sql, { ...range, kind }, below[2] ?? null, 5)];
      assertEquals(next, below.slice(3, 8));
      assertEquals(below.length, COUNT, kind);
    }
  });
});
