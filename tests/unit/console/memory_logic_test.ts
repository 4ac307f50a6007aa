import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import {
  draftContent,
  draftTexts,
  memoryTexts,
  removedFields,
} from "../../../src/console/web/pages/memory_form/texts.js";
import { momentOf } from "../../../src/console/web/fields/memory_fields.js";
import { seasonOf } from "../../../src/console/web/fields/shown/stated.js";
import { newUlid } from "../../../src/console/web/fields/shown/times.js";
import { statedDay, statedMoment } from "../../../src/console/web/logic/local_time.js";
import { TIME_PRECISIONS } from "../../../src/catalog/time_precisions.ts";
import { decideTimeColumns } from "../../../src/families/memory/stated_time.ts";
import { seededRandom } from "../../support/random.ts";

const NOW = new Date("2026-11-22T12:00:00Z");

function kept(occurredAt: string, timePrecision: typeof TIME_PRECISIONS[number]) {
  const row = decideTimeColumns({ occurredAt, timePrecision, timeText: "once" }, NOW);
  const { time_from: from, time_to: to } = row;
  return {
    occurredAt: row.occurred_at?.toISOString() ?? null,
    timePrecision,
    timeRange: from && to && { from: from.toISOString(), to: to.toISOString() },
  };
}

/** Real offsets, except those that ranges cannot distinguish. */
const OFFSETS = ["-10:00", "-05:00", "-03:30", "+00:00", "+02:00", "+05:45", "+09:00", "+13:00"];

Deno.test("Stating a shown time again means the same range, in any offset", () => {
  const random = seededRandom(41);
  for (let round = 0; round < 3_000; round++) {
    const moment = new Date(random.integer(-60_000_000_000, 1_790_000_000) * 1_000).toISOString();
    const sent = `${moment.slice(0, 19)}${random.pick(OFFSETS)}`;
    const precision = random.pick(TIME_PRECISIONS.filter((name) => name !== "UNKNOWN"));
    const first = kept(sent, precision);
    const again = kept(statedMoment(first), precision);
    assertEquals(again, first, `${sent}, ${precision}`);
    // In the stated offset's calendar.
    const day = statedDay(first)?.toISOString();
    if (precision === "DAY") assertEquals(day, `${sent.slice(0, 10)}T00:00:00.000Z`);
    if (precision === "YEAR") assertEquals(day, `${sent.slice(0, 4)}-01-01T00:00:00.000Z`);
  }
});

Deno.test("A calendar day is its first moment, and an invalid day none", () => {
  const moment = momentOf({ year: 1978, month: 3, day: 1 });
  assert(/^1978-03-01T00:00:00\.000[+-]\d\d:\d\d(\[.+\])?$/.test(moment));
  assert(/^0044-03-15T/.test(momentOf({ year: 44, month: 3, day: 15 })));
  const tokyo = momentOf({ year: 1978, month: 3, day: 1 }, "2001-01-01T00:00:00Z[Asia/Tokyo]");
  assertEquals(tokyo, "1978-03-01T00:00:00.000+09:00[Asia/Tokyo]");
  for (
    const [year, month, day] of [[2023, 2, 29], [0, 1, 1], [10_000, 1, 1], [NaN, 1, 1]] as const
  ) {
    assertEquals(momentOf({ year, month, day }), "");
  }
});

Deno.test("A season is that of the range which the service derives", () => {
  for (let month = 1; month <= 12; month++) {
    const { timeRange } = kept(`2001-${String(month).padStart(2, "0")}-15T12:00:00Z`, "SEASON");
    const { season, year } = seasonOf({ year: 2001, month });
    const begin = season === 0 ? `${year - 1}-12` : `${year}-0${season * 3}`;
    assertEquals(timeRange?.from.slice(0, 7), begin);
  }
});

Deno.test("A draft has exactly the written texts, and restores them", () => {
  const random = seededRandom(42);
  const memory = {
    title: "The lake",
    summary: "",
    memoryType: "PLACE",
    currentContent: "We swam.",
    timeText: null,
    importance: null,
    ...kept("1999-07-01T00:00:00+02:00", "YEAR"),
  };
  const former = memoryTexts(memory);
  assertEquals(draftContent(former, former), {});
  for (let round = 0; round < 1_000; round++) {
    const texts: Record<string, string> = { ...former };
    const change = (name: string, values: readonly string[]) => {
      if (random.chance(0.4)) texts[name] = random.pick(values);
    };
    change("title", ["", "A sea"]);
    change("currentContent", ["", "We swam far."]);
    change("importance", ["1", "5"]);
    change("timePrecision", ["DAY", "LIFE_PERIOD"]);
    change("timeText", ["", "once"]);
    change("occurredAt", ["", "2001-01-01T00:00:00+01:00"]);
    const content = draftContent(former, texts);
    assertEquals(draftTexts(former, content), texts);
    for (const name of Object.keys(content)) {
      const isTime = ["timePrecision", "occurredAt", "timeText"].includes(name);
      assert(isTime || texts[name] !== former[name], `${name} was not written`);
    }
  }
});

Deno.test("A memory's stated fields can be changed but not removed", () => {
  const former = { timePrecision: "YEAR", timeText: "once", importance: "3", memoryType: "PLACE" };
  const silent = { timePrecision: "", occurredAt: "", timeText: "" };
  assertEquals(removedFields(former, former), []);
  assertEquals(removedFields(former, { ...former, ...silent }), ["timePrecision"]);
  assertEquals(removedFields(former, { ...former, timePrecision: "" }), []);
  assertEquals(removedFields(former, { ...former, importance: "", memoryType: "" }), [
    "memoryType",
    "importance",
  ]);
  assertEquals(removedFields({}, { ...silent, importance: "" }), []);
});

Deno.test("An identifier is a ULID of its time", () => {
  const made = Array.from({ length: 200 }, () => newUlid(NOW.getTime()));
  assertEquals(new Set(made).size, made.length);
  for (const id of made) {
    assert(/^[0-9A-HJKMNP-TV-Z]{26}$/.test(id), id);
    assertEquals(id.slice(0, 10), ulid(NOW.getTime()).slice(0, 10));
  }
  assert(newUlid(NOW.getTime()) < newUlid(NOW.getTime() + 1));
});
