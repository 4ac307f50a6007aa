import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { isoText, maxDate } from "../../../src/core/clock.ts";
import { seededRandom } from "../../support/random.ts";

Deno.test("isoText() writes a time as Date does, in any sequence", () => {
  const random = seededRandom(1);
  const moments = Array.from(
    { length: 20 },
    () => new Date(random.integer(-62_135_596_800_000, 253_402_300_799_999)),
  );
  for (let round = 0; round < 2_000; round++) {
    // Often the same object, sometimes an equal one.
    const moment = random.pick(moments.slice(0, random.integer(1, moments.length)));
    const given = random.chance(0.2) ? new Date(moment) : moment;
    assertEquals(isoText(given), moment.toISOString());
  }
});

Deno.test("isoText() rejects an invalid date each time, and then writes valid ones", () => {
  const [valid, invalid] = [new Date("2026-11-20T12:00:00.123Z"), new Date(NaN)];
  for (let round = 0; round < 3; round++) {
    assertEquals(isoText(valid), "2026-11-20T12:00:00.123Z");
    assertThrows(() => isoText(invalid), RangeError);
    assertThrows(() => isoText(invalid), RangeError);
  }
});

Deno.test("maxDate() returns the later time, in either order", () => {
  const [earlier, later] = [new Date(1), new Date(2)];
  assertStrictEquals(maxDate(earlier, later), later);
  assertStrictEquals(maxDate(later, earlier), later);
});
