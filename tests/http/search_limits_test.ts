/** Limits of a search page and of concurrent searches. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { fold } from "../../src/records/search_index/words.ts";
import { areMet, mixedText, type NaiveWord, naiveWords } from "../support/naive_search.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { waitUntil } from "../support/wait.ts";
import {
  type Caller,
  callerOf,
  sharedWorld,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { assertFailure, COMMITMENT } from "./kernel.ts";
import { withPermissions } from "../families/memory/api.ts";
import { ask, search } from "./search.ts";

const world = sharedWorld();

/** Maximum folded per page. */
const CHARACTERS = 1_000_000;

/** Searches wait until released. */
function heldSearches(world: World) {
  const released = Promise.withResolvers<void>();
  const held = { app: world.app, count: 0, release: () => released.resolve() };
  const { database } = world;
  const read: Database["read"] = async (use) => {
    const found = await database.read(use);
    const isMatches = typeof found === "object" && found !== null && "ids" in found;
    if (!isMatches) return found;
    held.count++;
    await released.promise;
    return found;
  };
  held.app = world.again({ database: { ...database, read } });
  return held;
}

Deno.test("An account runs two searches of sessions and two of tokens at once", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const token = await withPermissions(world(), caller, "search.read", "record.read");
  for (const one of [caller, other]) await one.create("commitment", COMMITMENT, "Pebble");
  const held = heldSearches(world());
  const [session, tokens, stranger] = [caller, token, other]
    .map((caller) => callerOf(held.app, caller)) as [Caller, Caller, Caller];
  const running: Promise<TestResponse>[] = [];
  const start = async (caller: Caller) => {
    running.push(ask(caller, "pebble"));
    await waitUntil("the search is held", () => held.count === running.length);
  };
  const assertFull = async (caller: Caller) => {
    const response = await ask(caller, "pebble");
    assertFailure(response, "HTTP_429");
    assertMatch(response.headers.get("Retry-After") ?? "", /^[1-9]\d*$/);
  };
  await start(session);
  await start(session);
  await assertFull(session);
  await start(tokens);
  await start(tokens);
  await assertFull(tokens);
  await start(stranger);
  await assertFull(session);
  // Validation needs no place.
  assertFailure(await ask(session, "…"), "PAYLOAD_INVALID");
  held.release();
  for (const { status, body } of await Promise.all(running)) {
    assertEquals([status, body.data.items.length], [200, 1]);
  }
  for (const caller of [session, tokens]) {
    await Promise.all([search(caller, "pebble"), search(caller, "pebble")]);
  }
});

Deno.test("A page ends after the record that reaches a million folded characters", async () => {
  const caller = await world().createCaller();
  const content = `${"filler ".repeat(20_000).slice(0, 99_992)} pebble.`;
  assertEquals(content.length, CHARACTERS / 10);
  for (let index = 0; index < 12; index++) {
    await caller.create("commitment", { ...COMMITMENT, content }, "T");
  }
  const first = await search(caller, "pebble", { limit: 100 });
  assertEquals(first.items.length, 10);
  assertNotEquals(first.nextCursor, null);
  const second = await search(caller, "pebble", { limit: 100, cursor: first.nextCursor });
  assertEquals([second.items.length, second.nextCursor], [2, null]);
  // If the title has every word, only it is folded.
  world().advance(1);
  await caller.create("commitment", { ...COMMITMENT, content }, "Pebble");
  const next = await search(caller, "pebble", { limit: 100 });
  assertEquals(next.items.length, 11);
});

interface Written {
  readonly recordId: string;
  /** Folded length and searchable words of each text. */
  readonly texts: readonly { readonly characters: number; readonly words: readonly NaiveWord[] }[];
}

/** No query word is a prefix of these. */
const FILLER = " qqqqqqqqqq".repeat(9_000);

async function writeLarge(caller: Caller, random: Random): Promise<Written> {
  const sought = Array.from({ length: 2 }, () => `a ${mixedText(random, 20)} z`);
  const [content = "", notes = ""] = sought.map((text) =>
    text + FILLER.slice(0, random.pick([0, 60_000, 99_000, 99_000]))
  );
  const { recordId } = await caller.create("commitment", { ...COMMITMENT, content, notes }, "T");
  const texts = [["T", "T"], [content, sought[0]], [notes, sought[1]]].map((
    [text = "", words = ""],
  ) => ({ characters: fold(text).length, words: naiveWords(words) }));
  return { recordId, texts };
}

/** Texts are folded until every word is met. */
function foldedCharacters({ texts }: Written, asked: readonly NaiveWord[]): number {
  const met = texts.findIndex((_, index) =>
    areMet(asked, texts.slice(0, index + 1).flatMap(({ words }) => words))
  );
  return texts.slice(0, met === -1 ? texts.length : met + 1)
    .reduce((sum, { characters }) => sum + characters, 0);
}

Deno.test("Search pages show every match once, and each folds up to its limit", async () => {
  const random = seededRandom(29);
  const caller = await world().createCaller();
  const written: Written[] = [];
  while (written.length < 40) written.push(await writeLarge(caller, random));
  written.sort((a, b) => a.recordId < b.recordId ? 1 : -1);
  let ended = 0;
  for (let run = 0; run < 10; run++) {
    const q = random.chance(0.5) ? random.pick(["a", "z a", "a z"]) : mixedText(random, 3);
    const asked = naiveWords(q);
    if (asked.length === 0) continue;
    const matches = written.filter(({ texts }) =>
      areMet(asked, texts.flatMap(({ words }) => words))
    );
    const limit = random.pick([7, 50, 100]);
    const shown: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof search>> = await search(caller, q, {
        limit,
        ...(cursor !== null && { cursor }),
      });
      const ids = page.items.map(({ recordId }) => recordId);
      shown.push(...ids);
      const folded = matches.filter(({ recordId }) => ids.includes(recordId))
        .map((match) => foldedCharacters(match, asked));
      const label = JSON.stringify([q, limit, folded]);
      const before = folded.slice(0, -1).reduce((sum, one) => sum + one, 0);
      assert(before < CHARACTERS, label);
      if (page.nextCursor !== null && ids.length < limit) ended++;
      cursor = page.nextCursor;
    } while (cursor !== null);
    assertEquals(shown, matches.map(({ recordId }) => recordId), JSON.stringify([q, limit]));
  }
  assert(ended > 3, `${ended} pages ended before their limit`);
});
