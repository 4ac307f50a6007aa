// engines: postgres
/** Plans of the reads of counts, among many rows of several accounts. */

import { assert, assertEquals } from "@std/assert";
import type { Sql } from "../../src/database/sql.ts";
import { memoryRangeEnd } from "../../src/families/memory/port.ts";
import { findContactTimes } from "../../src/families/relationship/port.ts";
import { ownTimes, payloadColumns } from "../../src/records/port.ts";
import { insertRelationshipCrowd } from "../families/relationship/crowd.ts";
import { createWorld } from "../support/world.ts";
import { assertWalks, examinedRows, plansOf } from "./plans.ts";
import { createRecordingDatabase } from "./recording.ts";

const ROWS = 1_000;
const KINDS = { health: ["WEIGHT", "MOOD"], memory: ["EXACT", "YEAR"], capture: [null, null] };
const FIRST = "2000-01-01T00:00:00Z";

/** Rows of records, memories and their order, an hour apart. Every fifth memory is guarded. */
function rowsOf(owner: string, beginning: string): string {
  const time = `timestamptz '${FIRST}' + i * interval '1 hour'`;
  return Object.entries(KINDS).map(([module, [often, seldom]], index) => {
    const kind = often === null
      ? "null"
      : `case when i % 10 > 0 then '${often}' else '${seldom}' end`;
    const id = `'01${beginning}${index}' || lpad(i::text, 21, '0')`;
    const guard = module === "memory" ? "case when i % 5 = 0 then 'memory.secret' end" : "null";
    return `
      insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                           recorded_at, created_at, updated_at, title, summary, payload, guard)
        select '${owner}', ${id}, '${module}', 1, ${id}, 'SEED', now(), now(), now(), 'A', '',
               '{"value":1,"unit":"kg"}', ${guard} from generate_series(1, ${ROWS}) i;
      insert into record_order (owner_id, record_id, module_code, rule, is_archived, guard,
                                order_form, own_time, kind)
        select '${owner}', ${id}, '${module}', 3, false, coalesce(${guard}, ''), 'a', ${time}, ${kind}
          from generate_series(1, ${ROWS}) i;`;
  }).join("") + `
    insert into memories (owner_id, memory_id, revision, revision_id, created_at, updated_at, title,
                          summary, memory_type, original_content, current_content, privacy_level,
                          occurred_at, time_precision, time_from, time_to)
      select r.owner_id, r.record_id, 1, r.revision_id, now(), now(), 'A', '', 'EVENT', 'A', 'A',
             'NORMAL', o.own_time, 'EXACT', o.own_time, o.own_time + interval '1 day'
        from records r join record_order o using (owner_id, record_id)
       where r.owner_id = '${owner}' and r.module_code = 'memory';`;
}

Deno.test("Each piece of a count is read along its index, after the piece before", async () => {
  await using world = await createWorld();
  const [caller, other] = [await world.createCaller(), await world.createCaller()];
  await world.raw(`set local session_replication_role = replica;
    ${rowsOf(caller.accountId, "KA")} ${rowsOf(other.accountId, "KB")}
    ${insertRelationshipCrowd(caller, 1_000, "01KC")} analyze`);
  const owner = caller.accountId;
  const range = { owner, from: new Date(FIRST), to: new Date("2000-03-01T00:00:00Z") };
  const permissions = new Set(["memory.secret"] as const);
  const at = new Date("2000-01-03T00:00:00Z");
  const last = {
    record_id: `01KA0${"47".padStart(21, "0")}`,
    own_time: at,
    own_day: null,
    kind: null,
  };
  const contact = {
    contact_id: last.record_id,
    person_id: last.record_id,
    contacted_at: at,
    clocks: null,
    privacy: "NORMAL",
    is_retracted: false,
  } as const;
  const limit = 500;
  const ranges = [
    { moduleCode: "capture", permissions: new Set([]) },
    { moduleCode: "health", permissions, kind: "WEIGHT" },
    { moduleCode: "health", permissions },
    { moduleCode: "memory", permissions },
    { moduleCode: "memory", permissions, kind: "YEAR" },
  ];
  const joins = {
    capture: () => null,
    health: (sql: Sql) => payloadColumns(sql, owner, ["value", "unit"]),
    memory: (sql: Sql) => ({
      columns: sql`joined.time_to`,
      row: (recordId: Parameters<typeof memoryRangeEnd>[2]) => memoryRangeEnd(sql, owner, recordId),
    }),
  };
  await world.database.read(async (sql) => {
    const whole = { ...range, moduleCode: "health", permissions };
    const times = [...await ownTimes(sql, whole, null, limit)];
    assertEquals([...await ownTimes(sql, whole, times[2] ?? null, 5)], times.slice(3, 8));
    const ever = { owner, from: new Date(0), to: new Date("2100-01-01T00:00:00Z") };
    const contacts = [...await findContactTimes(sql, ever, null, limit)];
    const next = [...await findContactTimes(sql, ever, contacts[2] ?? null, 5)];
    assertEquals(next, contacts.slice(3, 8));
    assert(times.length === limit && contacts.length === limit);
  });
  const { database, during } = createRecordingDatabase(world.database);
  const sent = await during(() =>
    database.read(async (sql) => {
      for (const after of [null, last]) {
        for (const part of ranges) {
          const more = joins[part.moduleCode as keyof typeof joins](sql);
          await ownTimes(sql, { ...range, ...part }, after, limit, more);
        }
        await findContactTimes(sql, range, after && contact, limit);
      }
    })
  );
  for (const statement of sent) {
    for (const plan of await plansOf(world, statement)) {
      assertWalks(plan, statement.text);
      const names = JSON.stringify(plan);
      const isOfKind = / and kind = /.test(statement.text);
      if (isOfKind) assert(names.includes("record_order_by_kind"), statement.text);
    }
    const table = statement.text.includes("person_contacts") ? "person_contacts" : "record_order";
    const examined = await examinedRows(world, statement, table);
    assert(examined > 0 && examined <= limit + 1, `${examined}: ${statement.text}`);
  }
});
