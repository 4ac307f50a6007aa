/** The changes feed as a client follows it: entries, order, cursors, who sees what. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { Permission } from "../../src/access/permissions.ts";
import { CATALOG, createCatalog } from "../../src/catalog/catalog.ts";
import { insertRecord, newRoot } from "../storage/rows.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { makeToken } from "../support/tokens.ts";
import { type Json, type Person, personOf, sharedWorld } from "../support/world.ts";
import { CHANGES, drain, follow, readChanges } from "./changes.ts";
import { decide } from "./decision.ts";
import { introduce, WHOLE_PROFILE } from "./identity.ts";
import { assertFailure, assertInvalid, COMMITMENT, HEALTH, pathOf } from "./kernel.ts";
import { done, remember, textPath } from "./memory.ts";
import { meet } from "./relationship.ts";
import { keep } from "./resource.ts";
import { actOn, tag } from "./taxonomy.ts";

const world = sharedWorld();

/** The same person with a token of fewer permissions. */
async function readerWith(person: Person, permissions: readonly Permission[]): Promise<Person> {
  const body = { permissions: ["changes.read", ...permissions] };
  const { token } = await makeToken(world(), person, body);
  return personOf(world().app, { ...person, secret: token });
}

/** An entry of the feed for what a write answered. */
function entryOf(record: Json, change: string): Json {
  const { moduleCode, recordId, revision, updatedAt } = record;
  return { moduleCode, recordId, revision, change, at: updatedAt };
}

function codesOf({ items }: { readonly items: readonly Json[] }): string[] {
  return items.map(({ moduleCode }) => moduleCode);
}

Deno.test("GET changes tells what each revision of a record did, oldest first", async () => {
  const person = await world().person();
  const empty = await readChanges(person);
  assertEquals([empty.items, empty.hasMore], [[], false]);

  const record = await person.create("commitment", COMMITMENT);
  const path = pathOf(record);
  world().advance(1_000);
  const changed = (await person.call("PATCH", path, { body: { title: "New" } })).body.data;
  const archived = (await person.call("POST", `${path}/archive`)).body.data;
  const restored = (await person.call("POST", `${path}/restore`)).body.data;
  const expected = [
    entryOf(record, "CREATED"),
    entryOf(changed, "MODIFIED"),
    entryOf(archived, "ARCHIVED"),
    entryOf(restored, "RESTORED"),
  ];
  const all = await follow(person, 4);
  assertEquals(all.items, expected);
  assertEquals((await follow(person, 4, empty.nextCursor)).items, expected);

  // A cursor is kept for good: it stands where it stood, and the feed goes on behind it.
  const nothing = await readChanges(person, all.nextCursor);
  assertEquals(nothing, { items: [], nextCursor: all.nextCursor, hasMore: false });
  const later = await person.create("health", HEALTH);
  assertEquals((await follow(person, 1, all.nextCursor)).items, [entryOf(later, "CREATED")]);
});

Deno.test("GET changes ends a page at its limit and says whether there is more", async () => {
  const person = await world().person();
  for (let index = 0; index < 7; index++) await person.create("commitment", COMMITMENT);
  const { items } = await follow(person, 7);
  for (const limit of [1, 2, 3, 6, 7, 8]) {
    const pages: number[] = [];
    const read: Json[] = [];
    let [after, hasMore]: [string | null, boolean] = [null, true];
    while (hasMore) {
      const page = await readChanges(person, after, { limit: String(limit) });
      [after, hasMore] = [page.nextCursor, page.hasMore];
      pages.push(page.items.length);
      read.push(...page.items);
    }
    assertEquals(read, items);
    const whole = Array(Math.ceil(7 / limit) - 1).fill(limit);
    assertEquals(pages, [...whole, 7 - limit * whole.length], `limit ${limit}`);
  }
});

Deno.test("GET changes lists every module that generic reads serve, and each root of a command", async () => {
  const person = await world().person();
  await person.create("commitment", COMMITMENT);
  const memory = await remember(person, { privacyLevel: "SECRET" });
  await done(person, textPath(memory, "/revisions"), { expectedRevision: 1, importance: 3 });
  await decide(person);
  await keep(person);
  await meet(person);
  const [merged, target] = [await tag(person, "Old"), await tag(person, "New")];
  const before = await follow(person, 8);
  assertEquals(codesOf(before), [
    "commitment",
    ...["memory", "memory", "decision", "resource", "relationship", "taxonomy", "taxonomy"],
  ]);
  await actOn(person, merged, "merge", { intoId: target.termId });
  const after = await follow(person, 2, before.nextCursor);
  assertEquals(
    after.items.map(({ recordId, revision }) => [recordId, revision]).sort(),
    [[merged.termId, 2], [target.termId, 2]].sort(),
  );
  // What has no record is not in it.
  await introduce(person, WHOLE_PROFILE);
  await person.create("commitment", COMMITMENT);
  assertEquals(codesOf(await follow(person, 1, after.nextCursor)), ["commitment"]);
});

Deno.test("GET changes leaves out what its reader may not read, and goes past it", async () => {
  const person = await world().person();
  await remember(person, { privacyLevel: "SECRET" });
  await person.create("commitment", COMMITMENT);
  await remember(person);
  await meet(person);
  const all = await follow(person, 4);

  const cases: [Permission[], string[]][] = [
    [[], []],
    [["record.read"], ["commitment"]],
    // Guarded rows are listed: an entry has no content.
    [["memory.read"], ["memory", "memory"]],
    [["record.read", "relationship.person.read"], ["commitment", "relationship"]],
    [["memory.read", "relationship.ledger.read"], ["memory", "memory"]],
  ];
  for (const [permissions, expected] of cases) {
    const reader = await readerWith(person, permissions);
    const page = await drain(reader);
    assertEquals(codesOf(page), expected, permissions.join());
    // The same place, whatever was left out on the way there.
    assertEquals(page.nextCursor, all.nextCursor, permissions.join());
    const steps = await drain(reader, null, { limit: "1" });
    assertEquals([steps.items, steps.nextCursor], [page.items, page.nextCursor]);
  }
  const { token } = await makeToken(world(), person, { permissions: ["record.read"] });
  const without = personOf(world().app, { ...person, secret: token });
  assertFailure(await without.call("GET", CHANGES), "FORBIDDEN");
});

/** Random records of some modules, one or several a transaction. */
async function writeAtRandom(person: Person, random: Random): Promise<void> {
  for (let transaction = 0; transaction < 25; transaction++) {
    const roots = Array.from({ length: random.integer(1, 4) }, () =>
      newRoot(person.accountId, {
        module_code: random.pick(Object.keys(READERS)),
        record_id: random.ulid(),
        revision_id: random.ulid(),
      }));
    await world().raw(roots.map(insertRecord).join(""));
  }
}

/** What opens the entries of each module. */
const READERS: Readonly<Record<string, Permission>> = {
  health: "record.read",
  memory: "memory.read",
  decision: "decision.read",
  identity: "identity.read",
};

Deno.test("GET changes walks random writes as the model does, for every reader and limit", async () => {
  for (const seed of [1, 2, 3]) {
    const random = seededRandom(seed);
    const person = await world().person();
    await writeAtRandom(person, random);
    const ledger = await world().rows(`
      select module_code, record_id from record_revisions where owner_id = '${person.accountId}'
       order by transaction_id, revision_id`);
    const { nextCursor } = await follow(person, ledger.length);
    for (let run = 0; run < 8; run++) {
      const permissions = Object.values(READERS).filter(() => random.chance(0.5));
      const reader = await readerWith(person, permissions);
      const limit = String(random.integer(1, 40));
      const read = await drain(reader, null, { limit });
      const open = ledger.filter(({ module_code }) =>
        permissions.includes(READERS[module_code] ?? "record.read")
      );
      const ids = read.items.map(({ recordId }) => recordId);
      assertEquals(ids, open.map(({ record_id }) => record_id), `seed ${seed}, run ${run}`);
      assertEquals(read.nextCursor, nextCursor);
    }
  }
});

Deno.test("GET changes shows an owner nothing of another one's", async () => {
  const [person, other] = [await world().person(), await world().person()];
  await person.create("commitment", COMMITMENT);
  await follow(person, 1);
  assertEquals((await drain(other)).items, []);
});

/** A cursor with its content replaced under the old signature. */
function forged(cursor: string, change: (content: Json) => Json): string {
  const bytes = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
  const content = JSON.stringify(change(JSON.parse(bytes.slice(32))));
  return btoa(bytes.slice(0, 32) + content).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");
}

Deno.test("GET changes refuses a cursor that is not its own", async () => {
  const [person, other] = [await world().person(), await world().person()];
  await person.create("commitment", COMMITMENT);
  const { nextCursor } = await follow(person, 1);
  const refuse = async (after: string, rule: string, reader = person) => {
    const query = new URLSearchParams({ after });
    assertInvalid(await reader.call("GET", `${CHANGES}?${query}`), [rule], ["after"], after);
  };
  await refuse(nextCursor, "cursor.unknown", other);
  for (
    const text of ["x", ulid(), nextCursor.slice(1), `${nextCursor}A`, "e30", "AAAA".repeat(20)]
  ) {
    await refuse(text, "cursor.unknown");
  }
  await refuse(forged(nextCursor, ([, ends, data]) => [ulid(), ends, data]), "cursor.unknown");
  await refuse(forged(nextCursor, () => ({ 2: "x" })), "cursor.unknown");
  await refuse(forged(nextCursor, ([after, ends]) => [after, ends, 5]), "cursor.unknown");
  // A cursor of another list is none of this one.
  await meet(person);
  await meet(person);
  const people = await person.call("GET", "/api/v2/relationship/people?limit=1");
  await refuse(people.body.data.nextCursor, "cursor.unknown");

  // One that names another feed, under another secret too: the client begins again.
  const secret = new TextEncoder().encode("another server secret for the tests");
  const elsewhere = personOf(world().again({ serverSecret: secret }), person);
  const foreign = (await drain(elsewhere)).nextCursor;
  await refuse(foreign, "cursor.unknown");
  const named = ([after, ends, data]: Json) => [after, ends, data.replace(/^\S+/, ulid())];
  await refuse(forged(foreign, named), "cursor.feed");
  await refuse(forged(nextCursor, named), "cursor.feed", other);

  for (
    const query of ["after=", "cursor=x", "after=x&after=y", "limit=0", "limit=101", "limit=a"]
  ) {
    assertFailure(await person.call("GET", `${CHANGES}?${query}`), "PAYLOAD_INVALID", query);
  }
});

Deno.test("A record whose module has left the catalog is drift, and no silent gap", async () => {
  const person = await world().person();
  await person.create("commitment", COMMITMENT);
  await follow(person, 1);
  const modules = CATALOG.modules.filter(({ code }) => code !== "commitment");
  const without = personOf(world().again({ catalog: createCatalog(modules) }), person);
  assertFailure(await without.call("GET", CHANGES), "INTERNAL_ERROR");
});

Deno.test("A cursor holds a place in the feed and nothing of a record", async () => {
  const person = await world().person();
  const record = await person.create(
    "commitment",
    { ...COMMITMENT, content: "A marker" },
    "A marker",
  );
  const { nextCursor } = await follow(person, 1);
  const content = atob(nextCursor.replaceAll("-", "+").replaceAll("_", "/")).slice(32);
  const [after, expiresAt, data] = JSON.parse(content);
  assertEquals(expiresAt, null);
  assert(/^[0-9A-Z]{26} \d+$/.test(data), data);
  assertNotEquals(after, record.recordId);
});
