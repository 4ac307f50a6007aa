/** Timelines of phones and of Takeout: kinds of files, places, visits, trips and faults. */

import { assertEquals, assertRejects } from "@std/assert";
import { type JsonObject, type JsonValue, objectOf } from "../../../../src/core/json.ts";
import type { SourceItem } from "../../../../src/imports/converters/converter.ts";
import { GOOGLE_TIMELINE } from "../../../../src/imports/converters/places/google_timeline.ts";
import {
  momentText,
  pointText,
  readMoment,
  readPoint,
} from "../../../../src/imports/converters/places/timeline_values.ts";
import { FileRefusal } from "../../../../src/imports/refusal.ts";
import { inputOf } from "../../../families/relationship/cards.ts";
import { convertFile } from "../../../support/converted_files.ts";

/** Converts a file, or the files of an archive by their paths. */
function convert(
  file: JsonValue | Readonly<Record<`${string}.json`, JsonValue>>,
  mapping: JsonObject | null = null,
) {
  return convertFile(GOOGLE_TIMELINE, JSON.stringify(file), { mapping });
}

/** Empty without an item. */
const payloadOf = (item?: SourceItem) => objectOf(item?.members.payload);

/** A visit as an Android phone exports it. */
function visit(placeId: string, start: string, end: string | null, more: JsonObject = {}) {
  const { latLng = "48.8566°, 2.3522°", ...candidate } = more;
  return {
    startTime: start,
    ...end !== null && { endTime: end },
    visit: { topCandidate: { placeId, placeLocation: { latLng }, ...candidate } },
  };
}

/** A visit as Takeout writes it. */
function takeoutVisit(location: JsonObject, duration: JsonObject, more: JsonObject = {}) {
  return { placeVisit: { location, duration, ...more } };
}

Deno.test("The segments of an iPhone become places and trips; tracks are counted", async () => {
  const [start, end] = ["2023-08-27T15:48:56.000-05:00", "2023-08-27T17:04:26.999-05:00"];
  const { items, counts } = await convert([
    {
      startTime: start,
      endTime: end,
      visit: {
        hierarchyLevel: "0",
        topCandidate: { placeID: "ChIJx", placeLocation: "geo:27.72,-97.34", semanticType: "Home" },
      },
    },
    { startTime: start, endTime: end, activity: { start: "geo:1,1" } },
    { startTime: start, endTime: end, timelinePath: [{ point: "geo:1,1" }, { point: "geo:1,2" }] },
    { startTime: start, endTime: end, rawPath: [{ point: "geo:1,1" }] },
    {
      startTime: "2023-08-27T14:48:56.000-06:00",
      endTime: "2023-09-02T23:25:59.000-06:00",
      timelineMemory: { destinations: [{}, {}], distanceFromOriginKms: "1594" },
    },
    { startTime: start, endTime: end, flight: {} },
    5,
  ]);
  assertEquals(items.map(({ members }) => members), [
    {
      key: "trip:2023-08-27T20:48:56.000Z",
      target: "timeline",
      title: "Trip",
      payload: {
        eventType: "TRAVEL",
        eventTitle: "Trip",
        eventDescription: "Distance: 1594 km\nDestinations: 2",
        startAt: "2023-08-27T14:48:56.000-06:00",
        endAt: "2023-09-02T23:25:59.000-06:00",
        timePrecision: "DAY",
      },
    },
    {
      key: "ChIJx",
      target: "place",
      title: "Home",
      payload: {
        placeName: "Home",
        placeType: "HOME",
        latitude: 27.72,
        longitude: -97.34,
        firstVisitedAt: start,
        lastVisitedAt: end,
        notes: "Visits: 1",
      },
    },
  ]);
  assertEquals(counts, { activity: 1, track: 2, flight: 1, segment: 1 });
});

Deno.test("A phone's profile labels places; its other lists are counted", async () => {
  const { items, counts } = await convert({
    userLocationProfile: {
      frequentPlaces: [
        { placeId: "one", placeLocation: "1, 1", label: "HOME" },
        { placeId: "", placeLocation: "2.00004°, 2°", label: "Where I work" },
        { placeId: "never visited", placeLocation: "1, 1", label: "HOME" },
      ],
      persona: { travelModeAffinities: [{}] },
    },
    rawSignals: [{ position: {} }, { wifiScan: {} }],
    semanticSegments: [
      visit("one", "2024-06-15T09:00:00.000Z", null),
      visit("", "2024-06-15T10:00:00.000Z", null, { latLng: "2.00001°, 2.0°" }),
      visit("three", "2024-06-15T11:00:00.000Z", null, { semanticType: "INFERRED_WORK" }),
      visit("four", "2024-06-15T12:00:00.000Z", null, { semanticType: "SEARCHED_ADDRESS" }),
    ],
    version: 2,
  });
  assertEquals(items.map(({ members }) => [members.key, members.title]), [
    ["one", "Home"],
    ["geo:2.0000,2.0000", "Work"],
    ["three", "Work"],
    ["four", "48.8566, 2.3522"],
  ]);
  assertEquals(items.map((item) => payloadOf(item).placeType), ["HOME", "WORK", "WORK", "OTHER"]);
  assertEquals(counts, { profile: 1, raw_signal: 2, version: 1 });
});

Deno.test("The offset of the place counts, not that of the phone at the export", async () => {
  const { items: [place] } = await convert({
    semanticSegments: [{
      ...visit("a", "2014-07-15T23:34:20.000-04:00", "2014-07-16T00:02:22.000-04:00"),
      startTimeTimezoneUtcOffsetMinutes: -420,
      endTimeTimezoneUtcOffsetMinutes: -420,
    }],
  });
  const { firstVisitedAt, lastVisitedAt } = payloadOf(place);
  assertEquals(firstVisitedAt, "2014-07-15T20:34:20.000-07:00");
  assertEquals(lastVisitedAt, "2014-07-15T21:02:22.000-07:00");
});

Deno.test("Visits of Takeout count with those in them, over all files of the archive", async () => {
  const cafe = {
    placeId: "cafe",
    name: "Café\u0000 Central ",
    address: "\nHerrengasse 14\r\n1010 Wien\nAustria",
    latitudeE7: 482_103_000,
    longitudeE7: 4_178_627_296,
  };
  const renamed = { ...cafe, name: "Renamed" };
  const hall = { placeId: "hall", address: "Ferstel\nWien" };
  const path = { simplifiedRawPath: { points: [{}] }, otherCandidateLocations: [{}] };
  const inner = takeoutVisit(hall, { startTimestampMs: "1700001000000" });
  const later = { startTimestamp: "1700086400", endTimestamp: "2023-11-16 09:00:00 +0100" };
  const duration = { startTimestamp: "2023-11-14T22:13:20Z", endTimestamp: "2023-11-14T23:00:00Z" };
  const outer = takeoutVisit(cafe, duration, { ...path, childVisits: [inner.placeVisit] });
  const { items, counts, used } = await convertFile(GOOGLE_TIMELINE, {
    "Zeitachse/Again.json": JSON.stringify({
      timelineObjects: [takeoutVisit(renamed, later), outer, takeoutVisit({}, later)],
    }),
    "Zeitachse/2023_NOVEMBER.json": JSON.stringify({
      timelineObjects: [outer, { activitySegment: { waypointPath: {} } }],
    }),
    "Zeitachse/Records.json": JSON.stringify({ locations: [{ latitudeE7: 1 }, {}, {}] }),
    "Settings.json": "{",
  });
  assertEquals(items.map(({ members }) => members), [
    {
      key: "cafe",
      target: "place",
      title: "Café Central",
      payload: {
        placeName: "Café Central",
        placeType: "OTHER",
        address: "Herrengasse 14, 1010 Wien, Austria",
        latitude: 48.2103,
        longitude: -11.634,
        firstVisitedAt: "2023-11-14T22:13:20.000Z",
        lastVisitedAt: "2023-11-16T09:00:00.000+01:00",
        notes: "Visits: 2",
      },
    },
    {
      key: "hall",
      target: "place",
      title: "Ferstel",
      payload: {
        placeName: "Ferstel",
        placeType: "OTHER",
        address: "Ferstel, Wien",
        firstVisitedAt: "2023-11-14T22:30:00.000Z",
        notes: "Visits: 1",
      },
    },
  ]);
  assertEquals(counts, {
    activity: 1,
    location: 3,
    track: 2,
    visit: 1,
    "visit.no_place": 1,
  });
  assertEquals(used.has("Settings.json"), false);
});

Deno.test("A visit without a place or a start is counted; a bad end is left out", async () => {
  const { items, counts } = await convert({
    semanticSegments: [
      visit("", "2024-06-15T09:00:00.000Z", null, { latLng: "91°, 2°" }),
      visit("a", "yesterday", "2024-06-15T09:00:00.000Z"),
      visit("b", "2024-06-15T09:00:00.000Z", "2024-06-15T08:00:00.000Z"),
      visit("c", "2024-06-15T09:00:00.000Z", "2024-06-15T09:00:00.000Z"),
    ],
  });
  assertEquals(counts, { "visit.no_place": 1, "visit.no_time": 1 });
  assertEquals(items.map(({ members, rules }) => [members.key, rules]), [
    ["b", ["import.date"]],
    ["c", []],
  ]);
});

Deno.test("A trip without a readable start has an unknown time", async () => {
  const { items: [trip] } = await convert({
    semanticSegments: [{ startTime: "?", timelineMemory: { trip: { destinations: [] } } }],
  });
  assertEquals(payloadOf(trip).timePrecision, "UNKNOWN");
  assertEquals([payloadOf(trip).startAt, trip?.rules], [undefined, ["import.date"]]);
});

Deno.test("A mapping leaves out places of few visits, and makes visits events", async () => {
  const file = {
    semanticSegments: [
      visit("a", "2024-06-15T09:00:00.000+02:00", "2024-06-15T10:00:00.000+02:00"),
      visit("a", "2024-06-15T09:00:00.000+02:00", null),
      visit("b", "2024-06-16T09:00:00.000Z", null, { name: "Pier", address: "Lake 1\nSeeham" }),
      visit("b", "2024-06-17T09:00:00.000Z", null),
    ],
  };
  const few = await convert(file, { minVisits: 2 });
  assertEquals(few.items.map(({ members }) => members.key), ["b"]);
  assertEquals(few.counts, { "place.few_visits": 1, visit: 1 });

  const { items, counts } = await convert(file, { visits: "timeline", minVisits: 3 });
  assertEquals(counts, { "place.few_visits": 2 });
  assertEquals(items.map(({ members: { key, title } }) => [key, title]), [
    ["visit:2024-06-15T07:00:00.000Z:a", "48.8566, 2.3522"],
    ["visit:2024-06-16T09:00:00.000Z:b", "Pier"],
    ["visit:2024-06-17T09:00:00.000Z:b", "Pier"],
  ]);
  assertEquals(items.slice(0, 2).map((item) => payloadOf(item)), [
    {
      eventType: "OTHER",
      eventTitle: "48.8566, 2.3522",
      eventDescription: "48.8566, 2.3522",
      startAt: "2024-06-15T09:00:00.000+02:00",
      endAt: "2024-06-15T10:00:00.000+02:00",
      timePrecision: "EXACT",
      location: "48.8566, 2.3522",
    },
    {
      eventType: "OTHER",
      eventTitle: "Pier",
      eventDescription: "Pier",
      startAt: "2024-06-16T09:00:00.000Z",
      timePrecision: "EXACT",
      location: "Lake 1, Seeham",
    },
  ]);
});

Deno.test("Times are RFC 3339, with blanks, or digits of seconds or milliseconds", () => {
  const texts = (values: readonly JsonValue[]) =>
    values.map((value) => {
      const moment = readMoment(value);
      return moment === null ? null : momentText(moment);
    });
  const times = [
    "2025-03-24T20:07:24.5+01:00",
    "2025-03-24T20:07:24Z",
    "2025-03-24 20:07:24 +0100",
    "2025-03-24 19:07:24 UTC",
    "1742844302",
    "17428443025",
    "1742844302585",
    1_742_844_302_585,
  ];
  assertEquals(texts(times), [
    "2025-03-24T20:07:24.500+01:00",
    "2025-03-24T20:07:24.000Z",
    "2025-03-24T20:07:24.000+01:00",
    "2025-03-24T19:07:24.000Z",
    "2025-03-24T19:25:02.000Z",
    "2522-04-15T02:10:25.000Z",
    "2025-03-24T19:25:02.585Z",
    "2025-03-24T19:25:02.585Z",
  ]);
  const bad = ["", "2025-03-24", "2025-03-24 20:07:24", "9".repeat(16), -1, 1.5, null, {}];
  assertEquals(texts(bad), bad.map(() => null));
  assertEquals(readMoment("9999-12-31T23:59:59Z", 60)?.offset, null);
});

Deno.test("Points are texts of degrees, with or without signs, or numbers of E7", () => {
  const points = [
    "geo:27.720022,-97.347951",
    "geo:27.720022,-97.347951;u=35",
    "27.720022°, -97.347951°",
    "27.720022, -97.347951",
    { latLng: "27.720022°, -97.347951°" },
    { latitudeE7: 277_200_220, longitudeE7: 3_321_487_786 },
    { latitudeE7: "277200220", longitudeE7: "-973479510" },
  ];
  for (const point of points) {
    assertEquals(readPoint(point), { latitude: 27.720022, longitude: -97.347951 });
  }
  const bad = ["", "1", "1,2,3", "1,", "91,0", "0,181", "x".repeat(200), { latitudeE7: 1 }, null];
  assertEquals(bad.map(readPoint), bad.map(() => null));
  assertEquals(pointText({ latitude: -0.00001, longitude: -1 }), "0.0000, -1.0000");
});

async function refusalOf(text: string | Readonly<Record<string, string>>): Promise<FileRefusal> {
  return await assertRejects(() => convertFile(GOOGLE_TIMELINE, text), FileRefusal);
}

Deno.test("A text that does not parse refuses the file, also one in an archive", async () => {
  const bare = await refusalOf('{"semanticSegments":[{"visit":{}}');
  assertEquals([bare.rule, bare.place, bare.entry], ["json.syntax", 0, null]);
  const packed = await refusalOf({ "a.txt": "", "t/b.json": '{"timelineObjects":[}' });
  assertEquals([packed.rule, packed.place, packed.entry], ["json.syntax", 2, "t/b.json"]);
});

Deno.test("An element over 16 MiB is refused alone; its skipped parts are never parsed", async () => {
  const encoder = new TextEncoder();
  const mebibyte = encoder.encode("x".repeat(1024 * 1024));
  const element = '{"startTime":"2024-06-15T09:00:00Z","visit":{"topCandidate":{"placeId":"a"}}';
  async function* stream(mebibytes: number) {
    yield await Promise.resolve(encoder.encode(`[${element},"timelinePath":"`));
    for (let count = 0; count < mebibytes; count++) yield mebibyte;
    yield encoder.encode('"}]');
  }
  const resultOf = async (mebibytes: number) => {
    const { file, ...input } = inputOf(new Uint8Array(), 1);
    const large = { ...file, stream: () => stream(mebibytes) };
    const converted = GOOGLE_TIMELINE.convert({ ...input, file: large });
    return (await Array.fromAsync(converted)).flatMap((each) =>
      each.kind === "item" ? [each.item.refused ?? each.item.members.key] : []
    );
  };
  assertEquals(await resultOf(15), ["a"]);
  assertEquals(await resultOf(16), [["import.item_size"]]);
});
