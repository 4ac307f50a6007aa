// engines: postgres
/** Lists of dates and contacts examine the rows of a page, however many an account has. */

import { assert, assertEquals } from "@std/assert";
import { createPerson } from "../families/relationship/api.ts";
import { type Caller, callerOf, fileWorld, type Json, type World } from "../support/world.ts";
import { DUE, linesOf, makeFeed, readCalendar } from "../http/calendar.ts";
import { idsSql, insertMany } from "./many_rows.ts";
import { examinedRows } from "./plans.ts";
import { createRecordingDatabase } from "./recording.ts";

const LIMIT = 20;
/** A read walks each of two years, and 29 February; each walk reads one row more than the limit. */
const ROWS_A_PAGE = 3 * (LIMIT + 1);
/** The most that one walk examines, and looks for its end. */
const ROWS_A_WALK = 2 * 5_000;

/** Dates, of one person unless `numbered` has others, with a value as SQL in terms of `i`. */
function insertDates(
  { accountId }: Caller,
  { personId }: Json,
  beginning: string,
  count: number,
  date: string,
  what = "BIRTHDAY",
  numbered: Readonly<Record<string, string>> = {},
): string {
  const value = `'{"date":"' || ${date} || '","what":"${what}"}'`;
  const row = {
    owner_id: accountId,
    detail_id: "",
    person_id: personId,
    person_revision: 1,
    kind: "DATE",
    value: "",
    preferred: false,
    privacy: "NORMAL",
    content_hash: "",
    recorded_at: "2026-01-01T00:00:00Z",
  };
  const rows = insertMany("person_details", row, count, {
    detail_id: idsSql(beginning),
    value: `(${value})::json`,
    content_hash: `encode(sha256(convert_to(${value}, 'UTF8')), 'hex')`,
    ...numbered,
  });
  return `${rows} analyze;`;
}

const LISTS = [
  `/api/v2/relationship/dates?from=2026-12-01&to=2027-12-01&limit=${LIMIT}`,
  `${DUE}?from=2026-12-01T00:00:00Z&until=2027-12-01T00:00:00Z&limit=${LIMIT}`,
];

/** The rows of a table that a page examines, and its answer. */
async function readPage(world: World, caller: Caller, list: string, table = "person_details") {
  const recording = createRecordingDatabase(world.database);
  const reader = callerOf(world.again({ database: recording.database }), caller);
  let data: Json = null;
  const sent = await recording.during(async () => {
    const response = await reader.call("GET", list);
    assertEquals(response.status, 200, response.text);
    ({ data } = response.body);
  });
  let rows = 0;
  for (const statement of sent.filter(({ text }) => text.includes(table))) {
    rows += await examinedRows(world, statement, table);
  }
  return { rows, items: data.items as Json[], nextCursor: data.nextCursor as string | null };
}

/** A world in which a person may have more than 200 details, and no revisions. */
const shared = fileWorld({}, (world) =>
  world.raw(`
    alter table person_details disable trigger all;
    alter table people disable trigger all`));

Deno.test("Pages of dates examine no more rows when there are more dates", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const person = await createPerson(caller);
  const days = `to_char(date '2027-01-01' + i % 300, '"--"MM-DD')`;
  await world.raw(insertDates(caller, person, "01KD0", 500, days));
  for (const round of [1, 2]) {
    for (const list of LISTS) {
      const { rows, items, nextCursor } = await readPage(world, caller, list);
      assertEquals(items.length, LIMIT);
      assert(rows <= ROWS_A_PAGE, `${rows} rows, round ${round}: ${list}`);
      const next = await readPage(world, caller, `${list}&cursor=${nextCursor}`);
      assert(next.rows <= ROWS_A_PAGE, `${next.rows} rows of the second page: ${list}`);
    }
    if (round === 1) await world.raw(insertDates(caller, person, "01KD1", 3_000, `'--01-01'`));
  }
});

Deno.test("A walk over dates that nobody sees ends at its budget, and the next page goes on", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const person = await createPerson(caller);
  // Born in the year 9999, so that none of them returns in the lists.
  await world.raw(insertDates(caller, person, "01KD0", 6_000, `'9999-06-01'`));
  await world.raw(insertDates(caller, person, "01KD1", 3, `'2000-06-01'`));
  for (const list of LISTS) {
    const found: Json[] = [];
    let [pages, cursor] = [0, ""];
    do {
      const page = await readPage(world, caller, `${list}${cursor}`);
      assert(page.rows <= ROWS_A_WALK + ROWS_A_PAGE, `${page.rows} rows: ${list}`);
      found.push(...page.items);
      cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
      pages += 1;
    } while (cursor !== "");
    assertEquals(found.map(({ date }) => date), Array(3).fill("2027-06-01"), list);
    assertEquals(pages, 2, list);
  }
});

Deno.test("A calendar of 5,001 dates has 5,000 and says that it ends", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const person = await createPerson(caller);
  const feed = await makeFeed(world, caller);
  const ends = async () => {
    const lines = linesOf(await readCalendar(world, feed));
    const uids = lines.filter((line) => line.startsWith("UID:"));
    return [uids.length, uids.includes(`UID:${feed.feedId}-END@prs`)];
  };
  await world.raw(insertDates(caller, person, "01KD0", 5_000, `'2000-06-01'`));
  assertEquals(await ends(), [5_000, false]);
  await world.raw(insertDates(caller, person, "01KD1", 1, `'2000-06-01'`));
  assertEquals(await ends(), [5_001, true]);
});

Deno.test("A walk over contacts of the dead ends at its budget, and the next page goes on", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const lastContactAt = "2020-01-01T00:00:00Z";
  const person = await createPerson(caller, { lastContactAt, desiredContactIntervalDays: 3 });
  await world.raw(`
    insert into people select (json_populate_record(p, json_build_object(
      'person_id', ${idsSql("01KD0")}, 'revision_id', ${idsSql("01KD1")}))).*
      from people p, generate_series(1, 5500) i where person_id = '${person.personId}';`);
  await world.raw(`update people set status = 'PAUSED' where person_id = '${person.personId}'`);
  const people = { person_id: idsSql("01KD0") };
  await world.raw(insertDates(caller, person, "01KD2", 5500, "'2019'", "DEATH", people));
  await createPerson(caller, { personName: "Lena", desiredContactIntervalDays: 3, lastContactAt });
  const list = `${DUE}?kinds=CONTACT&limit=${LIMIT}`;
  const first = await readPage(world, caller, list, "people");
  assert(first.rows <= ROWS_A_WALK, `${first.rows} rows`);
  assertEquals(first.items, []);
  const next = await readPage(world, caller, `${list}&cursor=${first.nextCursor}`, "people");
  assertEquals([next.items.map(({ title }) => title), next.nextCursor], [["Lena"], null]);
});
