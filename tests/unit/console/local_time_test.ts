/// <reference types="../../../src/console/web/logic/types.d.ts" />

/** Local times of zones, compared with `Temporal`, which the console does without. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { createSender } from "../../../src/console/web/core/base/sender.js";
import { formatTime } from "../../../src/console/web/fields/shown/times.js";
import {
  deviceTime,
  instantOf,
  isElsewhere,
  isOfDevice,
  localOf,
  onClock,
  placeText,
  readTime,
  restorable,
  statedDay,
  statedMoment,
  withoutZone,
} from "../../../src/console/web/logic/local_time.js";
import { seededRandom } from "../../support/random.ts";
import { inZone } from "../../support/zone.ts";

const TOKYO = "2025-11-01T08:00:00.000+09:00[Asia/Tokyo]";

/** Days of 23, 25, 23.5, 24.5 or 24 hours, and one that does not exist. */
const CHANGES = [
  ["America/Sao_Paulo", "2018-11-04"],
  ["Europe/Berlin", "2025-10-26"],
  ["Europe/Berlin", "2025-03-30"],
  ["Australia/Lord_Howe", "2025-04-06"],
  ["Australia/Lord_Howe", "2025-10-05"],
  ["America/St_Johns", "2025-11-02"],
  ["America/New_York", "2026-03-08"],
  ["Pacific/Auckland", "2025-09-28"],
  ["Pacific/Chatham", "2025-04-06"],
  ["Africa/Cairo", "2024-04-26"],
  ["Pacific/Apia", "2011-12-30"],
  ["Asia/Tokyo", "2025-11-01"],
] as const;

/** Runs it in a browser that gives the device's zone this name. */
function withZoneName(timeZone: string, run: () => void): void {
  const { prototype } = Intl.DateTimeFormat;
  const { resolvedOptions } = prototype;
  prototype.resolvedOptions = function () {
    return { ...resolvedOptions.call(this), timeZone };
  };
  try {
    run();
  } finally {
    prototype.resolvedOptions = resolvedOptions;
  }
}

/** Every quarter of an hour from the evening before to the morning after. */
function localTimesAround(date: string): string[] {
  const noon = Date.parse(`${date}T12:00Z`);
  return Array.from(
    { length: 4 * 36 },
    (_, quarter) => new Date(noon + (quarter - 72) * 900_000).toISOString().slice(0, 16),
  );
}

function expected(zone: string, local: string): string {
  const zoned = Temporal.PlainDateTime.from(local).toZonedDateTime(zone);
  return zoned.toString({ fractionalSecondDigits: 3 });
}

Deno.test("A local time is that of its zone, on days when the clocks change too", () => {
  for (const [zone, date] of CHANGES) {
    const other = `2000-01-01T12:00:00Z[${zone}]`;
    for (const local of localTimesAround(date)) {
      assertEquals(onClock(local, other), expected(zone, local), `${zone} ${local}`);
    }
    inZone(zone, () => {
      for (const local of localTimesAround(date)) {
        const sent = onClock(local);
        assertEquals(sent, expected(zone, local), `device in ${zone}, ${local}`);
        assertEquals(instantOf(sent), new Date(local).getTime());
        assertEquals([isOfDevice(sent), isElsewhere(readTime(sent))], [true, false]);
      }
    });
  }
});

Deno.test("An instant of any year is shown as the zone's clocks did, to the minute", () => {
  const random = seededRandom(53);
  const zones = [...new Set(CHANGES.map(([zone]) => zone))];
  for (let round = 0; round < 1_000; round++) {
    const zone = random.pick(zones);
    const instant = random.integer(-2_500_000_000, 4_000_000_000) * 1_000 + 7;
    const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
    const minutes = Math.trunc(zoned.offsetNanoseconds / 60e9);
    assertEquals(readTime(`${new Date(instant).toISOString()}[${zone}]`), {
      instant,
      offset: minutes,
      zone,
    });
    inZone(zone, () => {
      const text = deviceTime(instant);
      assertEquals(localOf(text), zoned.toPlainDateTime().toString(), `${zone} ${instant}`);
      assertEquals(readTime(text).offset, minutes);
    });
  }
});

Deno.test("A time on a stored clock stays there, also if its zone is unknown here", () => {
  assertEquals(onClock("2026-02-03T04:05", TOKYO), "2026-02-03T04:05:00.000+09:00[Asia/Tokyo]");
  const berlin = "2025-11-01T08:00:00.000+01:00[Europe/Berlin]";
  assertEquals(onClock("2025-07-01T08:00", berlin), "2025-07-01T08:00:00.000+02:00[Europe/Berlin]");
  for (const clock of ["-03:30", "+01:00[Mars/Olympus]"]) {
    const changed = onClock("2025-07-01T08:00:01.5", `2025-11-01T08:00:00${clock}`);
    assertEquals(changed, `2025-07-01T08:00:01.500${clock}`);
    assertEquals(localOf(changed), "2025-07-01T08:00:01.500");
  }
  assertEquals([onClock(""), onClock("12025-01-01T00:00")], ["", "12025-01-01T00:00"]);
  inZone("Asia/Tokyo", () => {
    for (const none of ["", "2025-11-01T08:00:00.000Z", "2025-11-01T08:00:00-00:00"]) {
      assertEquals(onClock("2025-11-01T08:00", none), TOKYO);
    }
  });
});

Deno.test("The place is named, or else the offset, and each form of a time is read", () => {
  const places = [
    ["2025-12-31T23:30:00-05:00[America/New_York]", "New York", -300],
    ["2025-12-31T23:30:00-03:00[America/Argentina/Buenos_Aires]", "Buenos Aires", -180],
    ["2025-12-31T23:30:00+00:00[UTC]", "UTC", 0],
    ["2025-12-31T23:30:00-05:00[Etc/GMT+5]", "UTC-05:00", -300],
    ["2025-12-31T23:30:00+05:30", "UTC+05:30", 330],
    ["2025-12-31T23:30:00.000+05:00[Mars/Olympus]", "Olympus", 300],
    ["2025-10-31t23:00z[!Asia/Tokyo]", "Tokyo", 540],
    ["2025-10-31T23:00:00Z[Mars/Olympus]", "", null],
    ["2025-12-31T23:30:00.000Z", "", null],
    ["2025-12-31", "", null],
    ["", "", null],
  ] as const;
  for (const [time, place, offset] of places) {
    assertEquals([placeText(time), readTime(time).offset], [place, offset], time);
  }
  assertEquals(readTime(TOKYO).instant, Date.parse("2025-10-31T23:00:00Z"));
  assertEquals(withoutZone(TOKYO), "2025-11-01T08:00:00.000+09:00");
  inZone("Asia/Seoul", () => {
    assertEquals([isElsewhere(readTime(TOKYO)), isOfDevice(TOKYO)], [false, false]);
    assertEquals(isElsewhere(readTime("2025-12-31T23:30:00Z")), false);
  });
  inZone("Pacific/Auckland", () => {
    assertEquals(isElsewhere(readTime(TOKYO)), true);
    assertEquals(formatTime(TOKYO, { dateStyle: "short" }), "11/1/25");
    const fromZ = formatTime("2025-10-31T23:00:00Z", { dateStyle: "short", timeStyle: "short" });
    assertEquals(fromZ.replace("\u202f", " "), "11/1/25, 12:00 PM");
  });
});

Deno.test("A device whose zone has no IANA name states the offset alone", () => {
  for (const name of ["+05:30", "Etc/Unknown", "", "-03", "A b"]) {
    withZoneName(name, () => assertEquals(onClock("2025-11-01T08:00").includes("["), false, name));
  }
  for (const name of ["Asia/Tokyo", "UTC", "Etc/GMT+5", "America/Port-au-Prince"]) {
    withZoneName(name, () => assert(onClock("2025-11-01T08:00").endsWith(`[${name}]`), name));
  }
  inZone("Etc/Unknown", () => {
    assertEquals(onClock("2025-11-01T08:00"), "2025-11-01T08:00:00.000+00:00");
    assertEquals(isOfDevice("2025-11-01T08:00:00+00:00"), true);
    assertEquals(isOfDevice("2025-11-01T08:00:00+00:00[UTC]"), false);
  });
});

Deno.test("A stored time is written back so that its clock, or the lack of one, returns", () => {
  assertEquals(restorable(TOKYO), TOKYO);
  assertEquals(restorable("2025-11-01T08:00:00.000Z"), "2025-11-01T08:00:00.000-00:00");
  assertEquals([restorable("OPEN"), restorable(undefined), restorable(3)], ["OPEN", undefined, 3]);
});

Deno.test("A stated time with a clock is its local date", () => {
  const occurredAt = "2025-12-31T23:30:00.000-05:00[America/New_York]";
  const stated = { occurredAt, timePrecision: "DAY", timeRange: null };
  inZone("Pacific/Auckland", () => {
    assertEquals(statedDay(stated)?.toISOString(), "2025-12-31T23:30:00.000Z");
    assertEquals(statedMoment(stated), occurredAt);
    const exact = { ...stated, occurredAt: "2026-01-01T04:30:00.000Z", timePrecision: "EXACT" };
    assertEquals(statedMoment(exact), exact.occurredAt);
  });
});

Deno.test("Answers have local times in place of UTC, wherever they stand", async () => {
  const shown = async (data: unknown) => {
    const send = createSender(() => Promise.resolve(Response.json({ data })));
    return (await send("GET", "/")).data;
  };
  const localTimes = { at: TOKYO };
  const utc = "2025-10-31T23:00:00.000Z";
  const { items } = await shown({
    items: [
      { payload: { at: utc, title: utc }, localTimes },
      { fields: { at: utc }, asOf: utc, localTimes: { ...localTimes, asOf: TOKYO } },
      { resource: {}, latestSnapshot: { at: utc, localTimes } },
      { at: utc, localTimes: {} },
      null,
    ],
  });
  const counts = items.map((item: unknown) => JSON.stringify(item).split(TOKYO).length - 1);
  assertEquals(counts, [2, 4, 2, 0, 0]);
  assertEquals(items[0].payload, { at: TOKYO, title: utc });
  assertEquals((await shown({ at: utc, localTimes })).at, TOKYO);
  for (const other of [null, 3, { items: 2 }, { at: utc }]) {
    assertEquals(await shown(other), other);
  }
});

Deno.test("A write whose zone is refused is sent again with the offset, once under one key", async () => {
  const sent: [body: string, key: string | null][] = [];
  const refusals: Record<string, unknown>[] = [];
  const send = createSender((_, { body, headers }) => {
    sent.push([String(body), new Headers(headers).get("Idempotency-Key")]);
    const details = refusals.shift();
    const error = { code: "PAYLOAD_INVALID", message: "", requestId: "", details };
    return Promise.resolve(
      details === undefined
        ? Response.json({ data: {} })
        : Response.json({ error }, { status: 400 }),
    );
  });
  const write = { key: "k", body: { payload: { at: TOKYO, until: TOKYO }, note: TOKYO } };
  const alone = withoutZone(TOKYO);
  const zone = (...fields: string[]) => ({ rules: ["field.time_zone"], fields });
  for (const _ of ["first", "repeated"]) {
    refusals.push(zone("at"), { rules: ["field.time_offset"], fields: ["until"] });
    await send("POST", "/", write);
    assertEquals(sent.splice(0), [
      [JSON.stringify(write.body), "k"],
      [JSON.stringify({ payload: { at: alone, until: TOKYO }, note: TOKYO }), "k-offset"],
      [JSON.stringify({ payload: { at: alone, until: alone }, note: TOKYO }), "k-offset-offset"],
    ]);
  }
  refusals.push({ rules: ["field.datetime"], fields: ["at"] });
  await send("POST", "/", write);
  assertEquals(sent.splice(0)[1], [
    JSON.stringify({ payload: { at: alone, until: TOKYO }, note: TOKYO }),
    "k-offset",
  ]);
  for (const details of [zone("other"), { rules: ["field.length"], fields: ["at"] }, {}]) {
    refusals.push(details);
    await assertRejects(() => send("POST", "/", write));
    assertEquals(sent.splice(0).length, 1);
  }
});
