import { assertEquals } from "@std/assert";
import { Durations, median, percentile } from "../../../scripts/bench/statistics.ts";

Deno.test("median() returns the middle value, or the mean of two", () => {
  assertEquals(median([5, 1, 30]), 5);
  assertEquals(median([30, 1, 5, 7]), 6);
  assertEquals(median([4]), 4);
  assertEquals(median([]), NaN);
});

Deno.test("percentile() returns the smallest value that the fraction does not exceed", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  assertEquals(percentile(hundred, 0.5), 50);
  assertEquals(percentile(hundred, 0.99), 99);
  assertEquals(percentile(hundred, 1), 100);
  assertEquals(percentile([7], 0.01), 7);
  assertEquals(percentile([], 0.5), NaN);
});

Deno.test("Durations grows beyond its initial size, and sorts numerically", () => {
  const durations = new Durations();
  for (let value = 70_000; value > 0; value--) durations.add(value);
  const sorted = durations.sorted();
  assertEquals(durations.count, 70_000);
  assertEquals([sorted[0], sorted[9], sorted[69_999]], [1, 10, 70_000]);
});
