/** Lists and insight [21] to [24]: series. */

import { assert, assertEquals } from "@std/assert";
import { PERMISSIONS } from "../../src/access/permissions.ts";
import { withPermissions } from "../families/memory/api.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, fileWorld, type Json } from "../support/world.ts";
import { ACTION } from "./calendar.ts";
import { addDays, ownDayOf, readCount, timeNear, UNUSUAL_DAYS } from "./insight.ts";
import { assertFailure, assertInvalid, HEALTH, pathOf, walkPages } from "./kernel.ts";

const world = fileWorld();

const SERIES = "/api/v2/insight/series";

const WEIGHT = { module: "health", field: "value", "filter[metricType]": "WEIGHT" };
const YEAR = { by: "month", from: "2025-01-01", until: "2026-01-01", zone: "Europe/Berlin" };

/** Values have three decimals at most, so the model counts thousandths. */
function randomHealth(random: Random, near: readonly [string, string]): Json {
  return {
    metricType: random.pick(["WEIGHT", "WEIGHT", "WEIGHT", "MOOD"]),
    value: random.integer(-99_999, 99_999) / 10 ** random.integer(0, 3),
    unit: random.pick(["kg", "kg", "lb"]),
    quality: random.pick(["MEASURED", "ESTIMATED"]),
    measuredAt: timeNear(random, near),
  };
}

function randomAction(random: Random, near: readonly [string, string]): Json {
  return {
    ...ACTION,
    ...(random.chance(0.8) && { targetDate: timeNear(random, near) }),
    ...(random.chance(0.6) && { priority: random.integer(1, 5) }),
  };
}

/** Records near unusual days, of which some were changed or archived. */
async function fill(random: Random, caller: Caller): Promise<void> {
  const places = UNUSUAL_DAYS.flatMap((near) => Array.from({ length: 7 }, () => near));
  await Promise.all(places.map(async (near, index) => {
    const [module, make] = index % 7 < 5
      ? ["health", randomHealth] as const
      : ["action", randomAction] as const;
    const record = await caller.create(module, make(random, near));
    if (random.chance(0.2)) {
      const body = { payload: make(random, near), expectedRevision: 1 };
      const changed = await caller.call("PATCH", pathOf(record), { body });
      assertEquals(changed.status, 200, changed.text);
    } else if (random.chance(0.15)) {
      await caller.call("POST", `${pathOf(record)}/archive`);
    }
  }));
}

function startOf(by: string, day: string): string {
  const date = Temporal.PlainDate.from(day);
  switch (by) {
    case "week":
      return date.subtract({ days: date.dayOfWeek - 1 }).toString();
    case "month":
      return date.with({ day: 1 }).toString();
    case "year":
      return date.with({ month: 1, day: 1 }).toString();
    default:
      return day;
  }
}

/** Counts over the records of the list. */
function modelOf(records: readonly Json[], query: Json): Json {
  const { module, field = null, by, from, until, zone } = query;
  const found = records.flatMap((record) => {
    const day = ownDayOf(record, zone);
    const hasField = field === null || record.payload[field] !== undefined;
    return day !== null && hasField && day >= from && day < until
      ? [{ start: startOf(by, day), ...record.payload }]
      : [];
  });
  const isMeasure = module === "health" && field !== null;
  const units = Object.entries(Object.groupBy(found, ({ unit }) => isMeasure ? unit : ""))
    .map(([unit, records = []]) => ({ unit, count: records.length }))
    .sort((one, other) => other.count - one.count || (one.unit < other.unit ? -1 : 1));
  const [first, ...others] = units;
  const shown = found.filter(({ unit }) => !isMeasure || unit === first?.unit);
  const points = Object.entries(Object.groupBy(shown, ({ start }) => start))
    .map(([start, records = []]) => ({
      start,
      count: records.length,
      ...statisticsOf(field === null ? null : records.map((record) => record[field])),
    }))
    .sort((one, other) => one.start < other.start ? -1 : 1);
  const unit = isMeasure ? first?.unit ?? null : null;
  return { moduleCode: module, field, by, from, until, zone, unit, otherUnits: others, points };
}

/** Quotients of whole numbers are rounded once. */
function statisticsOf(values: readonly number[] | null): Json {
  if (values === null) return { sum: null, minimum: null, median: null, maximum: null, mean: null };
  const thousandths = values.map((value) => Math.round(value * 1000)).sort((a, b) => a - b);
  const sum = thousandths.reduce((sum, value) => sum + value, 0);
  const { length } = thousandths;
  const [low = 0, high = 0] = [(length - 1) >> 1, length >> 1].map((index) => thousandths[index]);
  return {
    sum: sum / 1000,
    minimum: (thousandths[0] ?? 0) / 1000,
    median: (low + high) / 2000,
    maximum: (thousandths.at(-1) ?? 0) / 1000,
    mean: sum / (1000 * length),
  };
}

Deno.test("A series equals counting over the pages of the list", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(22);
  await fill(random, caller);
  const kinds: readonly Json[] = [
    { module: "health" },
    { module: "health", "filter[quality]": "ESTIMATED", "filter[unit]": "kg" },
    WEIGHT,
    { ...WEIGHT, "filter[quality]": "MEASURED" },
    { module: "action", field: "priority" },
    { module: "action", field: "priority", "filter[priority]": "3", "filter[actionType]": "TASK" },
  ];
  let counted = 0;
  for (const [index, kind] of kinds.entries()) {
    const { module, field: _, ...filters } = kind;
    const records = (await walkPages(caller, `/api/v2/records/${module}`, filters)).flat();
    for (const [zone, day] of UNUSUAL_DAYS) {
      const around = {
        from: addDays(day, -random.integer(0, 2)),
        until: addDays(day, 2),
        by: "day",
      };
      const long = {
        by: "week month year".split(" ")[index % 3],
        from: "2018-06-30",
        until: "2025-10-27",
      };
      for (const range of index % 3 === 1 ? [long] : [around]) {
        const query = { ...kind, ...range, zone };
        const count = await readCount(caller, SERIES, query);
        assertEquals(count, modelOf(records, query), JSON.stringify(query));
        counted += count.points.length;
      }
    }
  }
  assert(counted > 150, `${counted}`);
});

Deno.test("Units are never mixed", async () => {
  const caller = await world().createCaller();
  const add = (value: number, unit: string) =>
    caller.create("health", { ...HEALTH, value, unit, measuredAt: "2025-03-01T08:00:00Z" });
  for (const unit of ["lb", "kg", "kg", "\u{1F4A7}", "\uFF4B", "lb"]) await add(70.1, unit);
  const { unit, otherUnits, points } = await readCount(caller, SERIES, { ...WEIGHT, ...YEAR });
  assertEquals(unit, "kg");
  // Equal counts are ordered by code point, not by UTF-16 unit.
  assertEquals(otherUnits, [
    { unit: "lb", count: 2 },
    { unit: "\uFF4B", count: 1 },
    { unit: "\u{1F4A7}", count: 1 },
  ]);
  assertEquals(points, [{
    start: "2025-03-01",
    count: 2,
    sum: 140.2,
    minimum: 70.1,
    median: 70.1,
    maximum: 70.1,
    mean: 70.1,
  }]);
  const pounds = { ...WEIGHT, ...YEAR, "filter[unit]": "lb" };
  const one = await readCount(caller, SERIES, pounds);
  assertEquals([one.unit, one.otherUnits, one.points[0].count], ["lb", [], 2]);
  const none = await readCount(caller, SERIES, { ...pounds, "filter[unit]": "st" });
  assertEquals([none.unit, none.otherUnits, none.points], [null, [], []]);
});

Deno.test("A record on the first day counts, and one on the day `until` does not", async () => {
  const caller = await world().createCaller();
  for (const targetDate of ["2024-12-31T23:00:00Z", "2025-12-31T23:00:00Z"]) {
    await caller.create("action", { ...ACTION, targetDate });
  }
  const { points } = await readCount(caller, SERIES, { ...YEAR, module: "action" });
  assertEquals(points.map(({ start, count }: Json) => [start, count]), [["2025-01-01", 1]]);
});

Deno.test("At most ten other units are named", async () => {
  const caller = await world().createCaller();
  await Promise.all(
    "abcdefghijkl".split("").map((unit) =>
      caller.create("health", { ...HEALTH, unit, measuredAt: "2025-03-01T08:00:00Z" })
    ),
  );
  const { unit, otherUnits } = await readCount(caller, SERIES, { ...WEIGHT, ...YEAR });
  assertEquals([unit, ...otherUnits.map(({ unit }: Json) => unit)], "abcdefghijk".split(""));
});

Deno.test("A series refuses what it cannot count, by rule and field", async () => {
  const caller = await world().createCaller();
  const days = { ...YEAR, by: "day" };
  const wrong: readonly [Json, string, string[]?][] = [
    [{ ...YEAR, module: "memory" }, "insight.module", ["module"]],
    [{ ...YEAR, module: "health", field: "unit" }, "insight.field", ["field"]],
    [{ ...YEAR, module: "health", field: "nothing" }, "insight.field", ["field"]],
    [{ ...YEAR, module: "place", field: "latitude" }, "insight.field", ["field"]],
    [{ ...YEAR, module: "health", field: "value" }, "insight.kind", ["filter[metricType]"]],
    [{ ...YEAR, module: "health", by: "hour" }, "field.option", ["by"]],
    [{ ...YEAR, ...WEIGHT, from: "2025-02-30" }, "field.date", ["from"]],
    [{ ...YEAR, ...WEIGHT, from: "2025-1-1" }, "field.date", ["from"]],
    [{ ...YEAR, ...WEIGHT, until: "2025-02-01T00:00:00Z" }, "field.date", ["until"]],
    [{ ...YEAR, ...WEIGHT, until: "2025-01-01" }, "range.order", ["from", "until"]],
    [{ ...YEAR, ...WEIGHT, zone: "+02:00" }, "field.time_zone", ["zone"]],
    [{ ...YEAR, ...WEIGHT, zone: "CET+1x" }, "field.time_zone", ["zone"]],
    [{ ...YEAR, ...WEIGHT, zone: "Mars/Olympus" }, "field.time_zone", ["zone"]],
    [{ ...YEAR, ...WEIGHT, limit: "1" }, "undeclared_field", ["limit"]],
    [{ ...YEAR, ...WEIGHT, "filter[notes]": "x" }, "filter.field", ["filter[notes]"]],
    [{ ...YEAR, ...WEIGHT, "filter[nothing]": "x" }, "filter.field", ["filter[nothing]"]],
    [{ ...YEAR, ...WEIGHT, "filter[quality]": "x" }, "filter.value", ["filter[quality]"]],
    [{ ...YEAR, ...WEIGHT, "filter[value][gte]": "1" }, "filter.comparison", [
      "filter[value][gte]",
    ]],
    [{ ...days, module: "action", until: "2026-02-06" }, "range.length"],
    [{ ...days, ...WEIGHT, by: "week", until: "2032-08-31" }, "range.length"],
    [{ ...YEAR, ...WEIGHT, until: "2058-05-02" }, "range.length"],
    [{ ...YEAR, ...WEIGHT, by: "year", until: "2425-01-02" }, "range.length"],
  ];
  for (const [query, rule, fields] of wrong) {
    const response = await caller.call("GET", `${SERIES}?${new URLSearchParams(query)}`);
    assertInvalid(response, [rule], fields, JSON.stringify(query));
    if (rule === "range.length") assertEquals(response.body.error.details.limit, 400);
  }
  for (const name of ["module", "by", "from", "until", "zone"]) {
    const { [name]: _, ...query }: Json = { ...YEAR, module: "action" };
    const response = await caller.call("GET", `${SERIES}?${new URLSearchParams(query)}`);
    assertInvalid(response, ["field.required"], [name]);
  }
  const twice = new URLSearchParams({ ...YEAR, module: "action" });
  twice.append("zone", "UTC");
  assertInvalid(await caller.call("GET", `${SERIES}?${twice}`), ["query.repeated"], ["zone"]);
  const unknown = new URLSearchParams({ ...YEAR, module: "nothing" });
  assertFailure(await caller.call("GET", `${SERIES}?${unknown}`), "RECORD_MODULE_NOT_FOUND");
});

Deno.test("The longest ranges are accepted", async () => {
  const caller = await world().createCaller();
  const longest: readonly [string, string, string][] = [
    ["day", "2025-01-01", "2026-02-05"],
    ["week", "2025-01-05", "2032-08-24"],
    ["month", "2025-01-31", "2058-05-01"],
    ["year", "2025-12-31", "2425-01-01"],
    ["year", "0001-01-01", "0400-12-31"],
    ["year", "9600-01-01", "9999-12-31"],
  ];
  for (const [by, from, until] of longest) {
    const query = { module: "action", by, from, until, zone: "Pacific/Kiritimati" };
    assertEquals((await readCount(caller, SERIES, query)).points, []);
  }
});

Deno.test("A series needs record.read and the module", async () => {
  const caller = await world().createCaller();
  const query = new URLSearchParams({ ...YEAR, ...WEIGHT });
  const { token } = await makeToken(world(), caller, {
    permissions: PERMISSIONS,
    modules: ["action"],
  });
  const limited = callerOf(world().app, { ...caller, secret: token });
  assertFailure(await limited.call("GET", `${SERIES}?${query}`), "FORBIDDEN");
  const other = await withPermissions(world(), caller, "memory.read");
  assertFailure(await other.call("GET", `${SERIES}?${query}`), "FORBIDDEN");
});
