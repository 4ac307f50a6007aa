/** Entries of Day One: files of other journals, names of files, rich text, zones and faults. */

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../../../src/core/json.ts";
import type { SourceItem } from "../../../../src/imports/converters/converter.ts";
import { DAY_ONE } from "../../../../src/imports/converters/day_one.ts";
import { richTextWords } from "../../../../src/imports/converters/day_one_rich_text.ts";
import { type ConvertedFile, convertFile, type Files } from "../../../support/converted_files.ts";

/** Converts an archive of files by their paths, or a journal alone. */
async function convert(files: Files | string): Promise<ConvertedFile> {
  return await convertFile(DAY_ONE, files);
}

function journal(...entries: JsonObject[]): string {
  return JSON.stringify({
    entries: entries.map((entry, index) => ({
      uuid: `E${index}`,
      creationDate: "2015-08-03T21:30:00Z",
      ...entry,
    })),
  });
}

function textOf(item: SourceItem | undefined): unknown {
  return (item?.members.payload as JsonObject | undefined)?.originalContent;
}

/** The only entry of a journal with some files. */
async function entryWith(
  entry: JsonObject,
  files: Record<string, string> = {},
): Promise<SourceItem> {
  const [item] = (await convert({ "Journal.json": journal(entry), ...files })).items;
  assert(item);
  return item;
}

Deno.test("An entry without anything has its title as text", async () => {
  assertEquals(textOf(await entryWith({ text: "\n" })), "2015-08-03");
  assertEquals(textOf(await entryWith({ text: "", starred: true })), "Details\nStarred: yes");
  const lost = await entryWith({ tags: ["Lake"], photos: [{ identifier: "1", md5: "gone" }] });
  assertEquals(textOf(lost), "2015-08-03");
  assertEquals([lost.members.tags, lost.members.attachments], [["Lake"], ["photos/gone"]]);
});

Deno.test("Entry addresses a file that a later journal lists", async () => {
  const files = {
    "One/A.json": journal({ text: "See ![](dayone-moment:/photo/ab-1) and dayone-x://NONE" }),
    "Two/B.json": journal({ text: "x", photos: [{ identifier: "AB1", md5: "m", title: "Hut" }] }),
    "Two/photos/m.png": "m",
  };
  const [item] = (await convert(files)).items;
  assertEquals(
    textOf(item),
    "See ![](attachment:Two/photos/m.png) and dayone-x://NONE\n\nDetails\nJournal: A",
  );
  assertEquals(item?.members.attachments, ["Two/photos/m.png"]);
  assertEquals(item?.filenames?.get("Two/photos/m.png"), "Hut.png");
  assertEquals(item?.rules, ["attachment.missing"]);
});

Deno.test("File that an entry lists may lie with another journal", async () => {
  const photos = [{ identifier: "AB1", md5: "m" }, { identifier: "CD2", md5: "gone" }];
  const [first, second] = [journal({ text: "x", photos }), journal({ text: "y", photos })];
  const files = { "One/Journal.json": first, "Two/Journal.json": second, "Two/photos/m.png": "m" };
  const [item] = (await convert(files)).items;
  assertEquals(textOf(item), "x\n\n![](attachment:Two/photos/m.png)");
  assertEquals(item?.members.attachments, ["Two/photos/m.png", "photos/gone"]);
});

Deno.test("Files that an entry does not address follow its text in the order of its lists", async () => {
  const entry = {
    text: "Day\n",
    starred: true,
    pdfAttachments: [{ identifier: "4", pdfName: "A [b].PDF" }],
    audios: [{ identifier: "3", title: "Song" }, { md5: "5" }, { identifier: "6" }],
    photos: [{ identifier: "2", md5: "gone" }, { identifier: "1", filename: "IMG/1.JPG" }],
  };
  const item = await entryWith(entry, {
    "photos/1.jpeg": "1",
    "photos/2.png": "2",
    "audios/3.m4a": "3",
    "pdfs/4.pdf": "4",
    "audios/5.m4a": "5",
  });
  assertEquals(
    textOf(item),
    "Day\n\n![](attachment:photos/2.png)\n![](attachment:photos/1.jpeg)\n" +
      "[Song.m4a](attachment:audios/3.m4a)\n[5.m4a](attachment:audios/5.m4a)\n" +
      "[A \\[b\\].PDF](attachment:pdfs/4.pdf)\n\nDetails\nStarred: yes",
  );
  assertEquals(item.members.attachments, [
    "photos/2.png",
    "photos/1.jpeg",
    "audios/3.m4a",
    "audios/5.m4a",
    "audios/6",
    "pdfs/4.pdf",
  ]);
  assertEquals([...item.filenames ?? []], [
    ["photos/1.jpeg", "1.JPG"],
    ["audios/3.m4a", "Song.m4a"],
    ["pdfs/4.pdf", "A [b].PDF"],
  ]);
});

Deno.test("Rich text gives the words of an entry without a text", async () => {
  const line = (text: string, style: JsonObject) => ({ text, attributes: { line: style } });
  const embedded = (...objects: JsonObject[]) => ({ embeddedObjects: objects });
  const contents = [
    line("The ", { header: 2 }),
    line("lake\n", { header: 2 }),
    { text: "\nWe swam." },
    embedded({ type: "photo", identifier: "1" }, { type: "audio", identifier: "2" }),
    { text: "Then:\n" },
    line("eat\nsleep\n\n", { listStyle: "bulleted", indentLevel: 1 }),
    embedded({ type: "horizontalRuleLine" }, { type: "workout", identifier: "3" }),
    { text: "\nSee " },
    { text: "the map\n", attributes: { linkURL: "https://map.example/" } },
    { text: "https://b.example\n", attributes: { linkURL: "https://b.example" } },
    line("rope\n", { listStyle: "checkbox", checked: true }),
    line("tent\n", { listStyle: "checkbox", checked: false }),
    { text: "End" },
  ];
  const words = "## The lake\n\nWe swam.\n![](dayone-moment://1)\n![](dayone-moment:/audio/2)\n" +
    "Then:\n- eat\n- sleep\n\n---\nSee [the map](https://map.example/)\nhttps://b.example\n" +
    "- [x] rope\n- [ ] tent\nEnd";
  const richText = JSON.stringify({ contents });
  assertEquals(richTextWords(richText), words);
  const item = await entryWith({ text: " \n", richText, audios: [{ identifier: "2" }] }, {
    "audios/2.m4a": "2",
  });
  assertEquals([item.members.title, item.unmapped], ["The lake", []]);
  assertEquals(textOf(item), words.replace("dayone-moment:/audio/2", "attachment:audios/2.m4a"));
});

Deno.test("Rich text without words is counted, and no words of the entry", async () => {
  for (const richText of ["", "{", "[]", '{"contents":[1,{"text":"\\n"}]}', '{"contents":{}}']) {
    const item = await entryWith({ richText });
    assertEquals([textOf(item), item.members.title], ["2015-08-03", "2015-08-03"], richText);
    assertEquals(item.unmapped, richText === "" ? [] : ["richText"]);
  }
});

Deno.test("Zone of an entry is a name or an offset, in any letter case", async () => {
  const times = {
    "gmt+1200": "2015-08-04T09:30:00.000+12:00",
    "UTC-3": "2015-08-03T18:30:00.000-03:00",
    "GMT+5:30": "2015-08-04T03:00:00.000+05:30",
    "+2": "2015-08-03T23:30:00.000+02:00",
    "asia/tokyo": "2015-08-04T06:30:00.000+09:00[Asia/Tokyo]",
  };
  for (const [timeZone, occurredAt] of Object.entries(times)) {
    const { members: { payload }, rules } = await entryWith({ timeZone });
    assertEquals([(payload as JsonObject).occurredAt, rules], [occurredAt, []], timeZone);
  }
  for (const timeZone of ["Mars/Base", "GMT+25", "", 2]) {
    const { members: { payload }, rules } = await entryWith({ timeZone });
    const told = [(payload as JsonObject).occurredAt, rules];
    assertEquals(told, ["2015-08-03T21:30:00.000Z", ["import.zone"]]);
  }
});

Deno.test("Details and counts tell every member of an entry", async () => {
  const item = await entryWith({
    text: "Day",
    location: {
      userLabel: "Home",
      placeName: "Main St 1",
      localityName: "Linz",
      administrativeArea: "Upper Austria",
      country: "Austria",
      latitude: 48.3,
      longitude: -14,
      region: { radius: 75 },
      altitude: 0,
    },
    weather: { temperatureCelsius: 20.6, windBearing: 60 },
    creationDevice: "Phone",
    videos: [{ identifier: "1", width: 2, duration: 1.5 }, { identifier: "2", duration: 3 }, 4],
    userActivity: { stepCount: 3 },
    isPinned: false,
  });
  assertEquals(
    textOf(item),
    "Day\n\nDetails\nPlace: Home, Main St 1, Linz, Upper Austria, Austria\n" +
      "Coordinates: 48.3, -14\nWeather: 21 °C\nDevice: Phone",
  );
  assertEquals(item.unmapped?.toSorted(), [
    "location.region",
    "userActivity",
    "videos",
    "videos.duration",
    "weather.windBearing",
  ]);
});

Deno.test("A title of a file is no path, and its slashes are no part of a filename", async () => {
  const nameOf = async (stated: JsonObject) => {
    const audios = [{ identifier: "1", ...stated }];
    return (await entryWith({ audios }, { "audios/1.m4a": "1" })).filenames?.get("audios/1.m4a");
  };
  assertEquals(await nameOf({ title: "AC/DC 1/2" }), "AC-DC 1-2.m4a");
  assertEquals(await nameOf({ title: "My [talk] \\ now" }), "My [talk] - now.m4a");
  assertEquals(await nameOf({ title: "a/b.m4a" }), "a-b.m4a");
  assertEquals(await nameOf({ filename: "Part 1/2, v. 3" }), "Part 1-2, v. 3.m4a");
  assertEquals(await nameOf({ filename: "C:\\Music\\a.m4a", title: "b" }), "a.m4a");
  assertEquals(await nameOf({ filename: "Music/", title: "\u200eb" }), "b.m4a");
  assertEquals(await nameOf({ filename: "/Music/a" }), "a.m4a");
});

Deno.test("Members of a kind that is not read are counted", async () => {
  const members = `"text":"Day","tags":"one, two","starred":"yes","creationDevice":{"name":"Phone"},
    "weather":{"temperatureCelsius":"hot"},"location":{"latitude":1e999,"longitude":0,"country":1},
    "photos":[{"identifier":"1","title":5}]`;
  const { items: [item] } = await convert(`{"entries":[{${members}}]}`);
  assertEquals([textOf(item), item?.members.tags], ["Day", []]);
  assertEquals(item?.unmapped, [
    "tags",
    "starred",
    "creationDevice",
    "weather.temperatureCelsius",
    "location.latitude",
    "location.country",
    "photos.title",
  ]);
  const mixed = await entryWith({ text: "Day", tags: ["a", 1], location: { latitude: "a" } });
  assertEquals([textOf(mixed), mixed.members.tags], ["Day", ["a"]]);
  assertEquals(mixed.unmapped, ["tags", "location.latitude"]);
});

Deno.test("Details too long for the last part of a text are parts of the text", async () => {
  const creationDevice = "d".repeat(250_000);
  const entry = { uuid: "A", text: "Day", creationDevice };
  const { items } = await convert({ "Journal.json": journal(entry) });
  assertEquals(items.map(({ members: { key } }) => key), ["A", "A#part2", "A#part3"]);
  assertEquals(items.map(textOf).join(""), `Day\n\nDetails\nDevice: ${creationDevice}`);
});

Deno.test("Entry without an identifier has the same key in each file", async () => {
  const [one, other] = [{ uuid: " ", text: "Day", a: 1 }, { a: 1, text: "Day", uuid: " " }];
  const items = [await entryWith(one), await entryWith(other)];
  assertEquals(items[0]?.members.key, items[1]?.members.key);
  assert(/^digest:[0-9a-f]{64}$/.test(String(items[0]?.members.key)));
  assertEquals([items[0]?.rules, (await entryWith({ uuid: 7 })).rules], [
    ["import.key_made"],
    ["import.key_made"],
  ]);
});

Deno.test("Broken journal is refused after its entries, and other JSON is not used", async () => {
  const broken = `${journal({ text: "One" }).slice(0, -2)},`;
  const { items, faults, used } = await convert({ "A.json": broken, "B.json": "{}" });
  assertEquals(items.map(({ entry }) => entry), ["A.json"]);
  assertEquals(faults, [["A.json", "day_one.json"]]);
  assertEquals([...used], ["A.json"]);
  const bare = (await convert(broken)).items;
  assertEquals(bare.map(({ refused }) => refused), [undefined, ["day_one.json"]]);
});
