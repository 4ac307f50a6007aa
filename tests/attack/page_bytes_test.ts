/**
 * No page of the largest items exceeds `PAGE_BYTES`, in the response or from the database, and a
 * walk finds every item once.
 */

import { assert, assertEquals } from "@std/assert";
import { PAGE_BYTES } from "../../src/database/page_bytes.ts";
import { DRAFTS, textPath, TEXTS, withoutSecrets } from "../families/memory/api.ts";
import { idSql, insertMemories } from "../families/memory/crowd.ts";
import { COMMITMENTS } from "../http/kernel.ts";
import { createRecordingDatabase, type SentStatement } from "../storage/recording.ts";
import { seededRandom } from "../support/random.ts";
import {
  asTemplate,
  type Caller,
  callerOf,
  type Json,
  sharedWorld,
  type World,
} from "../support/world.ts";

const world = sharedWorld();

/** Everything around the items. */
const ENVELOPE_BYTES = 1024;

/** Text sizes are an SQL expression over the number `i`. */
function recordsOf({ accountId }: Caller, count: number, size: string): string {
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, archived_at, title, summary, payload)
      select '${accountId}', ${idSql("KA")}, 'commitment', 1, ${
    idSql("MA")
  }, 'IMPORT', now(), now(),
             now(), case when i % 3 = 0 then now() end, i::text, '',
             json_build_object('counterparty', 'Ada', 'content', repeat('x', ${size}))
        from generate_series(1, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, archived_at, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, archived_at, updated_at
        from records where owner_id = '${accountId}';`;
}

const BUSY = "01KZ" + "0".repeat(22);

/** Objects with many large revisions, executions, slices and drafts. */
function historiesOf({ accountId }: Caller, count: number): string {
  const text = "repeat('x', 100000)";
  const json = "json_build_object('text', repeat('x', 200000))";
  const revisions = `from generate_series(1, ${count}) i`;
  const change = (first: string, next: string) =>
    `case i when 1 then '${first}' else '${next}' end`;
  const content = `title, summary, memory_type, current_content, ai_draft, ai_draft_provider,
    privacy_level`;
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      select '${accountId}', '${BUSY}', 'memory', ${count}, ${idSql("MZ")}, 'SEED', now(), now(),
             now(), 'A', '', ${json}
        from generate_series(${count}, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select '${accountId}', '${BUSY}', 'memory', i, ${idSql("MZ")},
             ${change("CREATED", "MODIFIED")}, 'A', '', ${json}, now()
             ${revisions};
    insert into executions (owner_id, execution_id, record_id, module_code, feature_id, strategy,
                            revision, status, output, created_at)
      select '${accountId}', ${idSql("NZ")}, '${BUSY}', 'memory', 'MEM-001', 'record', i,
             'SUCCEEDED', ${json}, now() ${revisions};
    insert into memories (owner_id, memory_id, revision, revision_id, created_at, updated_at,
                          original_content, ${content})
      select '${accountId}', '${BUSY}', ${count}, ${idSql("MZ")}, now(), now(), ${text}, 'A', '',
             'EVENT', ${text}, ${text}, 'A provider', 'PRIVATE'
        from generate_series(${count}, ${count}) i;
    insert into memory_revisions (owner_id, memory_id, revision, revision_id, change, created_at,
                                  ${content})
      select '${accountId}', '${BUSY}', i, ${idSql("MZ")}, ${change("CREATED", "REVISED")}, now(),
             'A', '', 'EVENT', ${text}, ${text}, 'A provider', 'PRIVATE' ${revisions};
    insert into memory_slices (owner_id, slice_id, memory_id, memory_revision, label, created_at)
      select '${accountId}', ${idSql("PZ")}, '${BUSY}', i, 'A', now() ${revisions};
    insert into memory_drafts (owner_id, draft_id, memory_id, draft_version, content, state,
                               created_at, updated_at)
      select '${accountId}', ${idSql("QZ")}, '${BUSY}', 1, ${json}, 'OPEN',
             now(), now() ${revisions};`;
}

/** A page with its response's size. */
interface SizedPage {
  readonly items: readonly Json[];
  readonly nextCursor: string | null;
  readonly bytes: number;
}

/** No page is empty or beyond its limit. */
async function walkSized(caller: Caller, path: string): Promise<SizedPage[]> {
  const pages: SizedPage[] = [];
  let cursor: string | null = null;
  do {
    const url: string = path + (cursor === null ? "" : `&cursor=${cursor}`);
    const response = await caller.call("GET", url);
    assertEquals(response.status, 200, `${url}: ${response.text.slice(0, 500)}`);
    const bytes = new TextEncoder().encode(response.text).length;
    assert(bytes <= PAGE_BYTES + ENVELOPE_BYTES, `${url}: ${bytes} bytes`);
    const { items, nextCursor } = response.body.data;
    assert(items.length > 0 || nextCursor === null, url);
    pages.push({ items, nextCursor, bytes });
    cursor = nextCursor;
  } while (cursor !== null);
  return pages;
}

/** The numbers from `count` down to 1, each once, on several pages. */
function assertWhole(pages: readonly SizedPage[], count: number, name: string): void {
  const found = pages.flatMap(({ items }) => items.map((item) => item[name]));
  assertEquals([found.length, new Set(found).size], [count, count], name);
  assertEquals(found, found.toSorted().reverse(), name);
  assert(pages.length > 1 && pages[0]?.nextCursor !== null);
}

/** Bytes of the rows when the statement is repeated. */
async function answerBytes(at: World, { text, parameters }: SentStatement): Promise<number> {
  const values = parameters.map((value) =>
    value === null ? "null" : `'${value.replaceAll("'", "''")}'`
  );
  return await at.database.transaction(async (tx) => {
    await tx.script(`prepare probe as ${text}`);
    const execute = values.length === 0 ? "probe" : `probe (${values.join(", ")})`;
    const rows = await tx.sql<Json>(asTemplate(`execute ${execute}`));
    await tx.script("deallocate probe");
    return JSON.stringify(rows).length;
  });
}

Deno.test("Pages of 500 KB records are limited to 8 MiB, also in the database query", async () => {
  const owner = await world().createCaller();
  await world().raw(recordsOf(owner, 18, "500000"));
  const recording = createRecordingDatabase(world().database);
  const caller = callerOf(world().again({ database: recording.database }), owner);
  const filters = ["", "&sort=updatedAt&filter[counterparty]=Ada"];
  for (const filter of filters) {
    const path = `${COMMITMENTS}?archived=include&limit=100${filter}`;
    const sent = await recording.during(() => caller.call("GET", path));
    for (const statement of sent) {
      assert(await answerBytes(world(), statement) <= PAGE_BYTES, statement.text);
    }
    const pages = await walkSized(caller, path);
    const numbers = pages.flatMap(({ items }) => items.map(({ title }) => Number(title)));
    const expected = Array.from({ length: 18 }, (_, index) => 18 - index);
    assertEquals(numbers, filter.includes("sort=updatedAt") ? expected.reverse() : expected);
    assertEquals(pages.map(({ items }) => items.length), [16, 2], filter);
  }
});

Deno.test("History pages of large items are limited to 8 MiB", async () => {
  const caller = await world().createCaller();
  await world().raw(historiesOf(caller, 45));
  const memory = textPath({ memoryId: BUSY });
  const record = `/api/v2/records/memory/${BUSY}`;
  for (
    const [path, name] of [
      [`${record}/revisions`, "revisionId"],
      [`${record}/executions`, "executionId"],
      [`${memory}/revisions`, "revisionId"],
      [`${memory}/slices`, "sliceId"],
      [DRAFTS, "draftId"],
    ] as const
  ) {
    assertWhole(await walkSized(caller, `${path}?limit=100`), 45, name);
  }
});

Deno.test("A page of memories counts the JSON size of control characters", async () => {
  const caller = await world().createCaller();
  await world().raw(insertMemories(caller, 30, "repeat(chr(1), 50000)", "PRIVATE"));
  const pages = await walkSized(caller, `${TEXTS}?limit=100`);
  assertWhole(pages, 30, "memoryId");
  // Stored as 150,000 bytes, sent as 900,000.
  assertEquals(pages.map(({ items }) => items.length), [9, 9, 9, 3]);
});

Deno.test("Content hidden from the reader neither counts for the page nor leaves the database", async () => {
  const owner = await world().createCaller();
  await world().raw(insertMemories(owner, 60, "repeat('x', 90000)", "SECRET"));
  assertWhole(await walkSized(owner, `${TEXTS}?limit=100`), 60, "memoryId");
  const recording = createRecordingDatabase(world().database);
  const reader = callerOf(
    world().again({ database: recording.database }),
    await withoutSecrets(world(), owner),
  );
  const sent = await recording.during(async () => {
    const [page, ...others] = await walkSized(reader, `${TEXTS}?limit=100`);
    assertEquals([page?.items.length, others.length], [60, 0]);
    assert(page?.items.every((item) => item.redacted && item.currentContent === null));
  });
  for (const statement of sent) {
    assert(await answerBytes(world(), statement) < 100_000, statement.text);
  }
});

Deno.test("A walk over items of random sizes returns each once, in pages within the limit", async () => {
  const random = seededRandom(11);
  const caller = await world().createCaller();
  const count = 60;
  const sizes = Array.from(
    { length: count },
    () => random.pick([10, 5_000, 90_000, 300_000, 500_000]),
  );
  await world().raw(recordsOf(caller, count, `(array[${sizes}])[i]`));
  for (let run = 0; run < 2; run++) {
    const archived = random.pick(["include", "exclude", "only"]);
    const sort = random.pick(["createdAt", "-createdAt", "updatedAt", "-updatedAt"]);
    const filter = random.chance(0.5) ? "&filter[counterparty]=Ada" : "";
    const limit = random.integer(1, 100);
    const path = `${COMMITMENTS}?archived=${archived}&sort=${sort}&limit=${limit}${filter}`;
    const pages = await walkSized(caller, path);
    const expected = sizes.map((_, index) => index + 1).filter((number) =>
      archived === "include" || (number % 3 === 0) === (archived === "only")
    );
    const found = pages.flatMap(({ items }) => items.map(({ title }) => Number(title)));
    assertEquals(found, sort.startsWith("-") ? expected.reverse() : expected, path);
    for (const { items, nextCursor } of pages) {
      const isFull = items.length === limit || nextCursor === null;
      // Otherwise the next item would have fitted.
      const following = found[found.indexOf(Number(items.at(-1).title)) + 1] ?? 0;
      const next = sizes[following - 1] ?? 0;
      const bytes = items.reduce((sum, item) => sum + item.payload.content.length, 0);
      assert(isFull || bytes + next + 100 * 17_000 > PAGE_BYTES, path);
    }
  }
});
