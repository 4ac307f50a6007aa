/** Tables of products that presets know. */

import { assertEquals, assertThrows } from "@std/assert";
import type { JsonObject } from "../../../../src/core/json.ts";
import { sha256Hex } from "../../../../src/core/digest.ts";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import type { SourceItem } from "../../../../src/imports/converters/converter.ts";
import { CSV } from "../../../../src/imports/converters/csv.ts";
import { recognizeFormat, signsOf } from "../../../../src/imports/converters/signs.ts";
import { inputOf } from "../../../families/relationship/cards.ts";
import { archiveOf, convertFile, type Files } from "../../../support/converted_files.ts";

/** The items of a table by a preset, and the counted names. */
async function read(file: Files | string, preset: string, more: JsonObject = {}) {
  const mapping = { preset, ...more };
  return await convertFile(CSV, file, { mapping, source: "csv:T" });
}

/** The members of items in short: key, title and content. */
function shortOf({ members }: SourceItem): JsonObject {
  const { key = null, title = null, payload, tags, recordedAt } = members;
  const content = Object.fromEntries(
    Object.entries(payload as JsonObject).filter(([name]) => !DULL.has(name)),
  );
  return {
    key,
    title,
    ...content,
    ...Array.isArray(tags) && tags.length > 0 && { tags },
    ...recordedAt !== undefined && { recordedAt },
  };
}

/** Members of a payload that are the same in most items, or repeat the title. */
const DULL: ReadonlySet<string> = new Set(["quality", "memoryType", "sourceTitle"]);

/** Values with their keys, units and times. */
function valuesOf(items: readonly SourceItem[]): readonly string[] {
  return items.map(({ members: { key, payload }, refused }) => {
    if (refused !== undefined) return refused.join();
    const { value, unit, measuredAt, notes = "" } = payload as JsonObject;
    return [`${key} = ${value} ${unit} at ${measuredAt}`, notes].filter((part) => part !== "")
      .join(" | ");
  });
}

async function presetsOf(file: Files | string): Promise<readonly string[]> {
  const archive = typeof file === "string" ? null : await archiveOf(file);
  const bytes = new TextEncoder().encode(typeof file === "string" ? file : "");
  for await (const each of CSV.convert({ ...inputOf(bytes, 7), archive })) {
    if (each.kind === "presets") return each.names;
  }
  return [];
}

Deno.test("A preset knows a table by its header, in any case, and by its first rows", async () => {
  const tables: readonly (readonly [text: string, names: readonly string[]])[] = [
    ["\ufeffFULL_DATE;date; Mood ;activities\n", ["daylio"]],
    ["Date,Run,\n2024-01-02,YES_AUTO,\n", ["loop"]],
    ["Date,Run,Walk,\n2024-01-02,0.2557,0,\n", []],
    ["Date,Run\n2024-01-02,NO\n", []],
    ["Date,Run,\n2024-01-02,7500,\n", ["loop", "values"]],
    ["Book Id,Title,Exclusive Shelf\n", ["goodreads"]],
    ["Title,Read Status,Star Rating,\n", ["storygraph"]],
    ["title,url,time_added,tags,status\n", ["pocket"]],
    ["Highlight,Book Title,Book Author\n", ["readwise"]],
    ["E-mail 1 - Type,E-mail 1 - Value\n", ["google-contacts"]],
    ["First Name,Last Name,E-mail Address\n", ["outlook-contacts"]],
    ["Date,Weight (st)\n", ["withings"]],
    ["Sleep\nStart Time,End Time,Minutes Asleep\n", ["fitbit"]],
    ["Foods\nDate,Calories In\n\nActivities\nDate,Calories Burned,Steps\n", ["fitbit"]],
    ["Start Time,End Time,Minutes Asleep\n", []],
    ["Time,Weight,Change,BMI,Body Fat,\n", ["garmin"]],
    ["day,kg\n3 May 2024,80.5\n", ["values"]],
    ["2024-05-03,80.5\n", ["values"]],
    ["day,kg\nn,80.5\n", []],
    ["day,kg,note\n2024-05-03,80.5,x\n", []],
  ];
  for (const [text, names] of tables) assertEquals(await presetsOf(text), names, text);
  const archive = { "a/weight.csv": "Date,Weight (kg)\n", "b.csv": "url,time_added,status\n" };
  assertEquals(await presetsOf({ ...archive, "c.csv": "A,B\n" }), ["pocket", "withings"]);
});

Deno.test("A header that a preset knows is a sign of a table", async () => {
  const sourceOf = (text: string) => ({ ...inputOf(new TextEncoder().encode(text), 64) });
  const known = "Book Id,Title,Exclusive Shelf\n1,A,read\n";
  assertEquals(await signsOf(sourceOf(known)), ["csv"]);
  assertEquals(await signsOf(sourceOf("A,B\n1,2\n")), []);
  const vault = await archiveOf({ "n.md": "# N", "t.csv": known });
  assertEquals(await recognizeFormat({ ...sourceOf(""), archive: vault }), "csv");
});

Deno.test("Daylio: an entry becomes a memory and its mood", async () => {
  const file = [
    "full_date,date,weekday,time,mood,activities,scales,note_title,note",
    '2026-05-20,May 20,Wednesday,22:13,Rad,run | "late" work,,Morning,"Felt great, rested"',
    "2026-05-19,May 19,Tuesday,10:00 pm,ecstatic,,3,,",
    "2026-05-18,May 18,Monday,,own,,,,x",
    "20th,May 18,Monday,9:00,meh,,,,x",
  ].join("\n");
  const { items, counts } = await read(file, "daylio", {
    timeZone: "Europe/Berlin",
    moods: { Ecstatic: 5, Rad: 4 },
  });
  const zone = "+02:00[Europe/Berlin]";
  assertEquals(items.slice(0, -1).map(shortOf), [
    {
      key: "2026-05-20T22:13",
      title: "Morning",
      originalContent: "Felt great, rested\n\nDetails\nMood: Rad",
      occurredAt: `2026-05-20T22:13:00.000${zone}`,
      timePrecision: "EXACT",
      tags: ["run", '"late" work'],
    },
    {
      key: "2026-05-20T22:13#mood",
      title: "Mood",
      metricType: "MOOD",
      value: 4,
      unit: "of 5",
      measuredAt: `2026-05-20T22:13:00.000${zone}`,
    },
    {
      key: "2026-05-19T22:00",
      title: "ecstatic",
      originalContent: "Details\nMood: ecstatic",
      occurredAt: `2026-05-19T22:00:00.000${zone}`,
      timePrecision: "EXACT",
    },
    {
      key: "2026-05-19T22:00#mood",
      title: "Mood",
      metricType: "MOOD",
      value: 5,
      unit: "of 5",
      measuredAt: `2026-05-19T22:00:00.000${zone}`,
    },
    {
      key: "2026-05-18",
      title: "own",
      originalContent: "x\n\nDetails\nMood: own",
      occurredAt: `2026-05-18T12:00:00.000${zone}`,
      timePrecision: "DAY",
    },
  ]);
  assertEquals(items.at(-1)?.refused, ["csv.date"]);
  assertEquals(counts, { mood: 1, scales: 1 });
});

Deno.test("Loop: check marks and numbers become values, and other words are counted", async () => {
  const files = {
    "Checkmarks.csv": "Date,Meditate,Read,\n2024-01-02,YES_MANUAL,12500,\n2024-01-01,NO,SKIP,\n" +
      "2023-12-31,YES_AUTO,UNKNOWN,\n2023-12-30,2,3,\nsoon,NO,NO,\n",
    "Habits.csv": "Position,Name,Type,Question,Unit,Archived?\n001,Read,NUMERICAL,,pages,false\n",
    "Scores.csv": "Date,Meditate,Read,\n2024-01-02,0.2557,0.0000,\n",
    "001 Meditate/Checkmarks.csv": "Date,Value,Notes\n2024-01-02,YES_MANUAL,\n",
  };
  const { items, counts, used } = await read(files, "loop");
  const [meditate, reading] = ["Meditate", "Read"].map((name) => sha256Hex(name).slice(0, 16));
  assertEquals(valuesOf(items), [
    `2024-01-02:${meditate} = 1 times at 2024-01-02T12:00:00.000+00:00`,
    `2024-01-02:${reading} = 12.5 pages at 2024-01-02T12:00:00.000+00:00`,
    `2023-12-30:${meditate} = 1 times at 2023-12-30T12:00:00.000+00:00`,
    "csv.date",
  ]);
  assertEquals(items[1]?.members.title, "Read");
  assertEquals(counts, { NO: 1, SKIP: 2, UNKNOWN: 1, YES_AUTO: 1 });
  assertEquals([...used].toSorted(), ["Checkmarks.csv", "Habits.csv"]);
});

Deno.test("Goodreads and StoryGraph: a row becomes a book", async () => {
  const goodreads = [
    "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Publisher," +
    "Year Published,Original Publication Year,Date Read,Date Added,Bookshelves," +
    "Bookshelves with positions,Exclusive Shelf,My Review,Private Notes",
    '42,A Wizard,Ursula Ames,"Ames, Ursula",Cy Dane,"=""0123456789""","=""""",4,Tor,' +
    '2012,1968,2020/10/25,2020/10/21,"read, fantasy",fantasy (#1),read,' +
    "Good<br/>and <i>long</i> &amp; 1 < 2,Lent to Ben",
    ',Other,Ann,,,,,0,,,,,soon,,,"constructor",,',
  ].join("\n");
  const { items, counts } = await read(goodreads, "goodreads");
  assertEquals(items.map(shortOf), [
    {
      key: "42",
      title: "A Wizard",
      sourceType: "BOOK",
      url: "isbn:0123456789",
      author: "Ursula Ames, Cy Dane",
      readingStatus: "READ",
      annotation:
        "Good\nand *long* & 1 < 2\n\nLent to Ben\n\nDetails\nRating: 4\nRead: 2020/10/25\nPublished: 1968",
      tags: ["fantasy"],
      recordedAt: "2020-10-21T00:00:00.000Z",
    },
    {
      key: `book:${sha256Hex("Other\nAnn").slice(0, 32)}`,
      title: "Other",
      sourceType: "BOOK",
      url: (items[1]?.members.payload as JsonObject).url ?? null,
      author: "Ann",
      readingStatus: "REFERENCE",
    },
  ]);
  assertEquals(items[1]?.rules, ["import.date"]);
  assertEquals(counts, { Publisher: 1 });
  const storygraph = "Title,Authors,ISBN/UID,Read Status,Date Added,Last Date Read,Moods," +
    "Star Rating,Review,Tags\n" +
    'B,"Ann, Ben",9780520227354,did-not-finish,2021/05/10,2021/06/01,dark,3.75,Long,"a, b"\n';
  const [book] = (await read(storygraph, "storygraph")).items;
  assertEquals(book && shortOf(book), {
    key: "9780520227354",
    title: "B",
    sourceType: "BOOK",
    url: "isbn:9780520227354",
    author: "Ann, Ben",
    readingStatus: "ABANDONED",
    annotation: "Long\n\nDetails\nRating: 3.75\nRead: 2021/06/01",
    tags: ["a", "b"],
    recordedAt: "2021-05-10T00:00:00.000Z",
  });
  assertEquals(book?.unmapped, ["Moods"]);
});

Deno.test("Pocket and Readwise: pages, and the highlights of a book in one record", async () => {
  const pocket = "title,url,time_added,tags,status\n" +
    "Post,https://example.org/p,1700000000,a|b c,unread\n" +
    "https://example.org/q,https://example.org/q,1700000100,,archive\nX,ftp://x,x,,unread\n" +
    "Y,https://example.org/a b,,,unread\n";
  const pages = await read(pocket, "pocket");
  const page = { sourceType: "WEBPAGE" };
  assertEquals(pages.items.slice(0, 2).map(shortOf), [
    {
      ...page,
      key: "https://example.org/p",
      title: "Post",
      url: "https://example.org/p",
      readingStatus: "UNREAD",
      tags: ["a", "b c"],
      recordedAt: "2023-11-14T22:13:20.000Z",
    },
    {
      ...page,
      key: "https://example.org/q",
      title: "example.org",
      url: "https://example.org/q",
      readingStatus: "READ",
      recordedAt: "2023-11-14T22:15:00.000Z",
    },
  ]);
  assertEquals([pages.counts, pages.items[2]?.rules], [{ url: 1 }, ["import.date"]]);
  const [, , , blank] = pages.items.map(shortOf);
  assertEquals([blank?.key, blank?.url], ["https://example.org/a b", "https://example.org/a%20b"]);
  const readwise = [
    "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Location Type,Location," +
    "Highlighted at,Document tags",
    '"One.\nTwo.",Slow,Ann,B00X,Key,yellow,page,12,2020-10-05 10:15:30+00:00,"x,y"',
    "Else,Other,Ben,,,,,,,",
    "Three,Slow,Ann,B00X,,,location,345,2020-10-04 08:00:00+00:00,",
    "Four,Slow,Ann,B00X,,,,,,,more",
  ].join("\n");
  const books = await read(readwise, "readwise");
  assertEquals(books.items.map(({ refused }) => refused ?? null), [["csv.cells"], null, null]);
  const [slow, other] = books.items.slice(1).map(shortOf);
  assertEquals({ ...slow, url: "" }, {
    key: "B00X",
    title: "Slow",
    sourceType: "BOOK",
    url: "",
    author: "Ann",
    readingStatus: "REFERENCE",
    snapshot: "> One.\n> Two.\n\nKey\n\npage 12\n\n> Three\n\nlocation 345",
    tags: ["x", "y"],
    recordedAt: "2020-10-04T08:00:00.000Z",
  });
  assertEquals([other?.sourceType, other?.snapshot], ["OTHER", "> Else"]);
  assertEquals(books.counts, { Color: 1 });
});

Deno.test("Withings: weights, pressures and nights of an archive", async () => {
  const files = {
    "weight.csv": 'Date,"Weight (lb)","Fat mass (lb)",Comments\n' +
      '"2024-01-15 10:30:00",176.4,15.2,after run\n"2016-05-31 6:36 AM",x,,\n',
    "bp.csv": 'Date,"Heart rate",Systolic,Diastolic\n"2025-01-12 08:15:00",64,130,85\n' +
      '"2025-01-13 08:15:00",61,,\n',
    "sleep.csv": 'from,to,"light (s)","deep (s)","rem (s)","awake (s)"\n' +
      "2017-06-14T23:00:00+02:00,2017-06-15T07:00:00+02:00,12600,4200,4810,2400\n",
    "height.csv": 'Date,"Height (m)"\n"2024-01-15 10:30:00",1.8\n',
  };
  const { items, counts, used } = await read(files, "withings");
  assertEquals(valuesOf(items), [
    "WEIGHT:2024-01-15T10:30:00 = 80.01 kg at 2024-01-15T10:30:00.000+00:00" +
    " | As written: 176.4 lb\nafter run",
    "CUSTOM:Fat mass:2024-01-15T10:30:00 = 15.2 lb at 2024-01-15T10:30:00.000+00:00",
    "csv.number",
    "BLOOD_PRESSURE_SYSTOLIC:2025-01-12T08:15:00 = 130 mmHg at 2025-01-12T08:15:00.000+00:00",
    "BLOOD_PRESSURE_DIASTOLIC:2025-01-12T08:15:00 = 85 mmHg at 2025-01-12T08:15:00.000+00:00",
    "HEART_RATE:2025-01-12T08:15:00 = 64 bpm at 2025-01-12T08:15:00.000+00:00",
    "HEART_RATE:2025-01-13T08:15:00 = 61 bpm at 2025-01-13T08:15:00.000+00:00",
    "SLEEP_DURATION:2017-06-15T07:00:00 = 6 h at 2017-06-15T07:00:00.000+02:00" +
    " | As written: 21610 s",
  ]);
  assertEquals(items[1]?.members.title, "Fat mass");
  assertEquals(counts, { "awake (s)": 1 });
  assertEquals(used.has("height.csv"), false);
});

Deno.test("Fitbit: sections after each other; others are counted by name", async () => {
  const file = [
    "Body\nDate,Weight,BMI,Fat",
    '"01-02-2019","154.5","21","0"\n"02-02-2019","N/A","21","0"',
    '\nFoods\nDate,Calories In\n"01-02-2019","2,310"',
    "\nActivities\nDate,Calories Burned,Steps",
    '"01-02-2019","2,310","13,666"',
    "\nSleep\nStart Time,End Time,Minutes Asleep",
    '"2019-02-01 11:05PM","2019-02-02 7:11AM","455"\n"soon","late","1"',
    '\nHeart Rate\nDate,Resting\n"01-02-2019","60"',
    '\nFood Log 20190201\nMeal,Food,Calories\n"Breakfast"\n"","Oatmeal","150"',
  ].join("\n");
  const { items, counts } = await read(file, "fitbit", { dates: "DMY", unit: "lb" });
  assertEquals(valuesOf(items), [
    "WEIGHT:2019-02-01 = 70.08 kg at 2019-02-01T12:00:00.000+00:00 | As written: 154.5 lb",
    "STEPS:2019-02-01 = 13666 steps at 2019-02-01T12:00:00.000+00:00",
    "SLEEP_DURATION:2019-02-02T07:11:00 = 7.58 h at 2019-02-02T07:11:00.000+00:00" +
    " | As written: 455 min",
    "csv.date",
  ]);
  assertEquals(counts, {
    "BMI": 2,
    "Calories Burned": 1,
    "Fat": 2,
    "fitbit.Food Log": 2,
    "fitbit.Foods": 1,
    "fitbit.Heart Rate": 1,
  });
  assertEquals(valuesOf((await read(file, "fitbit")).items)[0], "csv.date");
});

Deno.test("Garmin: weights under the rows of their days, and nights", async () => {
  const weights = "Time,Weight,Change,BMI,Body Fat,\n" +
    '" Jul 18, 2026",\n8:28 AM,80.0 kg,0.5 kg,25.0,18.0 %,\n" 21 Sep 2023",\n' +
    '17:08,176.4 lbs,--,--,--,\n18:00,--,--,--,--,\n19:00,80,--,--,--,\n" Nov 7",\n' +
    '8:00,80.0 kg,--,--,--,\n" 2022 Oct 26",\n5:34 AM,80.0 kg,--,--,--,\n';
  const chosen = await read(weights, "garmin", { units: { WEIGHT: "lb" } });
  assertEquals(valuesOf(chosen.items), [
    "WEIGHT:2026-07-18T08:28:00 = 176.37 lb at 2026-07-18T08:28:00.000+00:00" +
    " | As written: 80 kg",
    "WEIGHT:2023-09-21T17:08:00 = 176.4 lb at 2023-09-21T17:08:00.000+00:00",
    "csv.unit",
    "csv.date",
    "WEIGHT:2022-10-26T05:34:00 = 176.37 lb at 2022-10-26T05:34:00.000+00:00" +
    " | As written: 80 kg",
  ]);
  assertEquals(chosen.counts, { "BMI": 1, "Body Fat": 1, "Change": 1 });
  const nights = "Sleep Score 4 Weeks,Score,Resting Heart Rate,Duration\n" +
    '"Jun 26, 2026",76,52,5h 8min\n2025-11-07,--,--,7h 55min\nNov 6,88,53,7h 55min\n';
  assertEquals(valuesOf((await read(nights, "garmin", { timeZone: "Europe/Berlin" })).items), [
    "SLEEP_DURATION:2026-06-26 = 5.13 h at 2026-06-26T12:00:00.000+02:00[Europe/Berlin]" +
    " | As written: 5h 8min",
    "RESTING_HEART_RATE:2026-06-26 = 52 bpm at 2026-06-26T12:00:00.000+02:00[Europe/Berlin]",
    "SLEEP_DURATION:2025-11-07 = 7.92 h at 2025-11-07T12:00:00.000+01:00[Europe/Berlin]" +
    " | As written: 7h 55min",
    "csv.date",
  ]);
});

Deno.test("Values: two columns become values of the mapping's metric", async () => {
  const plain = '2020-01-02 08:00,176.4\n2020-01-03,"1,234"\n2020-01-04,80 lb\n2020-01-05,80 kg\n';
  const { items } = await read(plain, "values", { metricType: "WEIGHT", unit: "lb" });
  assertEquals(valuesOf(items), [
    "2020-01-02 08:00 = 80.01 kg at 2020-01-02T08:00:00.000+00:00 | As written: 176.4 lb",
    "csv.number",
    "2020-01-04 = 36.29 kg at 2020-01-04T12:00:00.000+00:00 | As written: 80 lb",
    "csv.unit",
  ]);
  const titled = "when,Push-ups\n03/05/2024,20\n\n";
  const custom = { metricType: "CUSTOM", unit: "times", dates: "DMY" };
  const [named] = (await read(titled, "values", custom)).items;
  assertEquals(named && shortOf(named), {
    key: "03/05/2024",
    title: "Push-ups",
    metricType: "CUSTOM",
    value: 20,
    unit: "times",
    measuredAt: "2024-05-03T12:00:00.000+00:00",
  });
  const [own] = (await read(titled, "values", { ...custom, title: "Sport" })).items;
  assertEquals(own?.members.title, "Sport");
});

Deno.test("Google Contacts: columns become details as the lines of a card do", async () => {
  const header = "First Name,Middle Name,Last Name,Nickname,Organization Name,Organization Title," +
    "Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label," +
    "Phone 1 - Value,Address 1 - Label,Address 1 - Formatted,Address 1 - Street," +
    "Address 1 - City,Relation 1 - Label,Relation 1 - Value,Event 1 - Label,Event 1 - Value," +
    "Custom Field 1 - Value\n";
  const rows = "Grace,B,Hopper,Amazing,Navy,Admiral,--03-07,Owns; a café,https://x,Fleet ::: " +
    "* myContacts,* Work,g@navy.example ::: h@navy.example,Work Fax,+1 555 0199,Home," +
    "1 Main St ::: 2 Side St,1 Main St ::: 2 Side St,Arlington,Spouse,Vincent,Anniversary," +
    "2010-05-01,42\n,,,,,,,,,* myContacts,,,,,,,,,,,,,\n";
  const { items, counts } = await read(header + rows, "google-contacts");
  assertEquals(items.map(({ people, members: { target } }) => [target, people]), [
    ["person", { isIdentified: false }],
  ]);
  const detail = (kind: string, value: JsonObject, more: JsonObject = {}) => ({
    kind,
    value,
    ...more,
    privacy: "PRIVATE",
  });
  const [person] = items;
  assertEquals(person && shortOf(person), {
    key: `digest:${
      sha256Hex(
        "N:Hopper;Grace;B;;\nTEL:+1 555 0199\nEMAIL:g@navy.example\nEMAIL:h@navy.example",
      )
    }`,
    title: "Grace Hopper",
    relationshipType: "OTHER",
    importance: 3,
    details: [
      detail("NAME", { family: "Hopper", given: "Grace", additional: "B", nickname: "Amazing" }),
      detail("EMAIL", { value: "g@navy.example", types: ["work"] }, { preferred: true }),
      detail("EMAIL", { value: "h@navy.example", types: ["work"] }),
      detail("PHONE", { value: "+1 555 0199" }, { label: "Work Fax" }),
      // One city cannot belong to two streets.
      detail("ADDRESS", { street: "1 Main St", types: ["home"] }),
      detail("ADDRESS", { street: "2 Side St", types: ["home"] }),
      detail("ORGANIZATION", { name: "Navy", title: "Admiral" }),
      detail("DATE", { what: "ANNIVERSARY", date: "2010-05-01" }, { label: "Anniversary" }),
      detail("LINK", { name: "Vincent", relation: "Spouse" }),
      detail("DATE", { what: "BIRTHDAY", date: "--03-07" }),
    ],
    experiences: [{
      title: "Note",
      timePrecision: "UNKNOWN",
      privacy: "PRIVATE",
      narrative: "Owns; a café",
    }],
    tags: ["Fleet"],
  });
  assertEquals(counts, { "Custom Field 1 - Value": 1, "Photo": 1, "card.empty": 1 });
});

Deno.test("Outlook: phones have the words of their columns as types", async () => {
  const file = "First Name,Last Name,Company,Business Street,Business Street 2,Business City," +
    "Business Country/Region,Business Fax,Business Phone 2,Assistant's Phone,Birthday," +
    "Anniversary,Categories,E-mail Address,E-mail 3 Address,Gender,Spouse\n" +
    "Ben,Hart,Contoso,1 Road,Floor 2,Leeds,UK,+44 1,+44 2,+44 3,10/6/1987,0/0/00,Choir;Work," +
    "ben@contoso.example,b@home.example,Unspecified,Eve\n";
  const { items, counts } = await read(file, "outlook-contacts", { dates: "MDY" });
  const [person] = items;
  const { details = [] } = person?.members.payload as JsonObject;
  const shown = (details as JsonObject[]).map(({ kind, value }) => [kind, value]);
  assertEquals(shown, [
    ["NAME", { family: "Hart", given: "Ben" }],
    ["EMAIL", { value: "ben@contoso.example" }],
    ["EMAIL", { value: "b@home.example" }],
    ["PHONE", { value: "+44 2", types: ["business"] }],
    ["PHONE", { value: "+44 3", types: ["assistant"] }],
    ["PHONE", { value: "+44 1", types: ["business", "fax"] }],
    ["ADDRESS", {
      street: "1 Road\nFloor 2",
      locality: "Leeds",
      country: "UK",
      types: ["business"],
    }],
    ["ORGANIZATION", { name: "Contoso" }],
    ["DATE", { what: "BIRTHDAY", date: "1987-10-06" }],
    ["LINK", { name: "Eve", relation: "spouse" }],
  ]);
  assertEquals(person?.members.tags, ["Choir", "Work"]);
  assertEquals(counts, { Gender: 1 });
  const unclear = (await read(file, "outlook-contacts")).items[0];
  assertEquals(unclear?.rules, ["vcard.date"]);
  const others = (unclear?.members.payload as JsonObject).details as JsonObject[];
  const line = "BDAY:10/6/1987";
  assertEquals(others.flatMap(({ value, lines }) => lines === undefined ? [] : [[value, lines]]), [
    [{ property: "BDAY", value: line }, { version: "3.0", lines: [line] }],
  ]);
});

Deno.test("Rows that cannot be read are refused alone", async () => {
  const file = "title,url,time_added,tags,status\n\nA,https://a.example,,,unread,more\n" +
    '"B"x,https://b.example,,,unread\n\xff,https://c.example,,,unread\n,,,,\n' +
    "D,https://d.example,,,unread,,\n";
  const bytes = Uint8Array.from(file, (character) => character.charCodeAt(0));
  const items: SourceItem[] = [];
  const input = { ...inputOf(bytes, 5), source: "csv:T" };
  for await (const each of CSV.convert({ ...input, mapping: { preset: "pocket" } })) {
    if (each.kind === "item") items.push(each.item);
  }
  assertEquals(items.map(({ members: { key = null }, refused = [] }) => [key, ...refused]), [
    [null, "csv.cells"],
    [null, "csv.quote"],
    [null, "text.utf8"],
    ["https://d.example"],
  ]);
});

Deno.test("A mapping names a preset that knows the file, and what that requires", () => {
  const names = { columns: null, groups: [], series: [], fieldsOf: () => null };
  const check = (mapping: JsonObject, presets: readonly string[] = ["values"]) =>
    CSV.mapping?.check(mapping, { ...names, presets });
  const refused: readonly (readonly [mapping: JsonObject, rule: string])[] = [
    [{ preset: "pocket" }, "mapping.preset"],
    [{ preset: "other" }, "mapping.preset"],
    [{ preset: "values", unit: "kg" }, "field.required"],
    [{ preset: "values", metricType: "WEIGHT", unit: "kg", target: "health" }, "undeclared_field"],
    [{ preset: "values", metricType: "X", unit: "kg" }, "field.option"],
    [{ preset: "values", moods: { good: 6 } }, "field.range"],
    [{ preset: "values", units: { WEIGHT: "g" } }, "mapping.unit"],
    [{ preset: "values", timeZone: "Nowhere" }, "mapping.time_zone"],
    [{ preset: "values", dates: "EXCEL" }, "field.option"],
  ];
  for (const [mapping, rule] of refused) {
    const error = assertThrows(() => check(mapping), ServiceError, undefined, rule);
    assertEquals(error.details.rules, [rule], JSON.stringify(mapping));
  }
  check({ preset: "values", metricType: "WEIGHT", unit: "kg", encoding: "windows-1252" });
  const people = { duplicates: { "digest:1": "maybe" } };
  assertThrows(
    () => check({ preset: "google-contacts", ...people }, ["google-contacts"]),
    ServiceError,
  );
  check({ preset: "google-contacts", categories: { A: { importance: 2 } } }, ["google-contacts"]);
});
