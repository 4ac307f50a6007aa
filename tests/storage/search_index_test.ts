// engines: postgres
/** The search index: written, rebuilt, and read within limits. */

import { assert, assertEquals } from "@std/assert";
import { migrate } from "../../src/database/migrate.ts";
import { MIGRATIONS } from "../../src/database/migration_files.ts";
import type { Tx } from "../../src/database/database.ts";
import { fillIndex, indexRows } from "../../src/records/search_index/index_store.ts";
import { lexemeQuery } from "../../src/records/search_index/lexemes.ts";
import { snippetOf } from "../support/snippet.ts";
import { wordsOf } from "../../src/records/search_index/words.ts";
import { assertFailure, COMMITMENT, pathOf } from "../http/kernel.ts";
import { remember } from "../families/memory/api.ts";
import { createPerson } from "../families/relationship/api.ts";
import { ask, idsOf, search } from "../http/search.ts";
import { areMet, mixedQuery, mixedText, naiveWords } from "../support/naive_search.ts";
import { seededRandom } from "../support/random.ts";
import { type Caller, createWorld, fileWorld, type World } from "../support/world.ts";
import { backupFolder, backUpWorld, restoreFile } from "./backup.ts";
import { formerStatement } from "./former_release.ts";
import { begin, waitForBlocked } from "./held.ts";
import { emptyDatabases } from "./empty_database.ts";
import { insertInto, insertRecord, newAccount, newRoot, nextRoot } from "./rows.ts";
import { assertIndexed, forgetIndex, indexedTextsOf, makeIndex, readIndex } from "./search_rows.ts";
import { countNow } from "./statistics.ts";

const shared = fileWorld();

const openEmpty = emptyDatabases();

Deno.test("The index of an upgraded or restored database is built in batches, and used when complete", async () => {
  const world = shared();
  const [caller, other] = [await world.createCaller(), await world.createCaller()];
  for (let index = 0; index < 130; index++) {
    await (index % 2 === 0 ? caller : other).create("commitment", COMMITMENT, `Pebble ${index}`);
  }
  const memory = await remember(caller, { title: "A lake", originalContent: "quartz" });
  const known = await createPerson(caller, { opinion: "feldspar" });
  const written = await readIndex(world);
  await forgetIndex(world, "delete from search_index; delete from record_order");
  const response = await ask(caller, "pebble");
  assertFailure(response, "HTTP_503");
  assertEquals(response.headers.get("Retry-After"), "1");

  // A rebuild continues after its process ended, and keeps newer rows.
  assertEquals(await makeIndex(world, AbortSignal.abort()), 100);
  assertFailure(await ask(caller, "pebble"), "HTTP_503");
  const [first] =
    (await caller.call("GET", "/api/v2/records/commitment?sort=createdAt")).body.data.items;
  await caller.call("PATCH", pathOf(first), { body: { title: "Basalt" } });
  const late = await caller.create("commitment", COMMITMENT, "Late pebble");
  assert(await makeIndex(world) >= written.size - 100);
  assertEquals(await makeIndex(world), 0);
  assertEquals((await idsOf(caller, "pebble")).length, 65);
  assertEquals(await idsOf(caller, "basalt"), [first.recordId]);
  assertEquals(await idsOf(caller, "late"), [late.recordId]);
  assertEquals(await idsOf(caller, "quartz"), [memory.memoryId]);
  assertEquals(await idsOf(caller, "feldspar"), [known.personId]);
  await assertIndexed(world);
});

Deno.test("Concurrent writes and builds of the index leave the newest words", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const made = [];
  for (let index = 0; index < 40; index++) {
    made.push(await caller.create("commitment", COMMITMENT, `Pebble ${index}`));
  }
  for (let round = 0; round < 3; round++) {
    await forgetIndex(
      world,
      round === 1 ? "delete from search_index; delete from record_order" : "",
    );
    const writes = made.map((record, index) => async () => {
      const body = { title: `Stone ${round} of ${index}` };
      const response = await caller.call("PATCH", pathOf(record), { body });
      assertEquals(response.status, 200, response.text);
    });
    await Promise.all([
      ...writes.slice(0, 20).map((write) => write()),
      makeIndex(world),
      makeIndex(world),
      ...writes.slice(20).map((write) => write()),
    ]);
    assertEquals((await idsOf(caller, `stone ${round}`)).length, 40);
    assertEquals(await idsOf(caller, "pebble"), []);
    await assertIndexed(world);
  }
});

Deno.test("A build keeps a row written after it read the record", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const { recordId } = await caller.create("commitment", COMMITMENT, "Pebble");
  const written = await readIndex(world);
  const stale = [{ owner: caller.accountId, ...indexedTextsOf(recordId, ["Stone"]) }];
  await world.database.write((sql) => fillIndex(sql, stale));
  assertEquals(await readIndex(world), written);
  await forgetIndex(world);
  await world.database.write((sql) => fillIndex(sql, stale));
  const [row] = (await readIndex(world)).values();
  assertEquals(row?.words, "Tstone stone");
});

Deno.test("A build repeats a batch whose records changed while it was written", async () => {
  await using world = await createWorld();
  const { accountId } = await world.createCaller();
  let roots = ["01KA", "01KB"].map((begun) =>
    newRoot(accountId, { record_id: begun + "0".repeat(22) })
  );
  await world.raw(roots.map(formerStatement).join(""));
  // The batch waits for the write. The second time, the write then also waits for the batch.
  for (const isMutual of [false, true]) {
    await forgetIndex(world);
    roots = roots.map((root) => nextRoot(root, { title: `Basalt ${isMutual}` }));
    const [first = "", second = ""] = roots.map(formerStatement);
    let writing: Tx | null = null;
    const write = await begin(world.database, (tx) => {
      writing = tx;
      return tx.script(isMutual ? second : first + second);
    });
    const building = makeIndex(world);
    await waitForBlocked(world, 1);
    if (isMutual) await (writing as Tx | null)?.script(first);
    await write.commit();
    assert(await building >= 2);
    const forms = await world.rows("select distinct order_form from record_order where rule = 3");
    assertEquals(forms, [{ order_form: `basalt ${isMutual}` }]);
    await assertIndexed(world);
  }
});

const SEARCH = MIGRATIONS.find(({ name }) => name === "search")?.version ?? 0;

Deno.test("A new database has a complete index, and one with records has to build it", async () => {
  await using fresh = await createWorld();
  const state = "select is_complete from search_index_build";
  assertEquals(await fresh.rows(state), [{ is_complete: true }]);

  await using old = await openEmpty();
  await migrate(old.database, MIGRATIONS.filter(({ version }) => version < SEARCH));
  const account = newAccount();
  await old.database.transaction((tx) =>
    tx.script(insertInto("accounts", account) + insertRecord(newRoot(String(account.account_id))))
  );
  await migrate(old.database);
  assertEquals(await old.rows(state), [{ is_complete: false }]);
  assertEquals(await makeIndex(old), 1);
  assertEquals(await old.rows("select count(*)::integer as rows from search_index"), [{ rows: 1 }]);
});

Deno.test("A restored database builds an equal index", async () => {
  await using world = await createWorld();
  await using target = await createWorld();
  await using folder = await backupFolder();
  const caller = await world.createCaller();
  await caller.create("commitment", COMMITMENT, "Pebble");
  await remember(caller, { originalContent: "quartz" });
  const path = `${folder.path}/backup`;
  await backUpWorld(world, path);
  await restoreFile(target, path);
  assertEquals(await target.rows("select is_complete from search_index_build"), [
    { is_complete: false },
  ]);
  assertEquals(await makeIndex(target), 2);
  assertEquals(await readIndex(target), await readIndex(world));
});

/** Live records with one title, their index rows and an identifier prefix. */
function crowd(
  { accountId }: Caller,
  module: string,
  title: string,
  count: number,
  prefix: string,
): string {
  const id = `'${prefix}' || lpad(i::text, 22, '0')`;
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      select '${accountId}', ${id}, '${module}', 1, ${id}, 'SEED', now(), now(), now(), '${title}', '',
             '{}' from generate_series(1, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, updated_at
        from records where owner_id = '${accountId}' and record_id like '${prefix}%';
    insert into search_index (owner_id, record_id, rule, words)
      select owner_id, record_id, 1,
             array_to_tsvector(string_to_array(
               '${accountId.slice(-6)}' || replace(lower(title), ' ', ' ${
    accountId.slice(-6)
  }'), ' '))
        from records where owner_id = '${accountId}' and record_id like '${prefix}%';`;
}

/** Since the database was created. */
async function rowsRead(world: World): Promise<number> {
  await countNow(world);
  const [row] = await world.rows(`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
      from pg_stat_user_tables`);
  return row.rows;
}

/** Until a session keeps its generic plan. */
const EXECUTIONS = 6;
const BUDGET = 5_000;
/** More than a page examines. */
const CROWD = 5_500;

Deno.test("A page reads few rows for a rare word, and up to its limit for a common one", async () => {
  await using world = await createWorld();
  const [caller, other] = [await world.createCaller(), await world.createCaller()];
  await caller.create("commitment", COMMITMENT, "Rare pebble");
  const page = async (q: string, more = {}) => {
    const before = await rowsRead(world);
    const { items, nextCursor } = await search(caller, q, { limit: 10, ...more });
    return { found: items.length, nextCursor, rows: await rowsRead(world) - before };
  };
  // Plans are made for one record and kept.
  for (let execution = 0; execution < EXECUTIONS; execution++) {
    assertEquals((await page("pebble")).found, 1);
    assertEquals((await page("nothing")).found, 0);
  }
  await world.raw(`
    ${crowd(caller, "commitment", "Common pebble", CROWD, "01KZ")}
    ${crowd(caller, "commitment", "Former stone", CROWD, "01KC")}
    ${crowd(caller, "health", "Sundial common", 30, "01KA")}
    ${crowd(other, "commitment", "Rare sundial", CROWD, "01KB")}`);

  const rare = await page("rare");
  assertEquals([rare.found, rare.nextCursor], [1, null]);
  assert(rare.rows < 40, `a rare word read ${rare.rows} rows`);
  const absent = await page("absent");
  assert(absent.rows < 20, `no word read ${absent.rows} rows`);
  const sundial = await page("sundial");
  assertEquals(sundial.found, 10);
  assert(sundial.rows < 120, `thirty records read ${sundial.rows} rows`);

  // Common words: it walks, and the first page is full, also if the newest records do not match.
  const common = await page("common");
  assertEquals(common.found, 10);
  assert(common.rows < BUDGET + 4_000, `a common word read ${common.rows} rows`);
  assertEquals((await page("stone")).found, 10);
  // Matches lie beyond the limit of one statement: the first page walks on, and has them.
  const first = await page("common", { modules: ["health"] });
  assertEquals(first.found, 10);
  assert(first.nextCursor !== null && first.rows < 10 * CROWD, `${first.rows} rows`);
  const second = await page("common", { modules: ["health"], cursor: first.nextCursor });
  assertEquals(second.found, 10);
  assertEquals((await idsOf(caller, "common", { modules: ["health"] })).length, 30);
  assertEquals((await idsOf(caller, "common", { limit: 100 })).length, CROWD + 30);
});

Deno.test("The index finds every matching text, and false matches are not shown", async () => {
  const world = shared();
  const random = seededRandom(23);
  const { accountId: owner } = await world.createCaller();
  const texts = new Map<string, string>();
  while (texts.size < 2_000) texts.set(random.ulid(), mixedText(random, 12));
  const records = Array.from(texts, ([recordId, text]) => indexedTextsOf(recordId, [text]));
  for (let start = 0; start < records.length; start += 1_000) {
    const some = records.slice(start, start + 1_000);
    await world.database.write((sql) => sql`with ${indexRows(sql, owner, some)} select`);
  }
  const all = [...texts.values()];
  const naive = records.map(({ recordId, texts }) => ({
    recordId,
    runs: texts.map(String).flatMap(naiveWords),
  }));
  let matches = 0;
  for (let run = 0; run < (25); run++) {
    const q = mixedQuery(random, random.pick(all));
    const words = wordsOf(q);
    if (words.length === 0) continue;
    const found = await world.database.read((sql) =>
      sql<{ record_id: string }>`
        select record_id from word_candidates(${lexemeQuery(owner, words)}::text::tsquery, 20000)`
    );
    const shown = found.map(({ record_id }) => record_id)
      .filter((id) => snippetOf([texts.get(id) ?? ""], words) !== null);
    const asked = naiveWords(q);
    const expected = naive.filter(({ runs }) => areMet(asked, runs));
    matches += expected.length;
    assertEquals(shown.sort(), expected.map(({ recordId }) => recordId).sort(), JSON.stringify(q));
  }
  assert(matches > 150, `${matches} matches`);
});
