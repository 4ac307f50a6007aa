// engines: postgres
/** Both engines return figures bit by bit. */

import { assertEquals } from "@std/assert";
import { patch } from "../families/decision/api.ts";
import { done, read } from "../families/memory/api.ts";
import { keep, measure, OVERLOAD_ANALYSES, resourcePath } from "../families/resource/api.ts";
import { seededRandom } from "../support/random.ts";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();

Deno.test("Figures read back exactly, in a resource, its revisions and a snapshot", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(1);
  const numbers = [
    0,
    5e-324,
    2.2250738585072014e-308,
    1e-7,
    0.1,
    0.1 + 0.2,
    1 / 3,
    123_456_789.123_456_78,
    999_999_999_999.999_9,
    1e12,
    ...Array.from({ length: 10 }, () => random.next() * 10 ** random.integer(-20, 12)),
  ];
  for (const number of numbers.flatMap((number) => [number, -number])) {
    const resource = await keep(caller, { amount: number });
    const snapshot = await measure(caller, resource, { amount: number });
    // JSON has no negative zero.
    assertEquals([resource.amount, snapshot.amount], [number + 0, number + 0]);
    const path = resourcePath(resource);
    const set = { capacity: Math.abs(number), available: -Math.abs(number) };
    const changed = (await patch(caller, path, { expectedRevision: 1, set })).body.data;
    assertEquals([changed.capacity, changed.available], [set.capacity, set.available + 0]);
    assertEquals(await read(caller, path), changed);
    assertEquals(await read(caller, `${path}?revision=1`), resource);
    assertEquals(await read(caller, `${path}/snapshots/${snapshot.snapshotId}`), snapshot);
  }
  const { items } = await done(caller, OVERLOAD_ANALYSES, {});
  const utilisations = items.map(({ utilisation }: { utilisation: number | null }) => utilisation);
  assertEquals(new Set(utilisations), new Set([2, null]));
});
