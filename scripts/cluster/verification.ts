/** Compares everything that was acknowledged with the stored state. */

import { assertEquals } from "@std/assert";
import postgres from "postgres";
import { DAMAGE, FEED, UNDAMAGED } from "../../tests/support/damage.ts";
import type { Caller } from "../../tests/support/world.ts";
import { Follower } from "./follower.ts";
import { RECORDS, type Write, type Writers } from "./writers.ts";

interface Outcome {
  readonly writers: Writers;
  readonly follower: Follower;
  readonly caller: Caller;
  readonly leaderUrl: string;
}

/**
 * Every write exists once and replays, the ledgers agree, and the feed has delivered every
 * revision, both to the continuous follower and to a new one.
 */
export async function verify({ writers, follower, caller, leaderUrl }: Outcome): Promise<void> {
  const writes = writers.writes.flat();
  await verifyRows(writes, leaderUrl);
  const begun = new Follower(caller);
  for (const client of [follower, begun]) {
    await client.finish(writes.length);
    await compareFeed(client, leaderUrl);
  }
  await Promise.all(writers.writes.map((own) => replayAll(own, writers)));
  await readAll(writers, caller);
  // Replays and reads wrote nothing.
  await verifyRows(writes, leaderUrl);
}

async function verifyRows(writes: readonly Write[], url: string): Promise<void> {
  assertEquals(await rows(url, DAMAGE), UNDAMAGED);
  const [counts] = await rows(
    url,
    `select (select count(*)::int from records) as records,
            (select count(*)::int from record_revisions) as revisions,
            (select count(*)::int from idempotency_envelopes) as envelopes`,
  );
  const records = writes.filter(({ path }) => path === RECORDS).length;
  assertEquals(counts, { records, revisions: writes.length, envelopes: writes.length });
}

async function compareFeed({ met }: Follower, url: string): Promise<void> {
  assertEquals(met, await rows(url, FEED));
}

/** Every key replays its answer. */
async function replayAll(writes: readonly Write[], writers: Writers): Promise<void> {
  for (const write of writes) {
    const again = await writers.acknowledge(write);
    const first = write.acknowledged?.response;
    assertEquals([again.status, again.body.data], [first?.status, first?.body.data], again.text);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  }
}

/** Every record has its last written state. */
async function readAll({ writes }: Writers, caller: Caller): Promise<void> {
  for (const own of writes) {
    const last = new Map(own.map(({ acknowledged }) => {
      const { data } = acknowledged?.response.body ?? {};
      return [data.recordId, data];
    }));
    for (const [recordId, data] of last) {
      const read = await caller.call("GET", `${RECORDS}/${recordId}`);
      assertEquals([read.status, read.body.data], [200, data], read.text);
    }
  }
}

async function rows(url: string, query: string): Promise<unknown[]> {
  const client = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    return [...await client.unsafe(query)].map((row) => ({ ...row }));
  } finally {
    await client.end();
  }
}
