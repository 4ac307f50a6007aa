import { assertEquals } from "@std/assert";
import { type CalendarUnit, nearestMonth, UNITS } from "../../../src/insight/calendar_units.ts";
import { seededRandom } from "../../support/random.ts";

function around({ indexOf, startOf }: CalendarUnit, day: string): [string, string] {
  return [startOf(indexOf(day)), startOf(indexOf(day) + 1)];
}

Deno.test("each day lies in one unit of each kind", () => {
  const cases: readonly [keyof typeof UNITS, string, string, string][] = [
    ["day", "2024-02-29", "2024-02-29", "2024-03-01"],
    ["week", "2026-11-29", "2026-11-23", "2026-11-30"],
    ["week", "1969-12-28", "1969-12-22", "1969-12-29"],
    ["week", "0001-01-01", "0001-01-01", "0001-01-08"],
    ["month", "2025-12-31", "2025-12-01", "2026-01-01"],
    ["season", "2025-12-31", "2025-12-01", "2026-03-01"],
    ["season", "2026-02-28", "2025-12-01", "2026-03-01"],
    ["season", "2026-03-01", "2026-03-01", "2026-06-01"],
    ["year", "0099-07-01", "0099-01-01", "0100-01-01"],
    ["decade", "1999-12-31", "1990-01-01", "2000-01-01"],
    // Cut to the years that can be written.
    ["season", "0001-02-01", "0001-01-01", "0001-03-01"],
    ["decade", "9999-01-01", "9990-01-01", "9999-12-31"],
  ];
  for (const [unit, day, start, end] of cases) {
    assertEquals(around(UNITS[unit], day), [start, end], `${unit} ${day}`);
  }
});

Deno.test("units follow each other without a gap", () => {
  const random = seededRandom(26);
  for (const unit of Object.values(UNITS)) {
    for (let round = 0; round < 200; round++) {
      const time = Date.UTC(random.integer(1900, 2100), 0, random.integer(1, 366));
      const day = new Date(time).toISOString().slice(0, 10);
      const [start, end] = around(unit, day);
      assertEquals([start <= day && day < end, unit.indexOf(start)], [true, unit.indexOf(day)]);
      assertEquals(unit.indexOf(end), unit.indexOf(day) + 1);
    }
  }
});

Deno.test("nearestMonth() finds the month that begins within a day", () => {
  const cases: readonly [string, string][] = [
    ["2025-12-31T10:00:00.000Z", "2026-01-01"],
    ["2026-01-01T14:00:00.000Z", "2026-01-01"],
    ["2024-02-29T23:00:00.000Z", "2024-03-01"],
    ["0001-01-01T00:00:00.000Z", "0001-01-01"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31"],
  ];
  for (const [time, day] of cases) assertEquals(nearestMonth(Date.parse(time)), day);
});
