// engines: postgres
/** Costs of writes and pages do not depend on earlier data. */

import { assert, assertEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { COMMITMENT, COMMITMENTS, pathOf } from "../http/kernel.ts";
import { done, remember, textPath } from "../families/memory/api.ts";
import { countNow, openWithKeptPlans } from "./statistics.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, callerOf, createWorld, type Json, type World } from "../support/world.ts";

const WRITES = 80;
/** Root, revision, the one before, owner, key. */
const ROWS_A_WRITE = 8;
/** Twice that: itself and its projection. */
const ROWS_A_MEMORY = 16;

/** Since the database was created. */
async function rowsRead(world: World): Promise<{ reads: number; scans: number }> {
  const [row] = await world.rows(`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as reads,
           sum(coalesce(idx_scan, 0))::integer as scans
      from pg_stat_user_tables
     where relname in ('records', 'record_revisions', 'idempotency_envelopes', 'audit_entries',
                       'memories', 'memory_revisions')`);
  return row;
}

/** Few rows per write. */
async function assertReads(world: World, writes: number, rowsAWrite: number): Promise<void> {
  // Statistics arrive late.
  await waitUntil("the reads are counted", async () => (await rowsRead(world)).scans >= writes);
  const { reads } = await rowsRead(world);

  assert(reads < writes * rowsAWrite, `${writes} writes read ${reads} rows`);
}

Deno.test("Writes to an initially empty database read the same few rows at every size", async () => {
  // Plans are made for empty tables and kept.
  await using world = await createWorld();
  const caller = await world.createCaller();
  for (let index = 0; index < WRITES; index++) {
    const made = await caller.create("commitment", COMMITMENT);
    if (index % 4 === 0) await caller.call("PATCH", pathOf(made), { body: { title: `${index}` } });
  }
  await assertReads(world, WRITES, ROWS_A_WRITE);
});

Deno.test("Memory writes read the same few rows at every size", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  for (let index = 0; index < WRITES; index++) {
    const made = await remember(caller);
    if (index % 4 !== 0) continue;
    await done(caller, textPath(made, "/revisions"), {
      currentContent: `${index}`,
      expectedRevision: 1,
    });
  }
  await assertReads(world, WRITES, ROWS_A_MEMORY);
});

/** Far more than the index's depth, far less than its pages. */
const INDEX_PAGES_A_WRITE = 20;

/** Searches, and pages read for them. */
async function envelopeIndexUse(world: World): Promise<{ scans: number; pages: number }> {
  await countNow(world);
  const [use] = await world.rows(`
    select idx_scan::integer as scans, (idx_blks_read + idx_blks_hit)::integer as pages
      from pg_stat_user_indexes join pg_statio_user_indexes using (indexrelid)
     where pg_stat_user_indexes.indexrelname = 'idempotency_envelopes_pkey'`);
  return use;
}

Deno.test("A write finds its key in few pages, however many keys its owner used", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  // Copies of the service's own rows; half get a target.
  await caller.create("commitment", COMMITMENT);
  await world.raw(`
    insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                       fingerprint_key, envelope, created_at)
      select owner_id, operation, case when i % 2 = 0 then i::text else target end, md5(i::text),
             fingerprint, fingerprint_key, envelope, created_at
        from idempotency_envelopes, generate_series(1, 10000) i
       where owner_id = '${caller.accountId}'`);
  const writes = 10;
  await caller.create("commitment", COMMITMENT);
  const before = await envelopeIndexUse(world);
  for (let index = 0; index < writes; index++) await caller.create("commitment", COMMITMENT);
  const after = await envelopeIndexUse(world);
  const pages = after.pages - before.pages;

  assert(after.scans > before.scans, "The searches were not counted");
  assert(pages < writes * INDEX_PAGES_A_WRITE, `${writes} writes looked at ${pages} pages`);
});

const FEW = 300;
const MANY = 1_500;
const PAGE = 10;
/** One row more than shown. */
const ROWS_A_PAGE = 2 * PAGE;
/** So that each session has planned its statements. */
const EXECUTIONS = 2;

/** Live first revisions with an identifier prefix. */
function recordsOf({ accountId }: Caller, module: string, prefix: string, count: number): string {
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      select '${accountId}', '${prefix}' || lpad(i::text, 22, '0'), '${module}', 1,
             '${prefix}' || lpad(i::text, 22, '0'), 'SEED', now(), now(), now(), i::text, '',
             json_build_object('content', repeat('x', 200))
        from generate_series(1, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, updated_at
        from records where owner_id = '${accountId}' and record_id like '${prefix}%';`;
}

/** Index searches and rows since creation. */
async function recordReads(
  world: World,
  database: Database,
): Promise<{ scans: number; rows: number }> {
  await countNow({ database });
  const [reads] = await world.rows(`
    select coalesce(idx_scan, 0)::integer as scans,
           (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
      from pg_stat_user_tables where relname = 'records'`);
  return reads;
}

const LISTS = ["createdAt", "-createdAt", "updatedAt", "-updatedAt"].flatMap((order) =>
  ["exclude", "include"].map((archived) =>
    `${COMMITMENTS}?limit=${PAGE}&sort=${order}&archived=${archived}`
  )
);

async function assertPage(caller: Caller, list: string): Promise<void> {
  const response = await caller.call("GET", list);
  assertEquals(response.status, 200, response.text);
  const modules = response.body.data.items.map(({ moduleCode }: Json) => moduleCode);
  assertEquals(modules, Array(PAGE).fill("commitment"), list);
}

Deno.test("A page of a module reads its own rows, also with an old plan", async () => {
  await using world = await createWorld();
  const database = await openWithKeptPlans(world);
  const caller = callerOf(world.again({ database }), await world.createCaller());
  await world.raw(`${recordsOf(caller, "commitment", "01KM", FEW)} analyze`);
  for (let execution = 0; execution < EXECUTIONS; execution++) {
    for (const list of LISTS) await assertPage(caller, list);
  }
  // On both sides of the page's.
  await world.raw(`
    ${recordsOf(caller, "health", "01KA", MANY)}
    ${recordsOf(caller, "health", "01KZ", MANY)}`);
  for (const list of LISTS) {
    const before = await recordReads(world, database);
    await assertPage(caller, list);
    const after = await recordReads(world, database);
    const rows = after.rows - before.rows;
    assert(after.scans > before.scans, "The page was not counted");
    assert(rows <= ROWS_A_PAGE, `${list}: a page of ${PAGE} read ${rows} rows`);
  }
  await database.close();
});

const GROWN = 8_000;
/** Two descents of the index and a page's entries; half of the walk would be twice as many. */
const INDEX_PAGES_A_PAGE = 24;

/** Since the database was created. */
async function recordIndexPages(world: World): Promise<number> {
  await countNow(world);
  const [use] = await world.rows(`
    select sum(idx_blks_read + idx_blks_hit)::integer as pages
      from pg_statio_user_indexes where relname = 'records'`);
  return use.pages;
}

Deno.test("A page deep in a walk reads as few index pages as the first", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await world.raw(`${recordsOf(caller, "commitment", "01KM", GROWN)} analyze`);
  const [{ deep, earliest, latest }] = await world.rows(`
    select max(record_id) filter (where place = ${GROWN / 2}) as deep,
           to_char(min(created_at) - interval '10 years', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as earliest,
           to_char(max(created_at) + interval '10 years', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as latest
      from (select *, row_number() over (order by record_id) as place from records) numbered`);
  const ranges = ["", `&createdFrom=${earliest}&createdTo=${latest}`];
  for (const list of LISTS.slice(0, 4).flatMap((list) => ranges.map((range) => list + range))) {
    const page = `${list}&cursor=${deep}`;
    await assertPage(caller, page);
    const before = await recordIndexPages(world);
    await assertPage(caller, page);
    const pages = await recordIndexPages(world) - before;
    assert(pages > 0, "The page was not counted");
    assert(pages <= INDEX_PAGES_A_PAGE, `${page}: looked at ${pages} index pages`);
  }
});
