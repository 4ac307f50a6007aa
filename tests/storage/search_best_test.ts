// engines: postgres
/** `order: "BEST"` among more records than are ordered by time, and its statements. */

import { assert, assertEquals } from "@std/assert";
import { markOf } from "../../src/records/search_index/texts.ts";
import { FILTERED_PAGE_BUDGET as LIMIT } from "../../src/database/walk.ts";
import { withPermissions } from "../families/memory/api.ts";
import { assertFailure, COMMITMENT } from "../http/kernel.ts";
import { ask, search, searchAll } from "../http/search.ts";
import { type Caller, callerOf, createWorld } from "../support/world.ts";
import { idOf, idsSql } from "./many_rows.ts";
import { assertSeeks, examinedRows, plansOf } from "./plans.ts";
import { createRecordingDatabase } from "./recording.ts";

interface Crowd {
  readonly prefix: string;
  readonly count: number;
  readonly title: string;
  readonly module?: string;
  readonly guard?: string;
  readonly isArchived?: boolean;
}

/** Records with their index rows. The own time of every other one descends with its number. */
function crowd({ accountId }: Caller, crowd: Crowd): string {
  const { prefix, count, title, module = "commitment", guard, isArchived = false } = crowd;
  const code = accountId.slice(-6);
  const words = title.toLowerCase().split(" ").flatMap((word) => [word, `T${word}`]);
  const marks = [
    guard === undefined ? markOf(module) : "G",
    ...(module === "relationship" ? ["P"] : []),
  ];
  const lexemes = [...words, ...marks].map((word) => code + word);
  const permission = guard === undefined ? "null" : `'${guard}'`;
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, archived_at, title, summary, payload, guard)
      select '${accountId}', ${idsSql(prefix)}, '${module}', 1, ${
    idsSql(prefix)
  }, 'SEED', now(), now(),
             now(), ${isArchived ? "now()" : "null"}, '${title}', '', '{}', ${permission}
        from generate_series(1, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at, archived_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, updated_at, archived_at
        from records where owner_id = '${accountId}' and record_id like '${prefix}%';
    insert into search_index (owner_id, record_id, rule, words)
      select owner_id, record_id, 3, array_to_tsvector('{${lexemes.join(",")}}')
        from records where owner_id = '${accountId}' and record_id like '${prefix}%';
    insert into record_order (owner_id, record_id, module_code, rule, is_archived, guard, order_form, own_time)
      select '${accountId}', ${idsSql(prefix)}, '${module}', 3, ${isArchived},
             '${
    guard ?? ""
  }', '${title.toLowerCase()}', timestamptz '2020-01-01' - i * interval '1 hour'
        from generate_series(1, ${count}) i;`;
}

/** The identifiers of a crowd, as they were made: by own time, newest first. */
function idsOf({ prefix, count }: Crowd): string[] {
  return Array.from({ length: count }, (_, index) => idOf(prefix, index + 1));
}

const START = { prefix: "01KA", count: LIMIT + 20, title: "Pebble stone" };
const EXACT = { prefix: "01KB", count: 30, title: "Pebble" };
const TITLE = { prefix: "01KC", count: 40, title: "Grey pebble" };
const ARCHIVED = { prefix: "01KD", count: LIMIT + 10, title: "Basalt x", isArchived: true };
const LIVE = { prefix: "01KE", count: 20, title: "Basalt x" };
const OLD_PEOPLE = { prefix: "01KG", count: 20, title: "Old basalt", module: "relationship" };
const OLD = { prefix: "01KH", count: 20, title: "Old basalt" };
const AS_OLD = { ...OLD, prefix: "01KM" };
const SLATES = { prefix: "01KJ", count: 160, title: "Slate", module: "relationship" };
const ROOFS = { prefix: "01KK", count: 20, title: "Slate roof" };
const SECRET = {
  prefix: "01KF",
  count: 60,
  title: "Grey pebble",
  module: "memory",
  guard: "memory.secret",
};

Deno.test("A class of more than 5,000 records is by identifier, others are by own time", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await caller.create("commitment", COMMITMENT, "A title");
  const crowds = [START, EXACT, TITLE, ARCHIVED, LIVE];
  await world.raw(crowds.map((made) => crowd(caller, made)).join("\n"));
  const reader = await withPermissions(world, caller, "search.read", "record.read", "memory.read");
  const found = async (one: Caller, q: string, limit: number) => {
    const items = await searchAll(one, q, { order: "BEST", limit });
    return { ids: items.map(({ recordId }) => recordId), matches: items.map(({ match }) => match) };
  };
  const expected = [...idsOf(EXACT), ...idsOf(START).reverse(), ...idsOf(TITLE)];
  const { ids, matches } = await found(reader, "pebble", 100);
  assertEquals(ids, expected);
  assertEquals([...new Set(matches)], ["EXACT", "START", "TITLE"]);
  // Too many archived records have the word: all live ones are compared.
  assertEquals((await found(reader, "basalt", 15)).ids, idsOf(LIVE));
  const others = [OLD_PEOPLE, OLD, AS_OLD, SLATES, ROOFS];
  await world.raw(others.map((made) => crowd(caller, made)).join("\n"));
  const newer = idsOf(AS_OLD);
  const old = idsOf(OLD).flatMap((id, index) => [newer[index] ?? "", id]);
  const basalt = [...idsOf(LIVE), ...idsOf(OLD_PEOPLE), ...old];
  assertEquals((await found(caller, "basalt", 15)).ids, basalt);
  assertEquals((await found(caller, "slate", 100)).ids, [...idsOf(SLATES), ...idsOf(ROOFS)]);
  await world.raw(crowd(caller, SECRET));
  assertEquals((await found(reader, "grey", 30)).ids, idsOf(TITLE));
  const all = (await found(caller, "grey", 50)).ids;
  assertEquals(all.length, SECRET.count + TITLE.count);
});

Deno.test("Statements of BEST seek along indexes and examine few rows", async () => {
  await using world = await createWorld();
  const owner = await world.createCaller();
  await owner.create("commitment", COMMITMENT, "A title");
  await world.raw([START, EXACT, TITLE, SECRET].map((made) => crowd(owner, made)).join("\n"));
  await world.raw("analyze");
  const recording = createRecordingDatabase(world.database);
  const caller = callerOf(world.again({ database: recording.database }), owner);
  let examined = 0;
  for (const q of ["pebble", "grey", "greyy", "stone", "absent"]) {
    const sent = await recording.during(() => search(caller, q, { order: "BEST", limit: 40 }));
    const reads = sent.filter(({ text }) => /examined/.test(text));
    assert(reads.length > 1, q);
    for (const statement of reads) {
      for (const plan of await plansOf(world, statement)) assertSeeks(plan, statement.text);
      for (const table of ["records", "record_order", "search_index"]) {
        const rows = await examinedRows(world, statement, table);
        // An order form, and an own time, are read for each.
        assert(rows <= 2 * (LIMIT + 1), `${rows} rows of ${table} for ${q}: ${statement.text}`);
        examined += rows;
      }
    }
  }
  assert(examined > LIMIT, `${examined} rows`);
});

Deno.test("BEST waits until the order of records is built", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await caller.create("commitment", COMMITMENT, "Pebble");
  await world.raw("update search_index_build set order_is_complete = false");
  const response = await ask(caller, "pebble", { order: "BEST" });
  assertFailure(response, "HTTP_503");
  assertEquals(response.headers.get("Retry-After"), "1");
  assertEquals((await search(caller, "pebble")).items.length, 1);
});
