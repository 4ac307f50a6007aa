/** What is due, by the days of this device, and how days are counted. */

import { assertEquals } from "@std/assert";
import { byDay, completion, dueList } from "../../../src/console/web/logic/due_days.js";
import { daysBetween } from "../../../src/console/web/logic/local_time.js";
import { countByDay, weekStart } from "../../../src/console/web/logic/week.js";
import type { Due } from "../../../src/console/web/wire.d.ts";
import { seededRandom } from "../../support/random.ts";

const NOW = new Date(2026, 10, 22, 14, 0);
const inDays = (days: number, hour = 9) => new Date(2026, 10, 22 + days, hour).toISOString();

function due(title: string, time: Partial<Due>): Due {
  return {
    kind: "COMMITMENT",
    moduleCode: "commitment",
    recordId: "01KAGQ0000000000000000000A",
    sourceId: null,
    what: null,
    at: null,
    date: null,
    overdue: false,
    alarm: true,
    title,
    ...time,
  };
}

Deno.test("What is overdue comes first, then each day of this device that has anything", () => {
  const days = byDay([
    due("long", { at: inDays(-40), overdue: true }),
    due("morning", { at: inDays(0, 9), overdue: true }),
    due("birthday", { date: "2026-11-22" }),
    due("evening", { at: inDays(0, 20) }),
    due("last", { at: inDays(7, 23) }),
  ], NOW);
  assertEquals(days.map(({ days, items }) => [days, ...items.map(({ title }) => title)]), [
    [null, "long", "morning"],
    [0, "birthday", "evening"],
    [7, "last"],
  ]);
  const until = new URL(dueList(NOW), "http://service").searchParams.get("until");
  assertEquals(until, new Date(2026, 10, 30).toISOString());
});

Deno.test("What has a state for it is completed, and nothing else is", () => {
  assertEquals(completion("COMMITMENT", NOW), { completionStatus: "COMPLETED" });
  assertEquals(completion("ACTION", NOW), { actionStatus: "COMPLETED" });
  assertEquals(completion("ROUTINE", NOW), { lastCompletedAt: NOW.toISOString() });
  for (const kind of ["DECISION_REVIEW", "CONTACT", "DATE", "PROPOSAL"] as const) {
    assertEquals(completion(kind, NOW), null);
  }
});

Deno.test("Days are counted by the calendar, whatever the clocks do in between", () => {
  const random = seededRandom(26);
  for (let round = 0; round < 500; round++) {
    const days = random.integer(-400, 400);
    const from = new Date(2026, 2, 15, random.integer(0, 23), random.integer(0, 59));
    const to = new Date(2026, 2, 15 + days, random.integer(0, 23), random.integer(0, 59));
    assertEquals(daysBetween(from, to), days);
  }
});

Deno.test("A week is seven days of this device, of which each has its own count", () => {
  const random = seededRandom(28);
  const start = weekStart(NOW);
  assertEquals(daysBetween(start, NOW), 6);
  for (let round = 0; round < 100; round++) {
    const offsets = Array.from({ length: random.integer(0, 30) }, () => random.integer(-9, 2));
    const days = countByDay(offsets.map((days) => inDays(days, random.integer(0, 23))), NOW);
    const wanted = [-6, -5, -4, -3, -2, -1, 0].map((day) =>
      offsets.filter((offset) => offset === day).length
    );
    assertEquals(days.map(({ count }) => count), wanted);
    assertEquals(days[0]?.day, start);
  }
});
