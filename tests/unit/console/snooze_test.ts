/** Due times that are moved to another day. */

import { assertEquals } from "@std/assert";
import { localOf, onClock } from "../../../src/console/web/logic/local_time.js";
import {
  type Snooze,
  snoozed,
  snoozeDays,
} from "../../../src/console/web/pages/parts/snooze_days.js";
import { seededRandom } from "../../support/random.ts";
import { inZone } from "../../support/zone.ts";

const CHOICES: readonly Snooze[] = ["tomorrow", "weekend", "nextWeek"];

Deno.test("Weekend and next week are never today, and tomorrow may be either", () => {
  // 23 November 2026 is a Monday.
  const days = [0, 1, 2, 3, 4, 5, 6].map((day) => new Date(2026, 10, 23 + day, 12));
  const found = days.map((now) => CHOICES.map((choice) => snoozeDays(choice, now)));
  assertEquals(found, [
    [1, 5, 7],
    [1, 4, 6],
    [1, 3, 5],
    [1, 2, 4],
    [1, 1, 3],
    [1, 7, 2],
    [1, 6, 1],
  ]);
});

Deno.test("A snoozed time keeps its time of day and its clock, over month ends and clock changes", () => {
  inZone("Europe/Berlin", () => {
    const saturday = new Date(2026, 1, 28, 15);
    const due = "2026-02-27T09:30:00.000+01:00[Europe/Berlin]";
    assertEquals(CHOICES.map((choice) => snoozed(due, choice, saturday)), [
      "2026-03-01T09:30:00.000+01:00[Europe/Berlin]",
      "2026-03-07T09:30:00.000+01:00[Europe/Berlin]",
      "2026-03-02T09:30:00.000+01:00[Europe/Berlin]",
    ]);
    // The clocks go forward in the night, and skip half past two.
    const before = new Date(2026, 2, 28, 23);
    assertEquals(snoozed(due, "tomorrow", before), "2026-03-29T09:30:00.000+02:00[Europe/Berlin]");
    const atNight = "2026-03-28T02:30:00.000+01:00[Europe/Berlin]";
    assertEquals(
      snoozed(atNight, "tomorrow", before),
      "2026-03-29T03:30:00.000+02:00[Europe/Berlin]",
    );
    // An offset alone stays, and without a clock the device's is taken.
    assertEquals(
      snoozed("2026-02-27T09:30:00+01:00", "tomorrow", before),
      "2026-03-29T09:30:00.000+01:00",
    );
    assertEquals(
      snoozed("2026-02-27T08:30:00.000Z", "tomorrow", before),
      "2026-03-29T09:30:00.000+02:00[Europe/Berlin]",
    );
    // Tomorrow of this device is today in Auckland's morning, and the day after in Honolulu's.
    const noon = new Date(2026, 5, 10, 12);
    assertEquals(
      snoozed("2026-06-09T23:00:00.000-10:00[Pacific/Honolulu]", "tomorrow", noon),
      "2026-06-10T23:00:00.000-10:00[Pacific/Honolulu]",
    );
    assertEquals(
      snoozed("2026-06-09T06:00:00.000+12:00[Pacific/Auckland]", "tomorrow", noon),
      "2026-06-12T06:00:00.000+12:00[Pacific/Auckland]",
    );
  });
});

Deno.test("Whatever the zones, a snoozed time is on the chosen day of this device", () => {
  const random = seededRandom(58);
  const zones = ["Asia/Tokyo", "America/St_Johns", "Pacific/Chatham", "America/Los_Angeles"];
  for (const zone of ["Europe/Berlin", "Pacific/Auckland", "America/New_York", "Asia/Kolkata"]) {
    inZone(zone, () => {
      for (let round = 0; round < 200; round++) {
        const now = new Date(
          2026,
          random.integer(0, 11),
          random.integer(1, 28),
          random.integer(0, 23),
        );
        const own = `2026-05-05T12:00:00Z[${random.pick(zones)}]`;
        const clock = `T${String(random.integer(4, 23)).padStart(2, "0")}:15`;
        const due = onClock(`2026-01-${random.integer(10, 28)}${clock}`, own);
        const choice = random.pick(CHOICES);
        const moved = snoozed(due, choice, now);
        const days = snoozeDays(choice, now);
        const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
        const instant = new Date(Date.parse(moved.replace(/\[.*/, "")));
        assertEquals(instant.toDateString(), day.toDateString(), `${zone}: ${due} ${now}`);
        assertEquals(localOf(moved).slice(10), clock);
      }
    });
  }
});
