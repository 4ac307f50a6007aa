import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import { readListQuery } from "../../../src/records/list_query.ts";
import { daysBetween, dueAmong, dueLists } from "../../../src/console/web/logic/due.js";
import { countByDay, weekStart } from "../../../src/console/web/logic/week.js";
import { seededRandom } from "../../support/random.ts";

const NOW = new Date(2026, 10, 22, 14, 0);
const inDays = (days: number, hour = 9) => new Date(2026, 10, 22 + days, hour).toISOString();

function record(moduleCode: string, payload: Record<string, unknown>, archivedAt: string | null) {
  return { moduleCode, recordId: JSON.stringify(payload), payload, archivedAt };
}

const summaries = (records: unknown[]) =>
  dueAmong(records, NOW).map(({ record, days, isOverdue }) => [record.moduleCode, days, isOverdue]);

Deno.test("Open items with a time are due up to a week ahead, longest overdue first", () => {
  const records = [
    record("commitment", { dueAt: inDays(0, 20), completionStatus: "IN_PROGRESS" }, null),
    record("decision", { reviewAt: inDays(-40) }, null),
    record("routine", { nextDueAt: inDays(7, 23), active: true }, null),
    record("action", { targetDate: inDays(0, 13), actionStatus: "BLOCKED" }, null),
  ];
  assertEquals(summaries(records), [
    ["decision", -40, true],
    ["action", 0, true],
    ["commitment", 0, false],
    ["routine", 7, false],
  ]);
});

Deno.test("Done, paused, archived, timeless or later items are not due", () => {
  const gone = inDays(-1);
  assertEquals(
    summaries([
      record("commitment", { dueAt: gone, completionStatus: "COMPLETED" }, null),
      record("commitment", { completionStatus: "OPEN" }, null),
      record("commitment", { dueAt: gone, completionStatus: "OPEN" }, gone),
      record("action", { targetDate: gone, actionStatus: "ON_HOLD" }, null),
      record("action", { targetDate: inDays(8, 0), actionStatus: "ACTIVE" }, null),
      record("routine", { nextDueAt: gone, active: false }, null),
      record("decision", { reviewAt: gone, actualOutcome: "It went well" }, null),
      record("health", { measuredAt: gone }, null),
      // As shown without access.
      record("commitment", {}, null),
    ]),
    [],
  );
});

Deno.test("The requested lists exist, and contain everything that is due", () => {
  const states = new Set<string>();
  for (const path of dueLists(NOW)) {
    const url = new URL(path, "http://service");
    const code = url.pathname.split("/").at(-1) ?? "";
    const module = CATALOG.modules.find((one) => one.code === code);
    assert(module !== undefined, path);
    const { filters } = readListQuery(module, url.searchParams);
    for (const { field, comparison, value } of filters) {
      states.add(`${code}.${field} ${comparison} ${value}`);
    }
  }
  for (const state of ["commitment.completionStatus equals OPEN", "routine.active equals true"]) {
    assert(states.has(state), state);
  }
  const end = new Date(2026, 10, 29, 23, 59, 59, 999).toISOString();
  for (const time of ["commitment.dueAt", "action.targetDate", "routine.nextDueAt"]) {
    assert(states.has(`${time} lte ${end}`), time);
  }
});

Deno.test("Days are counted by the calendar, across clock changes", () => {
  const random = seededRandom(26);
  for (let round = 0; round < 500; round++) {
    const days = random.integer(-400, 400);
    const from = new Date(2026, 2, 15, random.integer(0, 23), random.integer(0, 59));
    const to = new Date(2026, 2, 15 + days, random.integer(0, 23), random.integer(0, 59));
    assertEquals(daysBetween(from, to), days);
  }
});

Deno.test("A week is seven days of this device, each with its count", () => {
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
