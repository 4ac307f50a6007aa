/** Lists and insight [21], [25] and [26]: days. */

import { assert, assertEquals } from "@std/assert";
import { PERMISSIONS } from "../../src/access/permissions.ts";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { remember, TEXTS, withPermissions } from "../families/memory/api.ts";
import {
  contact,
  control,
  createPerson,
  move,
  PEOPLE,
  personPath,
  RETRACTED,
} from "../families/relationship/api.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, createWorld, fileWorld, type Json } from "../support/world.ts";
import { ACTION, ROUTINE } from "./calendar.ts";
import {
  addDays,
  dateIn,
  dayOf,
  dayOfMemory,
  ownDayOf,
  readCount,
  timeNear,
  UNUSUAL_DAYS,
} from "./insight.ts";
import { assertFailure, assertInvalid, HEALTH, pathOf, walkPages } from "./kernel.ts";

const world = fileWorld();

const DAYS = "/api/v2/insight/days";

const PRECISIONS = "EXACT DAY DAY MONTH SEASON YEAR DECADE LIFE_PERIOD".split(" ");
const LONG_MONTHS: Readonly<Record<string, number>> = {
  MONTH: 1,
  SEASON: 3,
  YEAR: 12,
  DECADE: 120,
};

const EVENT = { eventType: "TRAVEL", eventTitle: "A", eventDescription: "B" };

/** One object near an unusual day, which may be changed, archived or retracted afterwards. */
async function make(
  random: Random,
  caller: Caller,
  person: Json,
  near: readonly [string, string],
  kind: number,
) {
  const time = timeNear(random, near);
  const precise = { timePrecision: random.pick(PRECISIONS), timeText: "then" };
  switch (kind) {
    case 0:
    case 1: {
      const privacyLevel = random.pick(["NORMAL", "PRIVATE", "SECRET"]);
      const memory = await remember(caller, { ...precise, occurredAt: time, privacyLevel });
      if (random.chance(0.1)) {
        await caller.call("POST", `${TEXTS}/${memory.memoryId}/archive`, {
          body: { expectedRevision: 1 },
        });
      }
      return;
    }
    case 2:
    case 3: {
      const event = await caller.create("timeline", {
        ...EVENT,
        ...precise,
        ...(random.chance(0.2) && precise.timePrecision in LONG_MONTHS
          ? { endAt: time }
          : { startAt: time }),
      });
      if (random.chance(0.2)) {
        const body = {
          payload: { startAt: timeNear(random, near) },
          payloadRemove: ["endAt"],
          expectedRevision: 1,
        };
        await caller.call("PATCH", pathOf(event), { body });
      }
      return;
    }
    case 4: {
      const privacy = random.pick(["NORMAL", "SECRET"]);
      const made = await contact(caller, person, { contactedAt: time, privacy });
      if (random.chance(0.3)) await control(caller, made, RETRACTED);
      return;
    }
    default: {
      const record = random.chance(0.5)
        ? await caller.create("action", { ...ACTION, targetDate: time })
        : await caller.create("health", { ...HEALTH, measuredAt: time });
      if (random.chance(0.2)) await caller.call("POST", `${pathOf(record)}/archive`);
    }
  }
}

/** Everything that a reader sees in lists. */
interface Shown {
  readonly records: readonly Json[];
  readonly memories: readonly Json[];
  readonly contacts: readonly Json[];
}

const GENERIC = CATALOG.modules.filter(({ access }) => access === "GENERIC").map(({ code }) =>
  code
);

async function readLists(reader: Caller): Promise<Shown> {
  const all = async (path: string) => (await walkPages(reader, path, { limit: "100" })).flat();
  const people = await all(PEOPLE);
  return {
    records: (await Promise.all(GENERIC.map((code) => all(`/api/v2/records/${code}`)))).flat(),
    memories: await all(TEXTS),
    contacts: (await Promise.all(people.map((known) => all(personPath(known, "/contacts")))))
      .flat(),
  };
}

/** The object's module and the day, or the unit of the calendar, on which it counts. */
interface Place {
  readonly moduleCode: string;
  readonly precision: string | null;
  readonly from: string;
  readonly until: string;
}

function onDay(moduleCode: string, day: string | null): Place[] {
  return day === null ? [] : [{ moduleCode, precision: null, from: day, until: addDays(day, 1) }];
}

function placesOf({ records, memories, contacts }: Shown, zone: string): Place[] {
  return [
    ...records.filter(({ moduleCode }) => moduleCode !== "routine").flatMap((record) => {
      const { moduleCode, payload: { timePrecision = "EXACT", startAt } } = record;
      const day = ownDayOf(record, zone);
      if (day === null || timePrecision in LONG_MONTHS) {
        return day === null || startAt === undefined
          ? []
          : [{ moduleCode, precision: timePrecision, ...unitOf(timePrecision, day) }];
      }
      return timePrecision === "LIFE_PERIOD" ? [] : onDay(moduleCode, day);
    }),
    ...memories.filter(({ redacted, timeRange }) => !redacted && timeRange !== null)
      .flatMap((memory): Place[] => {
        const { timePrecision, timeRange: { from, to } } = memory;
        if (timePrecision in LONG_MONTHS) {
          const unit = { from: monthNear(from), until: monthNear(to) };
          return [{ moduleCode: "memory", precision: timePrecision, ...unit }];
        }
        return onDay("memory", dayOfMemory(memory, zone));
      }),
    ...contacts.filter(({ state }) => state === "LIVE").flatMap((contact) =>
      onDay("relationship", dayOf(contact, "contactedAt", zone))
    ),
  ];
}

/** Half a month after the nearest first of a month, that month is the current one. */
function monthNear(time: string): string {
  return dateIn("UTC", new Date(Date.parse(time) + 15 * 86_400_000).toISOString()).slice(0, 8) +
    "01";
}

function unitOf(precision: string, day: string): { from: string; until: string } {
  const months = LONG_MONTHS[precision] ?? 0;
  const first = Temporal.PlainDate.from(day).with({ day: 1 });
  const before = precision === "SEASON"
    ? first.month % 3
    : precision === "MONTH"
    ? 0
    : first.month - 1 + (precision === "DECADE" ? first.year % 10 * 12 : 0);
  const from = first.subtract({ months: before });
  return { from: from.toString(), until: from.add({ months }).toString() };
}

function modelOf(places: readonly Place[], query: Json): Json {
  const { module, from, until, zone } = query;
  const order = CATALOG.modules.map(({ code }) => code);
  const found = places.filter((place) => place.from < until && place.until > from)
    .filter(({ moduleCode }) => module === undefined || moduleCode === module);
  const days = found.filter(({ precision }) => precision === null);
  const ranges = found.filter(({ precision }) => precision !== null);
  const keyOf = ({ from, until, moduleCode, precision }: Place) =>
    [from, until, moduleCode, precision].join(" ");
  return {
    from,
    until,
    zone,
    days: Object.entries(Object.groupBy(days, ({ from }) => from)).sort().map((
      [day, all = []],
    ) => ({
      day,
      total: all.length,
      modules: Object.entries(Object.groupBy(all, ({ moduleCode }) => moduleCode))
        .map(([moduleCode, { length } = []]) => ({ moduleCode, count: length }))
        .sort((one, other) => order.indexOf(one.moduleCode) - order.indexOf(other.moduleCode)),
    })),
    ranges: Object.entries(Object.groupBy(ranges, keyOf)).sort()
      .map(([, all = []]) => ({ ...all[0], count: all.length })),
  };
}

Deno.test("Days equal counting over the pages of the lists", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(25);
  const people = await Promise.all([1, 2, 3, 4].map(() => createPerson(caller)));
  await Promise.all(
    UNUSUAL_DAYS.flatMap((near) =>
      Array.from(
        { length: 10 },
        (_, index) => make(random, caller, random.pick(people), near, index % 7),
      )
    ),
  );
  await caller.create("routine", { ...ROUTINE, lastCompletedAt: "2025-10-25T22:30:00Z" });
  await move(caller, people[0], "archive");
  const withoutSecrets = await withPermissions(
    world(),
    caller,
    "record.read",
    "memory.read",
    "relationship.person.read",
    "relationship.ledger.read",
  );
  let counted = 0;
  for (const reader of [caller, withoutSecrets]) {
    const shown = await readLists(reader);
    const zones = reader === caller ? UNUSUAL_DAYS : UNUSUAL_DAYS.slice(0, 4);
    for (const [index, [zone, day]] of zones.entries()) {
      const places = placesOf(shown, zone);
      const named = index % 3 === 1 &&
        { module: random.pick(["memory", "timeline", "relationship"]) };
      for (const days of [random.integer(1, 4), 400]) {
        const from = addDays(day, -random.integer(0, Math.min(days - 1, 2)));
        const query = { ...named, from, until: addDays(from, days), zone };
        const count = await readCount(reader, DAYS, query);
        assertEquals(count, modelOf(places, query), JSON.stringify(query));
        counted += count.days.length + count.ranges.length;
      }
    }
  }
  assert(counted > 150, `${counted}`);
});

const WEEK = { from: "2025-10-20", until: "2025-10-27", zone: "Europe/Berlin" };

Deno.test("Modules that a credential does not read are left out, and FORBIDDEN if named", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { lastContactAt: "2025-10-21T12:00:00Z" });
  await contact(caller, known, { contactedAt: "2025-10-22T12:00:00Z" });
  await remember(caller, { occurredAt: "2025-10-23T12:00:00Z" });
  await caller.create("health", { ...HEALTH, measuredAt: "2025-10-24T12:00:00Z" });
  const { token } = await makeToken(world(), caller, {
    permissions: PERMISSIONS,
    modules: ["memory"],
  });
  const readers: readonly [Pick<Caller, "call">, readonly string[]][] = [
    [caller, ["relationship", "memory", "health"]],
    [callerOf(world().app, { ...caller, secret: token }), ["memory"]],
    [await withPermissions(world(), caller, "record.read"), ["health"]],
    [await withPermissions(world(), caller, "record.read", "relationship.person.read"), ["health"]],
    [
      await withPermissions(world(), caller, "record.read", "relationship.ledger.read"),
      ["relationship", "health"],
    ],
    [
      await withPermissions(world(), caller, "record.read", "memory.read"),
      ["memory", "health"],
    ],
  ];
  for (const [reader, seen] of readers) {
    const { days } = await readCount(reader, DAYS, WEEK);
    const codes = days.flatMap(({ modules }: Json) => modules)
      .map(({ moduleCode }: Json) => moduleCode);
    assertEquals([...new Set<string>(codes)], seen);
    for (const module of ["relationship", "memory", "health"]) {
      const query = { ...WEEK, module };
      if (seen.includes(module)) assert((await readCount(reader, DAYS, query)).days.length > 0);
      else {
        const refused = await reader.call("GET", `${DAYS}?${new URLSearchParams(query)}`);
        assertFailure(refused, "FORBIDDEN");
      }
    }
  }
  assertEquals((await readCount(caller, DAYS, { ...WEEK, module: "routine" })).days, []);
});

Deno.test("A SECRET contact gives its clock only to readers of secrets", async () => {
  const caller = await world().createCaller();
  const contactedAt = "2025-10-22T00:30:00+09:00[Asia/Tokyo]";
  await contact(caller, await createPerson(caller), { contactedAt, privacy: "SECRET" });
  const permissions = ["relationship.person.read", "relationship.ledger.read"] as const;
  const other = await withPermissions(world(), caller, "record.read", ...permissions);
  const daysOf = async (reader: Caller) =>
    (await readCount(reader, DAYS, WEEK)).days.map(({ day }: Json) => day);
  assertEquals([await daysOf(caller), await daysOf(other)], [["2025-10-22"], ["2025-10-21"]]);
});

Deno.test("A record has the day of its instant, also at the ends of the range and of an offset", async () => {
  const caller = await world().createCaller();
  for (
    const [targetDate, zone, day] of [
      ["2025-10-27T06:59:59.999Z", "America/Los_Angeles", "2025-10-26"],
      ["2025-10-19T10:00:00Z", "Pacific/Kiritimati", "2025-10-20"],
      // The first instant after the skipped day, and the last of two midnights.
      ["2011-12-30T10:00:00Z", "Pacific/Apia", "2011-12-31"],
      ["2018-02-18T02:00:00Z", "America/Sao_Paulo", "2018-02-17"],
    ] as const
  ) {
    await caller.create("action", { ...ACTION, targetDate });
    const query = { from: day, until: addDays(day, 1), zone };
    const { days } = await readCount(caller, DAYS, query);
    assertEquals(days.map(({ total }: Json) => total), [1], targetDate);
  }
});

Deno.test("A unit that only touches the days is left out", async () => {
  const caller = await world().createCaller();
  for (const startAt of ["2025-11-01T00:30:00Z", "2025-11-30T12:00:00Z"]) {
    await caller.create("timeline", { ...EVENT, timePrecision: "MONTH", startAt });
  }
  for (const [from, until] of [["2025-10-01", "2025-11-01"], ["2025-12-01", "2025-12-31"]]) {
    const count = await readCount(caller, DAYS, { from, until, zone: "UTC" } as Json);
    assertEquals(count.ranges, [], from);
  }
});

Deno.test("Units at the edge of the years 0001 to 9999 are cut", async () => {
  const caller = await world().createCaller();
  const add = (timePrecision: string, startAt: string) =>
    caller.create("timeline", { ...EVENT, timePrecision, startAt });
  await add("SEASON", "0001-01-10T00:00:00Z");
  await add("DECADE", "0001-01-10T00:00:00Z");
  await add("DECADE", "9999-12-30T00:00:00Z");
  await remember(caller, { timePrecision: "YEAR", occurredAt: "0001-02-03T00:00:00+14:00" });
  const zone = "Pacific/Kiritimati";
  const first = await readCount(caller, DAYS, { from: "0001-01-01", until: "0001-01-02", zone });
  assertEquals(first.ranges.map((range: Json) => Object.values(range).join(" ")), [
    "timeline SEASON 0001-01-01 0001-03-01 1",
    "memory YEAR 0001-01-01 0002-01-01 1",
    "timeline DECADE 0001-01-01 0010-01-01 1",
  ]);
  const last = await readCount(caller, DAYS, { from: "9999-12-30", until: "9999-12-31", zone });
  assertEquals(last.ranges, [{
    moduleCode: "timeline",
    precision: "DECADE",
    from: "9990-01-01",
    until: "9999-12-31",
    count: 1,
  }]);
});

Deno.test("Days refuse bad parameters by rule and field", async () => {
  const caller = await world().createCaller();
  const wrong: readonly [Json, string, string[]?][] = [
    [{ ...WEEK, from: "2025-02-30" }, "field.date", ["from"]],
    [{ ...WEEK, until: "2025-10-27T00:00:00Z" }, "field.date", ["until"]],
    [{ ...WEEK, until: WEEK.from }, "range.order", ["from", "until"]],
    [{ ...WEEK, until: addDays(WEEK.from, 401) }, "range.length"],
    [{ ...WEEK, zone: "+02:00" }, "field.time_zone", ["zone"]],
    [{ ...WEEK, by: "day" }, "undeclared_field", ["by"]],
  ];
  for (const [query, rule, fields] of wrong) {
    const response = await caller.call("GET", `${DAYS}?${new URLSearchParams(query)}`);
    assertInvalid(response, [rule], fields, JSON.stringify(query));
    if (rule === "range.length") assertEquals(response.body.error.details.limit, 400);
  }
  for (const name of ["from", "until", "zone"]) {
    const { [name]: _, ...query }: Json = WEEK;
    const response = await caller.call("GET", `${DAYS}?${new URLSearchParams(query)}`);
    assertInvalid(response, ["field.required"], [name]);
  }
  const unknown = new URLSearchParams({ ...WEEK, module: "nothing" });
  assertFailure(await caller.call("GET", `${DAYS}?${unknown}`), "RECORD_MODULE_NOT_FOUND");
});

Deno.test("Counts answer 503 until the order of records is built, and 429 beyond two at once", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const zone = "zone=UTC";
  const days = `${DAYS}?${new URLSearchParams(WEEK)}`;
  const counts = [
    days,
    `/api/v2/insight/series?module=action&by=day&from=2026-01-01&until=2026-01-02&${zone}`,
    `/api/v2/insight/routines?${zone}`,
    `/api/v2/insight/week?start=2026-01-01&${zone}`,
  ];
  for (const query of counts) {
    const answers = await Promise.all([days, days, query].map((each) => caller.call("GET", each)));
    assertEquals(answers.map(({ status }) => status), [200, 200, 429], query);
  }
  await own.raw("update search_index_build set order_is_complete = false");
  for (const query of counts) {
    const refused = await caller.call("GET", query);
    assertFailure(refused, "HTTP_503");
    assert(refused.headers.has("Retry-After"));
  }
});
