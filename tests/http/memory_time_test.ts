/** MEM-006: times and the list by time. */

import { assertEquals } from "@std/assert";
import { sharedWorld } from "../support/world.ts";
import { assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, post, remember, textPath, TEXTS } from "../families/memory/api.ts";

const world = sharedWorld();

/** Stated times and their ranges. */
const TIMES: readonly (readonly [Record<string, string>, readonly [string, string] | null])[] = [
  [{ timePrecision: "EXACT", occurredAt: "2020-02-29T23:30:00+02:00" }, [
    "2020-02-29T21:30:00.000Z",
    "2020-02-29T21:30:00.001Z",
  ]],
  [{ timePrecision: "DAY", occurredAt: "2020-02-29T23:30:00-05:00" }, [
    "2020-02-29T05:00:00.000Z",
    "2020-03-01T05:00:00.000Z",
  ]],
  [{ timePrecision: "MONTH", occurredAt: "2020-02-29T23:30:00Z" }, [
    "2020-02-01T00:00:00.000Z",
    "2020-03-01T00:00:00.000Z",
  ]],
  [{ timePrecision: "SEASON", occurredAt: "2020-01-10T00:00:00Z" }, [
    "2019-12-01T00:00:00.000Z",
    "2020-03-01T00:00:00.000Z",
  ]],
  [{ timePrecision: "YEAR", occurredAt: "2020-01-01T00:30:00+01:00" }, [
    "2019-12-31T23:00:00.000Z",
    "2020-12-31T23:00:00.000Z",
  ]],
  [{ timePrecision: "DECADE", occurredAt: "1987-01-10T00:00:00Z" }, [
    "1980-01-01T00:00:00.000Z",
    "1990-01-01T00:00:00.000Z",
  ]],
  [{ timePrecision: "DECADE", occurredAt: "0001-01-10T00:00:00Z" }, [
    "0001-01-01T00:00:00.000Z",
    "0010-01-01T00:00:00.000Z",
  ]],
  [{ timePrecision: "YEAR", timeText: "that year" }, null],
  [{ timePrecision: "LIFE_PERIOD", timeText: "at school" }, null],
  [{ timePrecision: "UNKNOWN" }, null],
];

Deno.test("Every precision keeps the stated time and derives its range in the stated offset", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { occurredAt: "2001-01-01T00:00:00Z", timeText: "then" });
  assertEquals(memory.timePrecision, "EXACT");
  for (const [index, [stated, range]] of TIMES.entries()) {
    const body = { expectedRevision: index + 1, ...stated };
    const changed = await done(caller, textPath(memory, "/time"), body);
    const { occurredAt, timePrecision, timeText } = changed;
    const moment = stated.occurredAt === undefined
      ? null
      : new Date(stated.occurredAt).toISOString();
    assertEquals([occurredAt, timePrecision, timeText], [
      moment,
      stated.timePrecision,
      stated.timeText ?? null,
    ]);
    assertEquals(changed.timeRange, range && { from: range[0], to: range[1] });
    assertEquals(changed.originalContent, memory.originalContent);
  }
});

Deno.test("A contradictory time is rejected by the catalog's rules", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const later = new Date(world().now().getTime() + 301_000).toISOString();
  const cases: [Record<string, string>, string, string[]][] = [
    [{ timePrecision: "EXACT" }, "memory.precise_time_requires_occurred_at", [
      "timePrecision",
      "occurredAt",
    ]],
    [
      { timePrecision: "UNKNOWN", occurredAt: "2001-01-01T00:00:00Z" },
      "memory.unknown_time_forbids_occurred_at",
      ["timePrecision", "occurredAt"],
    ],
    [{ timePrecision: "LIFE_PERIOD", timeText: " " }, "memory.life_period_requires_time_text", [
      "timePrecision",
      "timeText",
    ]],
    [{ timePrecision: "DAY", occurredAt: later }, "memory.occurred_at_not_in_the_future", [
      "occurredAt",
    ]],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [stated, rule, fields] of cases) {
      const body = { expectedRevision: 1, ...stated };
      assertInvalid(await post(caller, textPath(memory, "/time"), body), [rule], fields);
      const created = await post(caller, TEXTS, {
        title: "A",
        memoryType: "EVENT",
        originalContent: "x",
        ...stated,
      });
      assertInvalid(created, [rule], fields);
    }
    const without = await post(caller, textPath(memory, "/time"), { expectedRevision: 1 });
    assertInvalid(without, ["field.required"], ["timePrecision"]);
  });
});

Deno.test("The list by time finds overlaps, but not mere contact", async () => {
  const caller = await world().createCaller();
  const timed = async (timePrecision: string, occurredAt?: string) =>
    await remember(caller, { timePrecision, ...(occurredAt && { occurredAt }) });
  const decade = await timed("DECADE", "1985-01-01T00:00:00Z");
  const year = await timed("YEAR", "1989-06-01T00:00:00Z");
  const exact = await timed("EXACT", "1990-01-01T00:00:00Z");
  await timed("UNKNOWN");
  const gone = await timed("YEAR", "1989-06-01T00:00:00Z");
  await done(caller, textPath(gone, "/archive"), {});
  const find = async (query: Record<string, string>) =>
    (await walkPages(caller, TEXTS, { limit: "1", ...query })).flat().map((item) => item.memoryId)
      .sort();
  const ids = (...memories: { memoryId: string }[]) => memories.map((each) => each.memoryId).sort();
  assertEquals(await find({ from: "1990-01-01T00:00:00Z" }), ids(exact));
  assertEquals(await find({ to: "1990-01-01T00:00:00Z" }), ids(decade, year));
  assertEquals(await find({ to: "1990-01-01T01:00:00+01:00" }), ids(decade, year));
  assertEquals(await find({ from: "1989-12-31T23:59:59.999Z" }), ids(decade, year, exact));
  const within = { from: "1986-01-01T00:00:00Z", to: "1989-01-01T00:00:00Z" };
  assertEquals(await find(within), ids(decade));
  const archived = { from: "1989-01-01T00:00:00Z", archived: "only" };
  assertEquals(await find(archived), ids(gone));
  const backwards = await caller.call(
    "GET",
    `${TEXTS}?from=1990-01-01T00:00:00Z&to=1990-01-01T00:00:00Z`,
  );
  assertInvalid(backwards, ["range.order"], ["from", "to"]);
});

Deno.test("A day of all years has what is known to the day, by the reader's clock if it has none", async () => {
  const caller = await world().createCaller();
  const timed = (title: string, timePrecision: string, occurredAt: string) =>
    remember(caller, { title, timePrecision, occurredAt });
  await timed("day", "DAY", "2019-11-26T08:00:00Z");
  await timed("today", "DAY", "2025-11-26T00:00:00Z");
  await timed("evening", "EXACT", "2001-11-26T22:30:00Z");
  await timed("night", "EXACT", "2001-11-26T23:30:00Z");
  await timed("month", "MONTH", "2019-11-26T12:00:00Z");
  await timed("leap", "DAY", "2024-02-29T00:00:00Z");
  const gone = await timed("gone", "DAY", "2018-11-26T00:00:00Z");
  await done(caller, textPath(gone, "/archive"), {});
  const find = async (query: Record<string, string>) =>
    (await walkPages(caller, TEXTS, { limit: "1", ...query })).flat().map(({ title }) => title)
      .sort();
  const day = "2025-11-26T00:00:00+01:00";
  assertEquals(await find({ onDay: day }), ["day", "evening", "today"]);
  // Only earlier years.
  assertEquals(await find({ onDay: day, to: day }), ["day", "evening"]);
  assertEquals(await find({ onDay: "2025-11-27T00:00:00+01:00" }), ["night"]);
  assertEquals(await find({ onDay: day, archived: "only" }), ["gone"]);
  // In a time zone further east, that evening belongs to the next day.
  assertEquals(await find({ onDay: "2025-11-27T00:00:00+09:00" }), ["evening", "night"]);
  assertEquals(await find({ onDay: "2028-02-29T00:00:00Z" }), ["leap"]);
  assertEquals(await find({ onDay: "2027-03-01T00:00:00Z" }), []);
  const wrong = await caller.call("GET", `${TEXTS}?onDay=11-26`);
  assertInvalid(wrong, ["field.datetime"], ["onDay"]);
});
