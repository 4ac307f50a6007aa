/** The lists of terms by name and by use. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { PERMISSIONS } from "../../src/access/permissions.ts";
import type { Caller as Reader } from "../../src/access/identity.ts";
import type { Database } from "../../src/database/database.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { countDirectUses } from "../../src/families/taxonomy/assignment_store.ts";
import { done, remember } from "../families/memory/api.ts";
import {
  act,
  actOn,
  assign,
  ASSIGNMENTS,
  carrying,
  CATEGORIES,
  category,
  makeRecord,
  tag,
  TAGS,
  USAGE,
} from "../families/taxonomy/api.ts";
import { inOrder, naiveForm } from "../support/naive_order.ts";
import { mixedText } from "../support/naive_search.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, fileWorld, type Json } from "../support/world.ts";
import { assertInvalid, assertWritesNothing, COMMITMENT, walkPages } from "./kernel.ts";

const world = fileWorld();

const SORTS = ["name", "-name", "use", "-use"] as const;
const NAMES = ["Łódź", "Ærø", "Straße", "Übung"];

/** Active, inactive and merged ones, in a tree, with records of two modules. */
async function randomTerms(caller: Caller, random: Random): Promise<void> {
  const records: Json[] = [];
  for (let index = 0; index < 6; index++) {
    records.push(await makeRecord(caller));
    const { memoryId: recordId } = await remember(caller);
    records.push({ moduleCode: "memory", recordId });
  }
  const terms: Json[] = [];
  for (let index = 0; index < 24; index++) {
    const written = mixedText(random, 8).replaceAll(/\p{Cc}/gu, " ");
    const name = NAMES[index / 2] ?? `${written}. ${index}`;
    const isTag = index % 2 === 0;
    const parent = random.pick([null, ...terms.filter(({ kind }) => kind === "CATEGORY")]);
    const term = isTag ? await tag(caller, name) : await category(caller, name, parent);
    terms.push(term);
    for (const record of records) {
      if (random.chance(0.7)) continue;
      await assign(caller, term, record);
      if (random.chance(0.2)) await done(caller, `${ASSIGNMENTS}/remove`, carrying(term, record));
    }
  }
  const [source, target, ...others] = terms.filter(({ kind }) => kind === "TAG");
  await actOn(caller, source, "merge", { intoId: target.termId });
  for (const each of others.slice(0, 4)) await act(caller, each, "deactivate");
}

function useOf(usages: readonly Json[]): (termId: string) => number {
  const counts = new Map(usages.map(({ termId, direct }) => [termId, direct]));
  return (termId) => counts.get(termId) ?? 0;
}

Deno.test("Terms are listed once each by name and by use, with every filter", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(5);
  await randomTerms(caller, random);
  await tag(await world().createCaller(), "Another owner's");
  const { token } = await makeToken(world(), caller, {
    permissions: PERMISSIONS,
    modules: ["taxonomy", "commitment"],
  });
  const [top] = (await walkPages(caller, CATEGORIES, { parentId: "root" })).flat();
  const lists: readonly (readonly [path: string, filter: Record<string, string>])[] = [
    ...["exclude", "only", "include"].map((inactive) => [TAGS, { inactive }] as const),
    [CATEGORIES, {}],
    [CATEGORIES, { parentId: "root" }],
    [CATEGORIES, { parentId: top.termId }],
    [USAGE, {}],
    [USAGE, { inactive: "include" }],
    [USAGE, { kind: "TAG", inactive: "only" }],
  ];
  let count = 0;
  for (const reader of [caller, callerOf(world().app, { ...caller, secret: token })]) {
    const use = useOf((await walkPages(reader, USAGE, { inactive: "include" })).flat());
    for (const [path, filter] of lists) {
      const terms = (await walkPages(reader, path, { ...filter, limit: "100" })).flat();
      for (const sort of SORTS) {
        const expected = inOrder(terms, ({ termId: id, name }) => ({
          value: sort.endsWith("name") ? naiveForm(name) : use(id),
          id,
        }), sort.startsWith("-"));
        const limit = String(random.pick([1, 5, 12, 100]));
        const sorted = (await walkPages(reader, path, { ...filter, sort, limit })).flat();
        assertEquals(sorted, expected, JSON.stringify({ path, sort, ...filter }));
        count += expected.length;
      }
    }
  }
  assert(count > 400, `${count} terms`);
});

Deno.test("A cursor of sorted terms works for its owner, list, order and filters only", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  for (const each of [caller, stranger]) {
    for (const name of ["A", "B"]) {
      await tag(each, name);
      await category(each, name);
    }
  }
  const lists = [
    `${TAGS}?sort=name&`,
    `${TAGS}?sort=-name&`,
    `${TAGS}?sort=use&`,
    `${TAGS}?sort=name&inactive=include&`,
    `${CATEGORIES}?sort=name&`,
    `${CATEGORIES}?sort=name&parentId=root&`,
    `${USAGE}?sort=use&`,
    `${USAGE}?sort=use&kind=TAG&`,
  ];
  const cursors = await Promise.all(lists.map(async (list) => {
    const { body } = await caller.call("GET", `${list}limit=1`);
    return encodeURIComponent(body.data.nextCursor);
  }));
  await assertWritesNothing(world(), async () => {
    for (const [index, list] of lists.entries()) {
      for (const [origin, cursor] of cursors.entries()) {
        const response = await caller.call("GET", `${list}limit=1&cursor=${cursor}`);
        if (origin === index) assertEquals(response.body.data.items.length, 1, list);
        else assertInvalid(response, ["cursor.unknown"], ["cursor"], list);
      }
      const [path = ""] = list.split("?");
      for (
        const foreign of [
          await stranger.call("GET", `${list}cursor=${cursors[index]}`),
          await caller.call("GET", `${path}?cursor=${cursors[index]}`),
        ]
      ) assertInvalid(foreign, ["cursor.unknown"], ["cursor"], list);
      assertInvalid(await caller.call("GET", `${path}?cursor=x`), ["field.identifier"], ["cursor"]);
      assertInvalid(await caller.call("GET", `${path}?sort=title`), ["field.option"], ["sort"]);
    }
  });
});

Deno.test("Only terms by name wait for the order of records", async () => {
  const caller = await world().createCaller();
  const statuses = async (path: string) =>
    await Promise.all(
      SORTS.map(async (sort) => (await caller.call("GET", `${path}?sort=${sort}`)).status),
    );
  await world().raw("update search_index_build set order_is_complete = false");
  const waiting = await Promise.all([TAGS, CATEGORIES, USAGE].map(statuses));
  await world().raw("update search_index_build set order_is_complete = true");
  for (const each of waiting) assertEquals(each, [503, 503, 200, 200]);
  assertEquals(await statuses(USAGE), [200, 200, 200, 200]);
});

Deno.test("Terms by use are at most 10,000, and a tag is found among them", async () => {
  const caller = await world().createCaller();
  await world().raw(`set local session_replication_role = replica;
    insert into taxonomy_terms (owner_id, term_id, kind, revision, revision_id, created_at, updated_at,
                                name, aliases)
      select '${caller.accountId}', '01KA' || lpad(i::text, 22, '0'), 'TAG', 1,
             '01KA' || lpad(i::text, 22, '0'), now(), now(), 'name ' || i, '[]'
        from generate_series(1, 10001) i;
    insert into taxonomy_names (owner_id, kind, compared, term_id, position, spelling)
      select owner_id, kind, name, term_id, 0, name
        from taxonomy_terms where owner_id = '${caller.accountId}'`);
  const refused = await caller.call("GET", `${TAGS}?sort=use`);
  assertInvalid(refused, ["sort.rows"], []);
  assertEquals(refused.body.error.details.limit, 10_000);
  assertEquals((await caller.call("GET", `${TAGS}?sort=name&limit=1`)).status, 200);

  await caller.create("commitment", COMMITMENT, "Name 9999");
  const body = { q: "#name-9999", order: "BEST" };
  const { items } = (await caller.call("POST", "/api/v2/search", { body })).body.data;
  assertEquals(items, []);
});

/** Answers pieces of 5,000 assignments until all are counted. */
function databaseOf(assignments: number): Database {
  let left = assignments;
  const next = () => {
    const examined = Math.min(left, 5_000);
    left -= examined;
    return Promise.resolve([{ examined, last: examined === 0 ? null : "A", counts: '{"A":1}' }]);
  };
  return { read: next } as unknown as Database;
}

Deno.test("Uses count up to 200,000 assignments", async () => {
  const reader = {} as Reader;
  assertEquals((await countDirectUses(databaseOf(200_000), reader)).get("A"), 41);
  const refused = await assertRejects(
    () => countDirectUses(databaseOf(200_001), reader),
    ServiceError,
  );
  assertEquals(refused.details, { rules: ["sort.rows"], limit: 200_000 });
});
