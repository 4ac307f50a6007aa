/** The sizes of an import's transactions. */

import { assertEquals } from "@std/assert";
import { BatchSize } from "../../../src/imports/run.ts";

/** The sizes that follow each other if an item takes `itemMs` and a transaction 10 ms more. */
function sizes(count: number, itemMs: number, isAwaited: (index: number) => boolean): number[] {
  const batchSize = new BatchSize();
  return Array.from({ length: count }, (_, index) => {
    const { items: size } = batchSize;
    batchSize.adapt(size, 10 + size * itemMs, isAwaited(index));
    return size;
  });
}

Deno.test("BatchSize keeps transactions near 40 ms while requests wait, and goes to 100 ms after ten without", () => {
  assertEquals(sizes(4, 1.5, () => true), [10, 16, 18, 19]);
  const alone = sizes(20, 1.5, () => false);
  assertEquals(alone.slice(0, 9).every((size) => size <= 20), true);
  assertEquals(alone.at(-1), 59);
});

Deno.test("BatchSize has 10 to 100 items, and at most twice as many as before", () => {
  assertEquals(sizes(20, 100, () => true).at(-1), 10);
  const fast = sizes(20, 0.01, () => false);
  assertEquals([fast.slice(0, 5), fast.at(-1)], [[10, 20, 40, 80, 100], 100]);
});
