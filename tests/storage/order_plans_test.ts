// engines: postgres
/** Plans of lists by title and own time are the same for one record and for many. */

import { assert } from "@std/assert";
import type { Permission } from "../../src/access/permissions.ts";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { newestFirst, type RecordListQuery } from "../../src/records/list_query.ts";
import { readOrderedList, readWrittenList } from "../../src/records/ordered_list.ts";
import type { OrderPosition } from "../../src/records/two_part_walk.ts";
import { createWorld, type World } from "../support/world.ts";
import { assertSeeks, examinedRows, nodesOf, plansOf } from "./plans.ts";
import { createRecordingDatabase, type SentStatement } from "./recording.ts";

/** Every third is archived, every fourth has no own time, and every fifth memory is guarded. */
function recordsOf(accountId: string, module: string, shard: string, count: number): string {
  const guard = module === "memory" ? "case when i % 5 = 0 then 'memory.secret' end" : "null";
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, archived_at, title, summary, payload,
                         guard)
      select '${accountId}', '01K${shard}' || lpad(i::text, 22, '0'), '${module}', 1,
             '01M${shard}' || lpad(i::text, 22, '0'), 'SEED', now(), now(), now(),
             case when i % 3 = 0 then now() end, i::text, '',
             json_build_object('counterparty', case when i % 1000 = 0 then 'Ada' else 'Bob' end),
             ${guard}
        from generate_series(1, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, archived_at, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, archived_at, updated_at
        from records where owner_id = '${accountId}' and module_code = '${module}';
    insert into record_order (owner_id, record_id, module_code, rule, is_archived, guard, order_form,
                              own_time)
      select owner_id, record_id, module_code, 3, archived_at is not null, coalesce(guard, ''),
             md5(title),
             case when title::integer % 4 > 0 then
               timestamptz '1990-01-01' + title::integer * 7919 % 10007 * interval '1 day' end
        from records where owner_id = '${accountId}' and module_code = '${module}';`;
}

type Held = readonly Permission[];

const READERS: readonly (readonly [held: Held, archived: "exclude" | "include"])[] = [
  [[], "include"],
  [["memory.secret"], "exclude"],
];

const ID = `01KA${"500".padStart(22, "0")}`;
const VALUES = { title: "8", time: "2000-01-01T00:00:00Z" };

/** Positions before a first page, in the middle, and among the records at the end. */
function positionsOf(by: "title" | "time"): (OrderPosition | null)[] {
  return [null, [false, VALUES[by], ID], [true, null, ID]];
}

const CONDITIONS = [
  {},
  { time: { from: new Date("1995-01-01T00:00:00Z"), to: new Date("2010-01-01T00:00:00Z") } },
  { created: { from: new Date("2020-01-01T00:00:00Z") } },
];

const LIMIT = 10;
/** Each of eight branches reads one row more than a page has. */
const ROWS_A_PAGE = 8 * (LIMIT + 1);

/** One statement of each text. */
async function statementsOf(world: World, owner: string): Promise<SentStatement[]> {
  const { database, during } = createRecordingDatabase(world.database);
  const module = CATALOG.module("memory");
  assert(module !== undefined);
  const read = async (held: Held, query: RecordListQuery) => {
    const list = { module, query, owner, permissions: new Set(held) };
    await database.read((sql) => readWrittenList(sql, list, "updatedAt"));
    for (const by of ["title", "time"] as const) {
      for (const after of positionsOf(by)) {
        await database.read((sql) => readOrderedList(sql, list, by, after));
      }
    }
  };
  const sent = await during(async () => {
    for (const [held, archived] of READERS) {
      for (const conditions of CONDITIONS) {
        const page = { ...newestFirst({ limit: LIMIT, cursor: null }, archived), time: {} };
        await read(held, { ...page, ...conditions });
        await read(held, { ...page, ...conditions, isDescending: false });
      }
    }
  });
  const own = sent.filter(({ text }) => /\brecord_order\b/.test(text));
  return [...new Map(own.map((statement) => [statement.text, statement])).values()];
}

/** The columns before the order of each index. */
const CHOSEN = ["module_code", "owner_id", "guard", "is_archived"];

async function assertPlans(world: World, statement: SentStatement): Promise<void> {
  for (const plan of await plansOf(world, statement)) {
    assertSeeks(plan, statement.text);
    for (const node of nodesOf(plan)) {
      const { "Index Name": index, "Index Cond": condition, Filter: filter } = node;
      const isWalk = node["Relation Name"] === "record_order" && node.Alias !== "timed";
      // Rows that the build writes again have no module.
      if (!isWalk || condition?.includes("module_code = ''")) continue;
      assert(index !== "record_order_pkey", statement.text);
      for (const column of CHOSEN) assert(condition.includes(column), `${index}: ${condition}`);
      assert(filter === undefined, `${statement.text} ${filter}`);
    }
  }
}

/** Records of two modules of an account among those of another one. */
async function openCrowd(count: number): Promise<{ world: World; owner: string }> {
  const world = await createWorld();
  const [owner, other] = [await world.createCaller(), await world.createCaller()];
  await world.raw(`
    ${recordsOf(owner.accountId, "memory", "A", count)}
    ${recordsOf(owner.accountId, "health", "B", count)}
    ${recordsOf(other.accountId, "memory", "A", count)}
    analyze`);
  return { world, owner: owner.accountId };
}

for (const count of [1, 2_000]) {
  Deno.test(`Lists by title and own time walk along their indexes among ${count} records`, async () => {
    const { world, owner } = await openCrowd(count);
    await using _ = world;
    const statements = await statementsOf(world, owner);
    assert(statements.length > 30, `${statements.length}`);
    for (const statement of statements) {
      await assertPlans(world, statement);
      if (statement.text.includes("budget")) continue;
      const rows = await examinedRows(world, statement, "record_order");
      assert(rows <= ROWS_A_PAGE, `${rows}: ${statement.text}`);
    }
  });
}
