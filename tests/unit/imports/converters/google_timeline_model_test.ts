/** The places of random timelines are those of a slow model. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../../../src/core/json.ts";
import { GOOGLE_TIMELINE } from "../../../../src/imports/converters/places/google_timeline.ts";
import { convertFile } from "../../../support/converted_files.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

/** Random timelines of a run; `TIMELINES=20000` takes a minute and more. */
const TIMELINES = Number(Deno.env.get("TIMELINES") ?? 150);
const MAX_VISITS = 30;
const BEGAN = Date.parse("2019-03-31T00:00:00Z");
const MINUTE_MS = 60_000;

interface RandomVisit {
  /** Empty for none. */
  readonly id: string;
  /** In units of E7; null without coordinates. */
  readonly point: readonly [number, number] | null;
  readonly start: number | null;
  readonly end: number | null;
  /** In minutes. */
  readonly offset: number;
  readonly type: string;
}

type Kind = "IPHONE" | "ANDROID" | "TAKEOUT";

function randomVisit(random: Random): RandomVisit {
  const time = () => BEGAN + random.integer(-500, 500) * MINUTE_MS + random.integer(0, 1) * 7;
  const coordinate = () => random.pick([-1_234_000, -999, 0, 400, 501, 1_234_000]);
  return {
    id: random.pick(["", "", "a", "b", "c"]),
    point: random.chance(0.9) ? [coordinate(), coordinate()] : null,
    start: random.chance(0.95) ? time() : null,
    end: random.chance(0.8) ? time() : null,
    offset: random.pick([-420, 0, 60, 330]),
    type: random.pick(["UNKNOWN", "UNKNOWN", "TYPE_HOME", "Inferred Work"]),
  };
}

function writeTime(time: number | null, offset: number): string {
  if (time === null) return "unknown";
  const two = (count: number) => String(count).padStart(2, "0");
  const size = Math.abs(offset);
  const digits = new Date(time + offset * MINUTE_MS).toISOString().slice(0, -1);
  return `${digits}${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Each visit of Takeout may be inside of the one before. */
function writeVisits(visits: readonly RandomVisit[], kind: Kind, random: Random): JsonObject[] {
  const elements: JsonObject[] = [];
  let before: JsonObject | null = null;
  for (const { id, point, start, end, offset, type } of visits) {
    const [one, other] = (point ?? [1e9, 1e9]).map((value) => value / 1e7);
    const times = {
      startTime: writeTime(start, offset),
      ...end !== null && { endTime: writeTime(end, offset) },
    };
    if (kind !== "TAKEOUT") {
      const place = kind === "IPHONE"
        ? { placeID: id, placeLocation: `geo:${one},${other}` }
        : { placeId: id, placeLocation: { latLng: `${one}°, ${other}°` } };
      elements.push({ ...times, visit: { topCandidate: { ...place, semanticType: type } } });
      continue;
    }
    const visit: JsonObject = {
      location: {
        placeId: id,
        semanticType: type,
        ...point !== null && { latitudeE7: point[0], longitudeE7: wrapped(point[1], random) },
      },
      duration: {
        startTimestamp: times.startTime,
        ...end !== null && { endTimestamp: times.endTime ?? "" },
      },
      childVisits: [],
    };
    if (before !== null && random.chance(0.3)) before.childVisits = [visit];
    else elements.push({ placeVisit: visit });
    before = visit;
  }
  return elements;
}

function wrapped(value: number, random: Random): number {
  return value < 0 && random.chance(0.5) ? value + 2 ** 32 : value;
}

/** Compares each visit with all others. */
function model(visits: readonly RandomVisit[]): [JsonObject[], Record<string, number>] {
  const placed = visits.flatMap((visit) => {
    const key = keyOf(visit);
    return key === null ? [] : [{ ...visit, key }];
  });
  const timed = placed.flatMap((visit) => {
    const { start } = visit;
    return start === null ? [] : [{ ...visit, start }];
  });
  const distinct = timed.filter(({ key, start }, index) =>
    timed.findIndex((other) => other.key === key && other.start === start) === index
  );
  const keys = [...new Set(distinct.map(({ key }) => key))];
  const items = keys.map((key) => {
    const own = distinct.filter((visit) => visit.key === key);
    const first = own.find(({ start }) => own.every((other) => start <= other.start));
    const ended = own.flatMap(({ start, end, offset }) =>
      end === null || end < start ? [] : [{ end, offset }]
    );
    const last = ended.find(({ end }) => ended.every((other) => end >= other.end));
    const point = own.find((visit) => visit.point !== null)?.point?.map((value) => value / 1e7);
    const words = own.map(({ type }) => /home|work/i.exec(type)?.[0].toLowerCase() ?? null);
    const word = words.find((each) => each !== null);
    const place = point?.map(fourDecimals).join(", ") ?? key;
    return {
      key,
      title: word === undefined ? place : word === "home" ? "Home" : "Work",
      point: point ?? [null, null],
      first: writeTime(first?.start ?? null, first?.offset ?? 0),
      last: last === undefined ? null : writeTime(last.end, last.offset),
      notes: `Visits: ${own.length}`,
      hasBadEnd: own.some(({ start, end }) => end !== null && end < start),
    };
  });
  const counts = {
    "visit.no_place": visits.length - placed.length,
    "visit.no_time": placed.length - timed.length,
    visit: distinct.length - keys.length,
  };
  return [items, Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))];
}

function keyOf({ id, point }: RandomVisit): string | null {
  if (id !== "") return id;
  return point === null ? null : `geo:${point.map((value) => fourDecimals(value / 1e7)).join(",")}`;
}

function fourDecimals(degrees: number): string {
  const text = degrees.toFixed(4);
  return text === "-0.0000" ? "0.0000" : text;
}

Deno.test("Places have the visits that a slow model gives them", async () => {
  for (let seed = 1; seed <= TIMELINES; seed++) {
    const random = seededRandom(seed);
    const visits = Array.from({ length: random.integer(0, MAX_VISITS) }, () => randomVisit(random));
    const kind = random.pick(["IPHONE", "ANDROID", "TAKEOUT"] as const);
    const elements = writeVisits(visits, kind, random);
    const whole = { IPHONE: elements, ANDROID: { semanticSegments: elements }, TAKEOUT: {} }[kind];
    const file = kind === "TAKEOUT" ? { timelineObjects: elements } : whole;
    const { items, counts } = await convertFile(GOOGLE_TIMELINE, JSON.stringify(file));
    const [expected, expectedCounts] = model(visits);
    const found = items.map(({ members: { key, title, payload }, rules = [] }) => {
      const of = payload as JsonObject;
      return {
        key,
        title,
        point: [of.latitude ?? null, of.longitude ?? null],
        first: of.firstVisitedAt,
        last: of.lastVisitedAt ?? null,
        notes: of.notes,
        hasBadEnd: rules.includes("import.date"),
      };
    });
    assertEquals<unknown>(found, expected, `seed ${seed}`);
    assertEquals(counts, expectedCounts, `seed ${seed}`);
  }
});
