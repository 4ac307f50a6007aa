/** A filtered page examines at most 5,000 rows. */

import { assert, assertEquals } from "@std/assert";
import { FILTERED_PAGE_BUDGET } from "../../src/database/walk.ts";
import { WORD_RULE } from "../../src/records/search_index/lexemes.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { COMMITMENTS, pathOf, readPage, walkPages } from "./kernel.ts";

const world = sharedWorld();

const TIMED = 5_200;

/**
 * Numbered by time in ids and titles. `counterparty` is an SQL expression over `i`. The first
 * `TIMED` have an own time, in the same order.
 */
async function seed(caller: Caller, count: number, counterparty: string): Promise<void> {
  const owner = caller.accountId;
  await world().raw(`
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      select '${owner}', '01KA' || lpad(i::text, 22, '0'), 'commitment', 1,
             '01KB' || lpad(i::text, 22, '0'), 'IMPORT', now(), now(), now(), i::text, '',
             json_build_object('commitmentType', 'LENT', 'content', 'x', 'completionStatus', 'OPEN',
                               'counterparty', ${counterparty})
        from generate_series(1, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, updated_at from records where owner_id = '${owner}';
    insert into record_order (owner_id, record_id, module_code, rule, is_archived, guard, order_form,
                              own_time)
      select owner_id, record_id, module_code, ${WORD_RULE}, false, '', lpad(title, 6, '0'),
             case when title::integer <= ${TIMED} then
               timestamptz '2000-01-01' + title::integer * interval '1 day' end
        from records where owner_id = '${owner}'`);
}

function titles(items: readonly Json[]): number[] {
  return items.map((item) => Number(item.title));
}

Deno.test("GET list ends a filtered page after 5,000 rows and continues from there", async () => {
  const caller = await world().createCaller();
  // Matches at both ends and in the middle.
  await seed(caller, 10_500, "case when i in (1, 5500, 10500) then 'Ada' else 'Bob' end");
  for (const sort of ["createdAt", "-updatedAt"]) {
    const parameters = { sort, "filter[counterparty]": "Ada" };
    const pages = await walkPages(caller, COMMITMENTS, parameters);
    const expected = sort.startsWith("-") ? [[10500], [5500], [1]] : [[1], [5500], [10500]];
    assertEquals(pages.map(titles), expected, sort);
  }
});

Deno.test("GET list by title and own time ends a filtered page after 5,000 rows of both parts", async () => {
  const caller = await world().createCaller();
  await seed(caller, 10_500, "case when i in (1, 5500, 10500) then 'Ada' else 'Bob' end");
  const found = async (parameters: Record<string, string>) => {
    const pages = await walkPages(caller, COMMITMENTS, {
      ...parameters,
      "filter[counterparty]": "Ada",
    });
    return pages.map(titles);
  };
  assertEquals(await found({ sort: "title" }), [[1], [5500], [10500]]);
  assertEquals(await found({ sort: "-title" }), [[10500], [5500], [1]]);
  // The second page has 200 records in order, and 4,800 of those without an own time.
  assertEquals(await found({ sort: "time" }), [[1], [10500], [5500]]);
  assertEquals(await found({ sort: "-time" }), [[], [1, 10500], [5500]]);
  const until = { "time[to]": "2000-01-03T00:00:00Z" };
  assertEquals(await found({ sort: "-time", ...until }), [[1]]);
  assertEquals(await found({ sort: "-title", ...until }), [[], [], [1]]);
});

Deno.test("GET list uses the last examined row as the cursor of a short page", async () => {
  const caller = await world().createCaller();
  await seed(caller, FILTERED_PAGE_BUDGET + 1, "'Bob'");
  const filter = { "filter[counterparty]": "Ada" };
  const newest = await readPage(caller, COMMITMENTS, filter);
  assertEquals(newest, { items: [], nextCursor: `01KA${"2".padStart(22, "0")}` });
  const oldest = await readPage(caller, COMMITMENTS, { ...filter, sort: "updatedAt" });
  assertEquals(oldest, { items: [], nextCursor: `01KB${"5000".padStart(22, "0")}` });
  const rest = await readPage(caller, COMMITMENTS, { ...filter, cursor: newest.nextCursor ?? "" });
  assertEquals(rest, { items: [], nextCursor: null });
});

Deno.test("GET list ends a filtered walk of fewer than 5,000 rows with its page", async () => {
  const caller = await world().createCaller();
  await seed(caller, FILTERED_PAGE_BUDGET - 1, "case when i % 1000 = 0 then 'Ada' else 'Bob' end");
  const filter = { "filter[counterparty]": "Ada" };
  const page = await readPage(caller, COMMITMENTS, filter);
  assertEquals([titles(page.items), page.nextCursor], [[4000, 3000, 2000, 1000], null]);
  const full = await readPage(caller, COMMITMENTS, { ...filter, limit: "3" });
  assertEquals(full.nextCursor, full.items[2].recordId);
});

Deno.test("GET list finds every match of a filter over archived and live records", async () => {
  const caller = await world().createCaller();
  const count = FILTERED_PAGE_BUDGET + 1_001;
  await seed(caller, count, "case when i % 1250 = 1 then 'Ada' else 'Bob' end");
  const filter = { "filter[counterparty]": "Ada" };
  const all = (await walkPages(caller, COMMITMENTS, filter)).flat();
  for (const item of all.filter((_, index) => index % 2 === 0)) {
    await caller.call("POST", `${pathOf(item)}/archive`);
  }
  const walk = { ...filter, archived: "include", sort: "createdAt", limit: "2" };
  const pages = await walkPages(caller, COMMITMENTS, walk);
  assertEquals(titles(pages.flat()), titles(all.toReversed()));
  for (const page of pages) assert(page.length <= 2);
});

Deno.test("GET list examines at most 5,000 rows for a range of the other time", async () => {
  const caller = await world().createCaller();
  await seed(caller, FILTERED_PAGE_BUDGET + 10, "'Bob'");
  // In order of creation; later changes do not exist.
  const parameters = { updatedFrom: "2026-11-20T00:00:00Z" };
  const page = await readPage(caller, COMMITMENTS, parameters);
  assertEquals([page.items, page.nextCursor === null], [[], false]);
  assertEquals((await walkPages(caller, COMMITMENTS, parameters)).length, 2);
});
