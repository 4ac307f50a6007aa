import { assert, assertEquals } from "@std/assert";
import { systemCaller } from "../../../src/access/identity.ts";
import type { Permission } from "../../../src/access/permissions.ts";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import type { Database } from "../../../src/database/database.ts";
import { readSearchPage } from "../../../src/search/page.ts";
import { wordsOf } from "../../../src/records/search_index/words.ts";

const QUERY = {
  owner: "01JD5Q3Z9V7K2M4N6P8R0S1T2W",
  words: wordsOf("pebble"),
  modules: CATALOG.modules,
  archived: "exclude",
  permissions: new Set<Permission>(),
  after: null,
  limit: 100,
} as const;

const READER = systemCaller(
  { accountId: QUERY.owner, email: "", displayName: "", role: null, createdAt: "" },
  "process",
  new Date(0),
);

function row(index: number, content: string) {
  const record_id = `01JD5Q3Z9V7K2M4N6P8R0S1T${String(99 - index)}`;
  const payload = JSON.stringify({ content });
  return {
    record_id,
    module_code: "commitment",
    title: "T",
    summary: "",
    payload,
    unshown: null,
    guard: null,
  };
}

/** Answers immediately: matches, then contents. */
function database(rows: readonly ReturnType<typeof row>[]): Database {
  const matches = { ids: rows.map(({ record_id }) => record_id), end: null, span: null };
  const groups = Array.from(
    { length: Math.ceil(rows.length / 20) },
    (_, group) => rows.slice(group * 20, group * 20 + 20),
  );
  const answers = [matches, ...groups];
  return { read: () => Promise.resolve(answers.shift()) } as unknown as Database;
}

/** Counts turns of the event loop. */
async function readInTurns(rows: readonly ReturnType<typeof row>[]) {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const page = await readSearchPage({ database: database(rows), catalog: CATALOG }, QUERY, READER);
  clearInterval(timer);
  return { page, turns };
}

Deno.test("The event loop gets turns while a page folds, except for small records", async () => {
  const long = Array.from({ length: 25 }, (_, index) => row(index, "x ".repeat(20_000) + "pebble"));
  const { page, turns } = await readInTurns(long);
  assertEquals(page.items.length, 25);
  assert(turns >= 8, `${turns} turns`);
  const short = Array.from({ length: 25 }, (_, index) => row(index, "pebble"));
  assertEquals((await readInTurns(short)).turns, 0);
});

Deno.test("A page ends after the record that reaches eight MiB", async () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...row(index, "x".repeat(400_000)),
    title: "Pebble",
  }));
  const { items, nextCursor } = (await readInTurns(rows)).page;
  assertEquals(items.length, 21);
  assertEquals(nextCursor, items.at(-1)?.recordId);
});

/** Finds nothing in any of its reads, each of which takes a second. */
function endlessWalk() {
  const walk = { seconds: 0 };
  const read = () => {
    walk.seconds++;
    return Promise.resolve({ ids: [], end: row(walk.seconds, "").record_id, span: 1_000 });
  };
  const database = { read } as unknown as Database;
  return { walk, database, clock: () => walk.seconds * 1_000 };
}

Deno.test("A page without a match walks on for five seconds, and can be continued", async () => {
  const { walk, database, clock } = endlessWalk();
  const page = await readSearchPage({ database, catalog: CATALOG }, QUERY, READER, clock);
  assertEquals(page, { items: [], nextCursor: row(5, "").record_id });
  assertEquals(walk.seconds, 5);
});

Deno.test("A page is filled by further reads of the index", async () => {
  const rows = [row(1, "pebble"), row(2, "pebble"), row(3, "pebble")];
  const [first, second, third] = rows.map(({ record_id }) => record_id);
  const answers = [
    { ids: [first], end: first, span: 4_000 },
    rows.slice(0, 1),
    { ids: [second, third], end: third, span: 16_000 },
    rows.slice(1),
  ];
  const database = { read: () => Promise.resolve(answers.shift()) } as unknown as Database;
  const query = { ...QUERY, limit: 3 };
  const page = await readSearchPage({ database, catalog: CATALOG }, query, READER);
  assertEquals(page.items.map(({ recordId }) => recordId), [first, second, third]);
  assertEquals(page.nextCursor, third ?? "");
});
