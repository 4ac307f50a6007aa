// engines: postgres
/** Plans of memory lists: all use an index. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { FILTERED_PAGE_BUDGET } from "../../src/database/walk.ts";
import { type Caller, callerOf, fileWorld } from "../support/world.ts";
import { assertSeeks, assertWalks, plansOf } from "./plans.ts";
import { createRecordingDatabase } from "./recording.ts";

const TEXTS = "/api/v2/memory/texts";
const COUNT = FILTERED_PAGE_BUDGET + 2_000;

function idOf(number: number): string {
  return `01KA${String(number).padStart(22, "0")}`;
}

const CONTENT =
  `title, summary, memory_type, current_content, occurred_at, time_precision, time_from,
  time_to, privacy_level, archived_at`;

/** Every third archived, every second with a time. */
function memoriesOf({ accountId }: Caller, count: number): string {
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      select '${accountId}', '01KA' || lpad(i::text, 22, '0'), 'memory', 1,
             '01MA' || lpad(i::text, 22, '0'), 'SEED', now(), now(), now(), 'A', '', '{}'
        from generate_series(1, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, updated_at from records where owner_id = '${accountId}';
    insert into memories (owner_id, memory_id, revision, revision_id, created_at, updated_at,
                          original_content, ${CONTENT})
      select owner_id, record_id, 1, revision_id, created_at, updated_at, 'x', 'A', '',
             case when n % 1000 = 0 then 'DREAM' else 'EVENT' end, 'x',
             case when n % 2 = 0 then moment end, case when n % 2 = 0 then 'DAY' end,
             case when n % 2 = 0 then moment end, case when n % 2 = 0 then moment + interval '24 hours' end,
             'PRIVATE', case when n % 3 = 0 then created_at end
        from (select r.*, right(record_id, 10)::integer as n,
                     timestamptz '1950-01-01 00:00:00Z' + right(record_id, 10)::integer * interval '24 hours'
                       as moment
                from records r where owner_id = '${accountId}') r;
    insert into memory_revisions (owner_id, memory_id, revision, revision_id, change, created_at,
                                  ${CONTENT})
      select owner_id, memory_id, revision, revision_id, 'CREATED', updated_at, ${CONTENT}
        from memories where owner_id = '${accountId}';
    insert into memory_slices (owner_id, slice_id, memory_id, memory_revision, label, created_at)
      select owner_id, memory_id, memory_id, 1, 'A', created_at from memories
       where owner_id = '${accountId}';
    insert into memory_drafts (owner_id, draft_id, memory_id, draft_version, content, state,
                               created_at, updated_at)
      select owner_id, memory_id, memory_id, 1, '{}', 'OPEN', created_at, updated_at from memories
       where owner_id = '${accountId}';
    insert into executions (owner_id, execution_id, module_code, feature_id, strategy, status, output,
                            created_at)
      select owner_id, memory_id, 'memory', 'MEM-008', 'export', 'SUCCEEDED', '{}', created_at
        from memories where owner_id = '${accountId}';`;
}

const world = fileWorld();
let owners: Promise<readonly [Caller, Caller]> | undefined;

/** Written once, because it is slow. */
function twoOwners(): Promise<readonly [Caller, Caller]> {
  return owners ??= (async () => {
    const [owner, other] = [await world().createCaller(), await world().createCaller()];
    await world().raw(`${memoriesOf(owner, COUNT)} ${memoriesOf(other, 2_000)} analyze`);
    return [owner, other];
  })();
}

Deno.test("Every memory list uses an index, with every filter and cursor", async () => {
  const [owner] = await twoOwners();
  const recording = createRecordingDatabase(world().database);
  const caller = callerOf(world().again({ database: recording.database }), owner);
  const memory = `${TEXTS}/${idOf(7)}`;
  const from = "from=1960-01-01T00:00:00Z";
  const paths = [
    ...["exclude", "only", "include"].flatMap((archived) => [
      `${TEXTS}?archived=${archived}`,
      `${TEXTS}?archived=${archived}&cursor=${idOf(3_000)}`,
      `${TEXTS}?archived=${archived}&memoryType=DREAM&privacyLevel=PRIVATE`,
      `${TEXTS}?archived=${archived}&${from}&to=1960-01-02T00:00:00Z&cursor=${idOf(6_500)}`,
      `${TEXTS}?archived=${archived}&onDay=1960-01-01T00:00:00Z&cursor=${idOf(6_500)}`,
    ]),
    ...["occurredAt", "-occurredAt"].flatMap((sort) =>
      ["", "&archived=include", "&archived=only&memoryType=DREAM", `&${from}`].map((filter) =>
        `${TEXTS}?sort=${sort}${filter}`
      )
    ),
    memory,
    `${memory}/revisions`,
    `${memory}/revisions/1`,
    `${memory}/slices`,
    `${memory}/slices?cursor=${idOf(7)}`,
    `${memory}/slices/${idOf(7)}`,
    "/api/v2/memory/drafts",
    `/api/v2/memory/drafts?cursor=${idOf(3_000)}`,
    `/api/v2/memory/drafts/${idOf(7)}`,
    "/api/v2/memory/exports",
    `/api/v2/memory/exports?cursor=${idOf(3_000)}`,
    `/api/v2/memory/exports/${idOf(7)}`,
  ];
  for (const path of paths) {
    const sent = await recording.during(async () => {
      const response = await caller.call("GET", path);
      assertEquals(response.status, 200, `${path}: ${response.text}`);
      if (!path.includes("sort=")) return;
      const next = await caller.call("GET", `${path}&cursor=${response.body.data.nextCursor}`);
      assertEquals(next.status, 200, `${path}: ${next.text}`);
    });
    // Without the credential look-up.
    const pages = sent.filter(({ text }) => /\b(memor|executions)/.test(text));
    assert(pages.length >= 1, path);
    for (const statement of pages) {
      for (const plan of await plansOf(world(), statement)) assertWalks(plan, statement.text);
    }
  }
});

Deno.test("An export finds the memories of a part by index", async () => {
  const [owner] = await twoOwners();
  const recording = createRecordingDatabase(world().database);
  const caller = callerOf(world().again({ database: recording.database }), owner);
  const named = Array.from({ length: 500 }, (_, index) => idOf(index + 1));
  for (const which of [{}, { filter: { memoryType: "DREAM" } }, { memoryIds: named }]) {
    const sent = await recording.during(async () => {
      const body = { format: "JSON", ...which };
      const response = await caller.call("POST", "/api/v2/memory/exports", { key: ulid(), body });
      assertEquals(response.status, 201, response.text);
    });
    const reads = sent.filter(({ text }) => /\bfrom memories\b/.test(text));
    assertEquals(reads.length, 2, "One statement chooses the memories, one reads their texts");
    for (const statement of reads) {
      for (const plan of await plansOf(world(), statement)) assertSeeks(plan, statement.text);
    }
  }
});

Deno.test("A page by time examines only memories with a time, within the limit", async () => {
  const [caller] = await twoOwners();
  const walk = async (query: string) => {
    const { body } = await caller.call("GET", `${TEXTS}?archived=include&${query}`);
    return [body.data.items.length, body.data.nextCursor];
  };
  // Half have a time, so the walk ends within the limit.
  assertEquals(await walk("to=1940-01-01T00:00:00Z"), [0, null]);
  const last = idOf(COUNT - FILTERED_PAGE_BUDGET + 1);
  assertEquals(await walk("memoryType=PERSON"), [0, last]);
});
