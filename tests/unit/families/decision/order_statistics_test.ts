import { assertEquals } from "@std/assert";
import { placeRanks } from "../../../../src/families/decision/order_statistics.ts";
import { seededRandom } from "../../../support/random.ts";

/** With the number of passes. */
function place(values: readonly number[], ranks: readonly number[]): [number[], number] {
  const placed = Float64Array.from(values);
  const passes = [...placeRanks(placed, ranks)].length;
  assertEquals(placed.toSorted(), Float64Array.from(values).toSorted());
  return [ranks.map((rank) => placed[rank - 1] ?? NaN), passes];
}

Deno.test("placeRanks() finds what sorting finds", () => {
  const random = seededRandom(20_261_120);
  for (let round = 0; round < 500; round++) {
    const count = random.integer(1, 60);
    // Few different values give ties.
    const different = random.pick([1, 2, 5, 1_000_000]);
    const values = Array.from({ length: count }, () => random.integer(1, different) / 8);
    const ranks = [1, 2, 3].map(() => random.integer(1, count)).sort((one, two) => one - two);
    const sorted = values.toSorted((one, two) => one - two);
    assertEquals(place(values, ranks)[0], ranks.map((rank) => sorted[rank - 1]));
  }
});

Deno.test("placeRanks() needs few passes over sorted, reversed or equal values", () => {
  const ascending = Array.from({ length: 10_000 }, (_, index) => index);
  for (const values of [ascending, ascending.toReversed(), ascending.map(() => 7)]) {
    const [placed, passes] = place(values, [500, 5_000, 9_500]);
    assertEquals(placed, [499, 4_999, 9_499].map((value) => values[0] === 7 ? 7 : value));
    assertEquals(passes <= 60, true, `${passes} passes`);
  }
});
