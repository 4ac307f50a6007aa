/** Writers, long transactions, and a follower of the feed. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { readChanges } from "../http/changes.ts";
import { COMMITMENT, pathOf } from "../http/kernel.ts";
import { done, remember, textPath } from "../families/memory/api.ts";
import { actOn, tag } from "../families/taxonomy/api.ts";
import { begin } from "../storage/held.ts";
import { insertRecord, newRoot } from "../storage/rows.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, callerOf, createWorld, type Json, type World } from "../support/world.ts";

const WRITERS = 8;
const WRITES = 15;
/** On a busy machine a follower may get its first page late. */
const MAX_WRITES = 150;

/** Writes one or several roots, some shared, until the feed is followed. */
async function write(
  caller: Caller,
  shared: readonly Json[],
  random: Random,
  isFollowed: () => boolean,
): Promise<void> {
  const own: Json[] = [];
  for (let index = 0; index < WRITES || (index < MAX_WRITES && !isFollowed()); index++) {
    const kind = random.integer(1, 6);
    if (own.length === 0 || kind === 1) own.push(await caller.create("commitment", COMMITMENT));
    else if (kind === 2) {
      const memory = await remember(caller);
      await done(caller, textPath(memory, "/revisions"), { expectedRevision: 1, importance: 3 });
    } else if (kind === 3) {
      // Two roots, one of them shared.
      const merged = await tag(caller, ulid());
      const [target] = await Promise.all([
        tag(caller, ulid()),
        caller.call("PATCH", pathOf(random.pick(shared)), { body: { title: ulid() } }),
      ]);
      await Promise.all([
        actOn(caller, merged, "merge", { intoId: target.termId }),
        caller.call("PATCH", `/api/v2/taxonomy/tags/${target.termId}`, {
          key: ulid(),
          body: { expectedRevision: 1, description: "Changed meanwhile" },
        }),
      ]);
    } else {
      const path = pathOf(random.pick([...own, ...shared]));
      const response = await caller.call("PATCH", path, { body: { title: ulid() } });
      assertEquals(response.status, 200, response.text);
    }
  }
}

/** Long transactions with an early number, committed or rolled back. */
async function delay(world: World, caller: Caller, random: Random, isOver: () => boolean) {
  while (!isOver()) {
    const script = insertRecord(newRoot(caller.accountId));
    const running = await begin(world.database, (tx) => tx.script(script));
    await new Promise((resolve) => setTimeout(resolve, random.integer(5, 60)));
    await (random.chance(0.5) ? running.commit() : running.rollBack());
  }
}

/** The ledger in feed order. */
async function ledgerOf(world: World, { accountId }: Caller): Promise<Json[]> {
  return await world.rows(`
    select module_code as "moduleCode", record_id as "recordId", revision, change, created_at as at
      from record_revisions where owner_id = '${accountId}'
     order by transaction_id, revision_id`);
}

Deno.test("A follower of the feed receives each revision once, in order, during writes", async () => {
  await using world = await createWorld();
  const random = seededRandom(20_261_122);
  const caller = await world.createCaller();
  const shared = await Promise.all(
    Array.from({ length: 3 }, () => caller.create("commitment", COMMITMENT)),
  );
  let isOver = false;
  const met: Json[] = [];
  const pages: number[] = [];
  let after: string | null = null;
  const poll = async () => {
    const limit = String(random.integer(1, 100));
    const page = await readChanges(caller, after, { limit });
    after = page.nextCursor;
    met.push(...page.items);
    pages.push(page.items.length);
  };
  const isFollowed = () => met.length > WRITERS;
  const writers = Array.from(
    { length: WRITERS },
    (_, index) => write(callerOf(world.again(), caller), shared, seededRandom(index), isFollowed),
  );
  const others = [1, 2].map((seed) => delay(world, caller, seededRandom(seed), () => isOver));
  const following = (async () => {
    while (!isOver) await poll();
  })();
  await Promise.all(writers).finally(() => isOver = true);
  await Promise.all([following, ...others]);
  assert(isFollowed(), "The feed was followed while it grew");

  const ledger = await ledgerOf(world, caller);
  await waitUntil("the feed has given everything", async () => {
    await poll();
    return met.length >= ledger.length;
  });
  assertEquals(met, ledger.map((row) => ({ ...row, at: row.at.toISOString() })));
  for (const [recordId, entries] of Map.groupBy(met, (item) => item.recordId)) {
    assertEquals(
      entries.map(({ revision }) => revision),
      entries.map((_, index) => index + 1),
      recordId,
    );
  }
  assert(pages.includes(0), "The feed never had to wait");
});
