import { assertEquals } from "@std/assert";
import { RandomNumbers, stateOfSeed } from "../../../../src/families/decision/random_numbers.ts";

function take(numbers: RandomNumbers, count: number): number[] {
  return Array.from({ length: count }, () => numbers.next());
}

Deno.test("RandomNumbers gives the published outputs of xoshiro128** 1.1", () => {
  const expected = [11520, 0, 5927040, 70819200, 2031721883];
  assertEquals(take(new RandomNumbers([1, 2, 3, 4]), 5), expected);
});

Deno.test("stateOfSeed() gives the published outputs of SplitMix64", () => {
  // 6457827717110365317 and 3203168211198807973, in halves.
  const expected: [number, number, number, number] = [
    4211670149,
    1503580183,
    1481904037,
    745795716,
  ];
  assertEquals(stateOfSeed(1234567), expected);
});

Deno.test("A seed's numbers never change", () => {
  const known: [number, number[]][] = [
    [42, [1776835114, 4165204688, 17111135, 2317295270]],
    [0, [3737715805, 2584255861, 2876756834, 3286328325]],
  ];
  for (const [seed, numbers] of known) {
    assertEquals(take(new RandomNumbers(stateOfSeed(seed)), 4), numbers);
  }
});

Deno.test("Every bit of a seed matters", () => {
  const seeds = [0, ...Array.from({ length: 53 }, (_, bit) => 2 ** bit), Number.MAX_SAFE_INTEGER];
  const begins = seeds.map((seed) => take(new RandomNumbers(stateOfSeed(seed)), 4).join());
  assertEquals(new Set(begins).size, seeds.length);
});
