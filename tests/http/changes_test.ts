/** The changes feed: entries, order, cursors, visibility. */

import { assertEquals, assertFalse, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { Buffer } from "node:buffer";
import type { Permission } from "../../src/access/permissions.ts";
import { CATALOG, createCatalog } from "../../src/catalog/catalog.ts";
import { hmacSha256 } from "../../src/core/digest.ts";
import { insertRecord, newRoot } from "../storage/rows.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, type Json, sharedWorld } from "../support/world.ts";
import { CHANGES, drain, follow, readChanges } from "./changes.ts";
import { decide } from "../families/decision/api.ts";
import { introduce, WHOLE_PROFILE } from "../families/identity/api.ts";
import { assertFailure, assertInvalid, COMMITMENT, HEALTH, pathOf } from "./kernel.ts";
import { done, remember, textPath } from "../families/memory/api.ts";
import { createPerson } from "../families/relationship/api.ts";
import { keep } from "../families/resource/api.ts";
import { actOn, tag } from "../families/taxonomy/api.ts";

const world = sharedWorld();

/** Through a token with fewer permissions. */
async function readerWith(caller: Caller, permissions: readonly Permission[]): Promise<Caller> {
  const body = { permissions: ["changes.read", ...permissions] };
  const { token } = await makeToken(world(), caller, body);
  return callerOf(world().app, { ...caller, secret: token });
}

/** The entry expected for a write. */
function entryOf(record: Json, change: string): Json {
  const { moduleCode, recordId, revision, updatedAt } = record;
  return { moduleCode, recordId, revision, change, at: updatedAt };
}

function codesOf({ items }: { readonly items: readonly Json[] }): string[] {
  return items.map(({ moduleCode }) => moduleCode);
}

Deno.test("GET changes lists each revision of a record with its change, oldest first", async () => {
  const caller = await world().createCaller();
  const empty = await readChanges(caller);
  assertEquals([empty.items, empty.hasMore], [[], false]);

  const record = await caller.create("commitment", COMMITMENT);
  const path = pathOf(record);
  world().advance(1_000);
  const changed = (await caller.call("PATCH", path, { body: { title: "New" } })).body.data;
  const archived = (await caller.call("POST", `${path}/archive`)).body.data;
  const restored = (await caller.call("POST", `${path}/restore`)).body.data;
  const expected = [
    entryOf(record, "CREATED"),
    entryOf(changed, "MODIFIED"),
    entryOf(archived, "ARCHIVED"),
    entryOf(restored, "RESTORED"),
  ];
  const all = await follow(caller, 4);
  assertEquals(all.items, expected);
  assertEquals((await follow(caller, 4, empty.nextCursor)).items, expected);

  // Cursors never expire: the feed continues after them.
  const nothing = await readChanges(caller, all.nextCursor);
  assertEquals(nothing, { items: [], nextCursor: all.nextCursor, hasMore: false });
  const later = await caller.create("health", HEALTH);
  assertEquals((await follow(caller, 1, all.nextCursor)).items, [entryOf(later, "CREATED")]);
});

Deno.test("GET changes ends a page at its limit and reports whether there is more", async () => {
  const caller = await world().createCaller();
  for (let index = 0; index < 7; index++) await caller.create("commitment", COMMITMENT);
  const { items } = await follow(caller, 7);
  for (const limit of [1, 2, 3, 6, 7, 8]) {
    const pages: number[] = [];
    const read: Json[] = [];
    let [after, hasMore]: [string | null, boolean] = [null, true];
    while (hasMore) {
      const page = await readChanges(caller, after, { limit: String(limit) });
      [after, hasMore] = [page.nextCursor, page.hasMore];
      pages.push(page.items.length);
      read.push(...page.items);
    }
    assertEquals(read, items);
    const whole = Array(Math.ceil(7 / limit) - 1).fill(limit);
    assertEquals(pages, [...whole, 7 - limit * whole.length], `limit ${limit}`);
  }
});

Deno.test("GET changes lists every generically readable module, and each root of a command", async () => {
  const caller = await world().createCaller();
  await caller.create("commitment", COMMITMENT);
  const memory = await remember(caller, { privacyLevel: "SECRET" });
  await done(caller, textPath(memory, "/revisions"), { expectedRevision: 1, importance: 3 });
  await decide(caller);
  await keep(caller);
  await createPerson(caller);
  const [merged, target] = [await tag(caller, "Old"), await tag(caller, "New")];
  const before = await follow(caller, 8);
  assertEquals(codesOf(before), [
    "commitment",
    "memory",
    "memory",
    "decision",
    "resource",
    "relationship",
    "taxonomy",
    "taxonomy",
  ]);
  await actOn(caller, merged, "merge", { intoId: target.termId });
  const after = await follow(caller, 2, before.nextCursor);
  assertEquals(
    after.items.map(({ recordId, revision }) => [recordId, revision]).sort(),
    [[merged.termId, 2], [target.termId, 2]].sort(),
  );
  // Objects without a record are not listed.
  await introduce(caller, WHOLE_PROFILE);
  await caller.create("commitment", COMMITMENT);
  assertEquals(codesOf(await follow(caller, 1, after.nextCursor)), ["commitment"]);
});

Deno.test("GET changes skips what its reader may not read", async () => {
  const caller = await world().createCaller();
  await remember(caller, { privacyLevel: "SECRET" });
  await caller.create("commitment", COMMITMENT);
  await remember(caller);
  await createPerson(caller);
  const all = await follow(caller, 4);

  const cases: [Permission[], string[]][] = [
    [[], []],
    [["record.read"], ["commitment"]],
    // Guarded rows are listed: entries have no content.
    [["memory.read"], ["memory", "memory"]],
    [["record.read", "relationship.person.read"], ["commitment", "relationship"]],
    [["memory.read", "relationship.ledger.read"], ["memory", "memory"]],
  ];
  for (const [permissions, expected] of cases) {
    const reader = await readerWith(caller, permissions);
    const page = await drain(reader);
    assertEquals(codesOf(page), expected, permissions.join());
    // Skipped entries do not matter.
    assertEquals(page.nextCursor, all.nextCursor, permissions.join());
    const steps = await drain(reader, null, { limit: "1" });
    assertEquals([steps.items, steps.nextCursor], [page.items, page.nextCursor]);
  }
  const { token } = await makeToken(world(), caller, { permissions: ["record.read"] });
  const without = callerOf(world().app, { ...caller, secret: token });
  assertFailure(await without.call("GET", CHANGES), "FORBIDDEN");
});

/** Several per transaction, in some modules. */
async function writeAtRandom(caller: Caller, random: Random): Promise<void> {
  for (let transaction = 0; transaction < 25; transaction++) {
    const roots = Array.from({ length: random.integer(1, 4) }, () =>
      newRoot(caller.accountId, {
        module_code: random.pick(Object.keys(READERS)),
        record_id: random.ulid(),
        revision_id: random.ulid(),
      }));
    await world().raw(roots.map(insertRecord).join(""));
  }
}

/** Required for each module's entries. */
const READERS: Readonly<Record<string, Permission>> = {
  health: "record.read",
  memory: "memory.read",
  decision: "decision.read",
  identity: "identity.read",
};

Deno.test("GET changes walks random writes as the model does, for every reader and limit", async () => {
  for (const seed of [1, 2, 3]) {
    const random = seededRandom(seed);
    const caller = await world().createCaller();
    await writeAtRandom(caller, random);
    const ledger = await world().rows(`
      select module_code, record_id from record_revisions where owner_id = '${caller.accountId}'
       order by transaction_id, revision_id`);
    const { nextCursor } = await follow(caller, ledger.length);
    for (let run = 0; run < 8; run++) {
      const permissions = Object.values(READERS).filter(() => random.chance(0.5));
      const reader = await readerWith(caller, permissions);
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

Deno.test("GET changes shows nothing of another owner", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  await caller.create("commitment", COMMITMENT);
  await follow(caller, 1);
  assertEquals((await drain(other)).items, []);
});

const SECRET = new TextEncoder().encode("a server secret that only tests know");

/** Makes a cursor from before they were sealed. */
function oldCursor(accountId: string, content: Json, secret = SECRET): string {
  const json = JSON.stringify(content);
  const scope = `{"list":"changes","owner":"${accountId}"}`;
  const code = hmacSha256(hmacSha256(secret, "signed cursor"), JSON.stringify([scope, json]));
  return Buffer.concat([code, Buffer.from(json)]).toString("base64url");
}

/** Feed positions of revisions, as in old cursors. */
async function oldPlaces({ accountId }: Caller): Promise<Json[]> {
  const rows = await world().rows(`
    select revision_id, feed_id || ' ' || transaction_id::text as data
      from record_revisions cross join change_feed where owner_id = '${accountId}'
     order by transaction_id, revision_id`);
  return rows.map(({ revision_id, data }) => [revision_id, null, data]);
}

Deno.test("GET changes rejects a cursor that is not its own", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  await caller.create("commitment", COMMITMENT);
  const { nextCursor } = await follow(caller, 1);
  const refuse = async (after: string, rule: string, reader = caller) => {
    const query = new URLSearchParams({ after });
    assertInvalid(await reader.call("GET", `${CHANGES}?${query}`), [rule], ["after"], after);
  };
  await refuse(nextCursor, "cursor.unknown", other);
  const sealed = nextCursor.slice(27);
  const texts = ["x", ulid(), nextCursor.slice(1), `${nextCursor}A`, "e30", "AAAA".repeat(20)];
  for (const text of [...texts, sealed, nextCursor.slice(0, 26), nextCursor.slice(0, 27)]) {
    await refuse(text, "cursor.unknown");
  }
  // Another list's cursor is invalid here.
  await createPerson(caller);
  await createPerson(caller);
  const people = await caller.call("GET", "/api/v2/relationship/people?limit=1");
  await refuse(people.body.data.nextCursor, "cursor.unknown");

  // A cursor of another feed, even under another secret: the client starts over.
  const secret = new TextEncoder().encode("another server secret for the tests");
  const elsewhere = callerOf(world().again({ serverSecret: secret }), caller);
  const foreign = (await drain(elsewhere)).nextCursor;
  await refuse(foreign, "cursor.unknown");
  await refuse(`${ulid()}${foreign.slice(26)}`, "cursor.feed");
  await refuse(`${ulid()}${nextCursor.slice(26)}`, "cursor.feed", other);

  for (
    const query of ["after=", "cursor=x", "after=x&after=y", "limit=0", "limit=101", "limit=a"]
  ) {
    assertFailure(await caller.call("GET", `${CHANGES}?${query}`), "PAYLOAD_INVALID", query);
  }
});

Deno.test("GET changes accepts the older unsealed cursors, but makes none", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  for (let index = 0; index < 3; index++) await caller.create("commitment", COMMITMENT);
  const all = await follow(caller, 3);
  const places = await oldPlaces(caller);
  for (const [index, place] of places.entries()) {
    const page = await readChanges(caller, oldCursor(caller.accountId, place));
    assertEquals(page.items, all.items.slice(index + 1));
    // Equal to a cursor that was never old.
    assertEquals(page.nextCursor, all.nextCursor);
  }
  const refuse = async (after: string, rule: string) => {
    const query = new URLSearchParams({ after });
    assertInvalid(await caller.call("GET", `${CHANGES}?${query}`), [rule], ["after"], after);
  };
  const [[revisionId, , data]] = places;
  const old = oldCursor(caller.accountId, places[0]);
  await refuse(old.slice(1), "cursor.unknown");
  await refuse(`${old}A`, "cursor.unknown");
  await refuse(oldCursor(other.accountId, places[0]), "cursor.unknown");
  const secret = new TextEncoder().encode("another server secret for the tests");
  await refuse(oldCursor(caller.accountId, places[0], secret), "cursor.unknown");
  for (const content of [[revisionId, null, 5], { 2: "x" }, [revisionId, null, "x"], null]) {
    await refuse(oldCursor(caller.accountId, content, secret), "cursor.unknown");
  }
  const another = [revisionId, null, data.replace(/^\S+/, ulid())];
  await refuse(oldCursor(caller.accountId, another), "cursor.feed");
  await refuse(oldCursor(caller.accountId, another, secret), "cursor.feed");
});

Deno.test("A record whose module left the catalog is reported as drift", async () => {
  const caller = await world().createCaller();
  await caller.create("commitment", COMMITMENT);
  await follow(caller, 1);
  const modules = CATALOG.modules.filter(({ code }) => code !== "commitment");
  const without = callerOf(world().again({ catalog: createCatalog(modules) }), caller);
  assertFailure(await without.call("GET", CHANGES), "INTERNAL_ERROR");
});

Deno.test("A cursor reveals only its feed", async () => {
  const caller = await world().createCaller();
  for (let index = 0; index < 3; index++) await remember(caller, { privacyLevel: "SECRET" });
  await follow(caller, 3);
  const [{ feed_id: feed }] = await world().rows("select feed_id from change_feed");
  const reader = await readerWith(caller, []);
  const beginning = (await readChanges(await world().createCaller())).nextCursor;
  const places = await oldPlaces(caller);
  for (const limit of ["1", "2", "3"]) {
    const { nextCursor } = await readChanges(reader, null, { limit });
    assertMatch(nextCursor, /^[\w-]{100,200}$/);
    assertEquals(nextCursor.slice(0, 27), `${feed}-`);
    // Its length does not reveal the number of transactions.
    assertEquals(nextCursor.length, beginning.length);
    const sealed = nextCursor.slice(27);
    const bytes = Buffer.from(sealed, "base64url").toString("latin1");
    for (const [revisionId, , data] of places) {
      for (const hidden of [revisionId, revisionId.slice(0, 10), data.split(" ")[1]]) {
        if (hidden.length > 2) assertFalse(`${sealed} ${bytes}`.includes(hidden), hidden);
      }
    }
  }
});
