/// <reference types="../../../src/console/web/logic/types.d.ts" />

/** Due items by the days of this device, and the count of days. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  byDay,
  completion,
  dueList,
  isOpen,
  undoing,
} from "../../../src/console/web/pages/parts/due.js";
import { conditionsOfQuick, viewOf } from "../../../src/console/web/pages/parts/views.js";
import { inOrder } from "../../../src/console/web/fields/shown/texts.js";
import { dayHeading, daysBetween } from "../../../src/console/web/fields/shown/times.js";
import { deviceTime } from "../../../src/console/web/logic/local_time.js";
import {
  aheadList,
  overdueBefore,
  overdueList,
} from "../../../src/console/web/pages/home/ahead.js";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import { titleOf } from "../../../src/console/web/fields/shown/titles.js";
import { textsFromCapture } from "../../../src/console/web/pages/drafts/captures.js";
import { mergedPages } from "../../../src/console/web/pages/parts/lists.js";
import { readListQuery } from "../../../src/records/list_query.ts";
import type { Due } from "../../../src/client/wire.ts";
import { seededRandom } from "../../support/random.ts";
import { inZone } from "../../support/zone.ts";

const NOW = new Date(2026, 10, 22, 14, 0);
const inDays = (days: number, hour = 9) => new Date(2026, 10, 22 + days, hour).toISOString();

function due(title: string, time: Partial<Due>): Due {
  return {
    kind: "COMMITMENT",
    moduleCode: "commitment",
    recordId: "01KAGQ0000000000000000000A",
    sourceId: null,
    what: null,
    label: null,
    years: null,
    at: null,
    date: null,
    overdue: false,
    alarm: true,
    title,
    ...time,
  };
}

Deno.test("Overdue items come first, then each day of this device that has any", () => {
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
  const until = new URL(dueList(NOW, 7), "http://service").searchParams.get("until");
  assertEquals(until, new Date(2026, 10, 30).toISOString());
});

Deno.test("Today begins with the day of this device, and what was due before is counted apart", () => {
  for (const zone of ["Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles"]) {
    inZone(zone, () => {
      const now = new Date(2026, 10, 22, 14, 0);
      const asked = new URL(aheadList(now, 7), "http://service").searchParams;
      const [from = "", until = ""] = [asked.get("from"), asked.get("until")].map(String);
      // A day without a time is due at its midnight in UTC.
      assert(from <= "2026-11-22T00:00:00.000Z", zone);
      assert(Date.parse(from) <= new Date(2026, 10, 22).getTime(), zone);
      assert(until > "2026-11-29T00:00:00.000Z", zone);
      assertEquals([asked.get("counts"), asked.get("kinds")?.includes("CONTACT")], ["true", false]);
      const before = new URL(overdueList(now), "http://service").searchParams.get("until");
      assertEquals(before, new Date(2026, 10, 22).toISOString());
    });
  }
  const today = [
    due("morning", { at: inDays(0, 9), overdue: true }),
    due("evening", { at: inDays(0, 20) }),
    due("yesterday, by an early from", { at: inDays(-1, 20), overdue: true }),
  ];
  const counts = { overdue: 98, oldest: inDays(-462), more: false };
  assertEquals(overdueBefore(today, counts, NOW), { count: 97, hasMore: false, days: 462 });
  const ofYesterday = { overdue: 3, oldest: inDays(-1), more: false };
  assertEquals(overdueBefore(today, ofYesterday, NOW), { count: 2, hasMore: false, days: 1 });
  const ofToday = { overdue: 1, oldest: inDays(0, 9), more: false };
  assertEquals(overdueBefore(today, ofToday, NOW).count, 0);
  const none = { overdue: 0, oldest: null, more: false };
  assertEquals(overdueBefore([], none, NOW).count, 0);
});

Deno.test("Days near today are headed by words, others by their date, of other years with the year", () => {
  const today = new Date();
  const heading = (days: number) =>
    dayHeading(new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, 12), days);
  assertEquals([-1, 0, 1].map(heading), ["Yesterday", "Today", "Tomorrow"]);
  assertMatch(heading(3), /^[A-Z][a-z]+day$/);
  assertMatch(heading(8), /^[A-Z][a-z]+day, [A-Z][a-z]+ \d+$/);
  assertMatch(heading(-800), /^[A-Z][a-z]+day, [A-Z][a-z]+ \d+, \d{4}$/);
});

Deno.test("An item with a state for it is completed, and undone without another change", () => {
  const now = deviceTime(NOW.getTime());
  assertEquals(completion("commitment", NOW), { completionStatus: "COMPLETED", completedAt: now });
  assertEquals(completion("action", NOW), { actionStatus: "COMPLETED" });
  assertEquals(completion("routine", NOW), { lastCompletedAt: now });
  for (const code of ["decision", "relationship", "health"]) {
    assertEquals(completion(code, NOW), null);
  }
  const before = { content: "Back", completionStatus: "RENEGOTIATED", notes: "n" };
  const after = { ...before, completionStatus: "COMPLETED", completedAt: now };
  assertEquals(undoing(before, after), {
    payload: { completionStatus: "RENEGOTIATED" },
    payloadRemove: ["completedAt"],
  });
  const nextDueAt = "2026-11-22T12:00:00.000Z";
  assertEquals(undoing({ nextDueAt }, { nextDueAt: now }).payload, {
    nextDueAt: "2026-11-22T12:00:00.000-00:00",
  });
  assertEquals(undoing({ nextDueAt: "a" }, { nextDueAt: "b", lastCompletedAt: "c" }), {
    payload: { nextDueAt: "a" },
    payloadRemove: ["lastCompletedAt"],
  });
});

Deno.test("The service accepts every quick filter, and every field of a view is in its module", () => {
  for (const module of CATALOG.modules) {
    const view = viewOf(module.code);
    const names = [
      ...view.facts,
      view.time ?? [],
      view.open?.field ?? [],
    ].flat();
    for (const name of names) {
      const field = module.fields.find((field) => field.name === name);
      assert(field !== undefined && !field.sensitive, `${module.code}.${name}`);
    }
    if (module.access !== "GENERIC") continue;
    for (const quick of ["open", "overdue", "month", "other", null]) {
      for (const asked of conditionsOfQuick(view, quick, NOW)) {
        readListQuery(module, new URLSearchParams(asked));
      }
    }
  }
  const overdue = conditionsOfQuick(viewOf("commitment"), "overdue", NOW);
  assertEquals(overdue.map((one) => one["filter[completionStatus]"]), [
    "OPEN",
    "IN_PROGRESS",
    "RENEGOTIATED",
  ]);
  assert(isOpen(viewOf("routine"), { active: true }) && !isOpen(viewOf("routine"), {}));
});

Deno.test("A form has at most six fields before More, and none required after an optional one", () => {
  for (const module of CATALOG.modules.filter(({ access }) => access === "GENERIC")) {
    const title = { name: "title", required: true };
    const all = [title, { name: "summary", required: false }, ...module.fields];
    const { fields, shown } = inOrder(all, viewOf(module.code).facts);
    assert(shown <= 6, module.code);
    assertEquals(fields.length, all.length);
    const optional = fields.findIndex(({ required }) => !required);
    assert(fields.slice(optional).every(({ required }) => !required), module.code);
    assert(fields.slice(shown).every(({ required }) => !required), module.code);
  }
});

Deno.test("Lists that are read as one keep their order, whatever their pages are", async () => {
  const random = seededRandom(39);
  for (let round = 0; round < 100; round++) {
    const lists = Array.from(
      { length: random.integer(1, 4) },
      () =>
        Array.from({ length: random.integer(0, 12) }, () => random.integer(0, 999))
          .sort((a, b) => b - a),
    );
    const size = random.integer(1, 5);
    const read = (list: number[]) => (cursor: string | null) => {
      const begin = Number(cursor ?? 0);
      // A page may be empty before the last one.
      const end = begin + (random.chance(0.2) ? 0 : size);
      const nextCursor = end < list.length ? String(end) : null;
      return Promise.resolve({ items: list.slice(begin, end), nextCursor });
    };
    const pages = mergedPages(lists.map(read), (a, b) => b - a, random.integer(1, 7));
    const found: number[] = [];
    while (pages.hasMore()) found.push(...await pages.next());
    assertEquals(found, lists.flat().sort((a, b) => b - a));
  }
});

Deno.test("A capture's title is its first line that is not empty, cut to 200 characters", () => {
  assertEquals(titleOf("\n \t\r\n  Buy milk \nand bread"), "Buy milk");
  assertEquals(titleOf("a\tb\u0000c"), "a b c");
  assertEquals(titleOf("é".repeat(500)), "é".repeat(200));
  assertEquals([...titleOf("🌱".repeat(500))].length, 200);
  assertEquals(titleOf(" \n\u2028"), "");
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

Deno.test("The form of a capture that was erased opens, since it may have a draft", async () => {
  const { fetch } = globalThis;
  const answer = (code: string) => {
    const error = { code, message: "", requestId: "" };
    globalThis.fetch = () => Promise.resolve(Response.json({ error }, { status: 410 }));
    return textsFromCapture("action", "X");
  };
  try {
    assertEquals(await answer("RECORD_ERASED"), {});
    assertEquals(await answer("RECORD_NOT_FOUND"), {});
    await assertRejects(() => answer("HTTP_503"));
  } finally {
    globalThis.fetch = fetch;
  }
});
