import { assertEquals, assertThrows } from "@std/assert";
import { MOMENTS } from "../../../src/database/moments.ts";
import { seededRandom } from "../../support/random.ts";

const FIRST = Date.parse("0001-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/** In UTC without trailing zeros. */
function serverText(moment: Date, microseconds = ""): string {
  const [day, time] = new Date(moment).toISOString().slice(0, -1).split("T");
  return `${day} ${`${time}${microseconds}`.replace(/\.?0*$/, "")}+00`;
}

Deno.test("A time of the database is the stored date, and is written like one", () => {
  const random = seededRandom(1);
  const times = [FIRST, LAST, 0, -1, Date.parse("2024-02-29T00:00:00.000Z")];
  for (let run = 0; run < 2_000; run++) {
    // Some whole seconds or minutes.
    const unit = random.pick([1, 10, 100, 1_000, 60_000]);
    times.push(Math.floor(random.integer(FIRST, LAST) / unit) * unit);
  }
  for (const time of times) {
    const expected = new Date(time);
    const text = serverText(expected);
    const moment = MOMENTS.parse(text);
    assertEquals(moment.getTime(), time, text);
    assertEquals(moment.toISOString(), expected.toISOString(), text);
    assertEquals(JSON.stringify([moment]), JSON.stringify([expected]), text);
    assertEquals(MOMENTS.serialize(moment), expected.toISOString(), text);
    assertEquals(MOMENTS.parse(serverText(expected, "987")).toISOString(), expected.toISOString());
  }
});

Deno.test("An invalid date is not written as one", () => {
  for (
    const text of ["infinity", "-infinity", "10000-01-01 00:00:00+00", "0044-03-15 00:00:00+00 BC"]
  ) {
    assertThrows(() => MOMENTS.parse(text).toISOString(), RangeError);
  }
});
