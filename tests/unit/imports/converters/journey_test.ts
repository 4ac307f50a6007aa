/** Entries of Journey: texts, times, details, files, moods and faults. */

import { assertEquals } from "@std/assert";
import { type JsonObject, objectOf } from "../../../../src/core/json.ts";
import { JOURNEY } from "../../../../src/imports/converters/apps/journey.ts";
import { convertFile } from "../../../support/converted_files.ts";

const TIME = 1_624_802_943_000;
const NONE = Number.MAX_VALUE;

function convert(entries: Readonly<Record<string, JsonObject>>, mapping: JsonObject | null = null) {
  const texts = Object.entries(entries).map(([name, entry]) => [name, JSON.stringify(entry)]);
  return convertFile(JOURNEY, Object.fromEntries(texts), { mapping });
}

/** The item of one entry, its members and its payload. */
async function itemOf(entry: JsonObject, mapping: JsonObject | null = null) {
  const whole = { id: "a", date_journal: TIME, timezone: "Europe/Vienna", ...entry };
  const { items: [item] } = await convert({ "a.json": whole }, mapping);
  const { rules, unmapped, members = {} } = item ?? {};
  return { rules, unmapped, members, payload: objectOf(members.payload) };
}

Deno.test("An entry becomes a memory in its zone, with details and tags", async () => {
  const { items, used } = await convert({
    "journal/1.json": {
      id: "1624802943000-abc",
      date_modified: TIME,
      date_journal: TIME,
      timezone: "Europe/Vienna",
      text: '<p dir="auto">At the <strong>lake</strong></p>\n<p dir="auto"></p>\n<p>We swam.</p>',
      preview_text: "<p>At the lake</p>",
      mood: 4,
      lat: 51.50207694110725,
      lon: -0.1400151598051018,
      address: "1 Constitution Hill ",
      label: "",
      folder: "Trips",
      sentiment: 1.25,
      favourite: true,
      music_title: "Song",
      music_artist: "Band",
      photos: [],
      weather: {
        id: -1,
        degree_c: 27.200000762939453,
        description: "Clouds",
        icon: "02d",
        place: "",
      },
      tags: ["Summer", "lake"],
      type: "html",
    },
    "other.json": { date_journal: TIME },
  });
  assertEquals(items.map(({ members }) => members), [{
    key: "1624802943000-abc",
    target: "memory",
    title: "At the lake",
    payload: {
      memoryType: "EVENT",
      originalContent: "At the **lake**\n\nWe swam.\n\nDetails\nPlace: 1 Constitution Hill\n" +
        "Weather: Clouds, 27.2 °C\nStarred: yes\nMood: 4 of 5\nMusic: Song, Band",
      occurredAt: "2021-06-27T16:09:03.000+02:00[Europe/Vienna]",
      timePrecision: "EXACT",
    },
    tags: ["Summer", "lake"],
    attachments: [],
    recordedAt: "2021-06-27T14:09:03.000Z",
  }]);
  assertEquals(items[0]?.unmapped, ["folder", "sentiment", "weather.icon"]);
  assertEquals([...used], ["journal/1.json"]);
});

Deno.test("The largest number means none; coordinates stand for a missing address", async () => {
  const none = await itemOf({
    text: "Words",
    mood: 0,
    lat: NONE,
    lon: NONE,
    weather: { id: -1, degree_c: NONE, description: "", icon: "", place: "" },
  });
  assertEquals([none.payload.originalContent, none.unmapped], ["Words", []]);
  const pole = await itemOf({ text: "Words", lat: -80.5, lon: 42.25 });
  assertEquals(pole.payload.originalContent, "Words\n\nDetails\nPlace: -80.5, 42.25");
  const outside = await itemOf({ text: "Words", lat: 90.5, lon: 42.25 });
  assertEquals(outside.payload.originalContent, "Words");
});

Deno.test("Other texts than HTML stay; an entry without a text is titled by its day", async () => {
  const { members, payload } = await itemOf({ text: "# Lake\na < b *c*", type: "markdown" });
  assertEquals([members.title, payload.originalContent], ["Lake", "# Lake\na < b *c*"]);
  const heart = await itemOf({ text: "<3 today\nat the lake", type: "" });
  assertEquals(heart.payload.originalContent, "<3 today\nat the lake");
  const old = await itemOf({ text: "\n<p>Old</p>", type: "" });
  assertEquals(old.payload.originalContent, "Old");
  const begun = await itemOf({ text: "We <b>swam</b>", type: "html" });
  assertEquals(begun.payload.originalContent, "We **swam**");
  const empty = await itemOf({ text: "" });
  assertEquals([empty.members.title, empty.payload.originalContent], ["2021-06-27", "2021-06-27"]);
});

Deno.test("The zone is the entry's, else the mapping's, else UTC", async () => {
  const timeOf = async (timezone: string, mapping: JsonObject | null = null) => {
    const { payload, rules, unmapped } = await itemOf({ text: "a", timezone }, mapping);
    return [payload.occurredAt, rules, unmapped];
  };
  const mapping = { timeZone: "Asia/Tokyo" };
  assertEquals(await timeOf("", mapping), ["2021-06-27T23:09:03.000+09:00[Asia/Tokyo]", [], []]);
  assertEquals(await timeOf(""), ["2021-06-27T14:09:03.000Z", [], []]);
  assertEquals(await timeOf("GMT-03:30"), ["2021-06-27T10:39:03.000-03:30", [], []]);
  assertEquals(await timeOf("Mars"), ["2021-06-27T14:09:03.000Z", ["import.zone"], ["timezone"]]);
  const { payload, rules } = await itemOf({ text: "a", date_journal: "?" });
  assertEquals([payload.timePrecision, rules], ["UNKNOWN", ["import.date"]]);
});

Deno.test("A mapping makes moods from 1 to 5 health records", async () => {
  const entry = { id: "a", date_journal: TIME, timezone: "Europe/Vienna", text: "a" };
  const moods = await convert(
    { "1.json": { ...entry, mood: 5 }, "2.json": { ...entry, id: "b", mood: 6 } },
    { moods: true },
  );
  assertEquals(moods.items.map(({ members: { key, target } }) => [key, target]), [
    ["a", "memory"],
    ["a#mood", "health"],
    ["b", "memory"],
  ]);
  assertEquals(moods.items[1]?.members.payload, {
    metricType: "MOOD",
    value: 5,
    unit: "of 5",
    measuredAt: "2021-06-27T16:09:03.000+02:00[Europe/Vienna]",
    quality: "SELF_REPORTED",
  });
  assertEquals(moods.items[2]?.unmapped, ["mood"]);
});

Deno.test("A photo that is not beside its entry is missing", async () => {
  const { members, payload } = await itemOf({ text: "a", photos: ["a-1.jpg"] });
  assertEquals([members.attachments, payload.originalContent], [["a-1.jpg"], "a"]);
});

Deno.test("An entry that does not parse is refused alone; other JSON is not used", async () => {
  const { items, used } = await convertFile(JOURNEY, {
    "a.json": '{"id":"a","date_journal":1,"text":',
    "b.json": '{"id":"b"',
    "c.json": JSON.stringify({ id: "c", date_journal: TIME, text: "c" }),
    "d.json": "null",
    "e.json": `{"date_journal":1,"text":"${"x".repeat(4 * 1024 * 1024)}"}`,
  });
  assertEquals(items.map(({ entry, refused = [] }) => [entry, ...refused]), [
    ["a.json", "json.syntax"],
    ["c.json"],
    ["e.json", "import.item_size"],
  ]);
  assertEquals([...used], ["a.json", "c.json", "e.json"]);
});
