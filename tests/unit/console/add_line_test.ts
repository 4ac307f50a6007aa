/// <reference types="../../../src/console/web/logic/types.d.ts" />

/** Lines of all other kinds, and promises about every line. */

import { assert, assertEquals } from "@std/assert";
import { ADDED_KINDS } from "../../../src/console/web/core/names.js";
import { seededRandom } from "../../support/random.ts";
import { at, made, NOON, read, show, UUID } from "../../support/add_line.ts";

Deno.test("A person has a name, numbers and addresses", () => {
  const phone = (value: string) => ({ kind: "PHONE", value: { value }, privacy: "PRIVATE" });
  const mail = (value: string) => ({ kind: "EMAIL", value: { value }, privacy: "PRIVATE" });
  const cases: readonly [string, string, readonly unknown[]][] = [
    ["Anna 0170 1234567", "Anna", [phone("0170 1234567")]],
    ["Anna Berg +49 (40) 123-456 anna@example.org", "Anna Berg", [
      phone("+49 (40) 123-456"),
      mail("anna@example.org"),
    ]],
    ["Jo 2", "Jo 2", []],
    ["Studio 54", "Studio 54", []],
    ["Anna 1988", "Anna 1988", []],
    ["Anna 12.3.1988", "Anna 12.3.1988", []],
    ["Anna 1988-03-12", "Anna 1988-03-12", []],
    ["Anna 12/3/1988", "Anna 12/3/1988", []],
    ["Studio 54 0170 1234567", "Studio 54", [phone("0170 1234567")]],
    ["Anna 555-123-4567", "Anna", [phone("555-123-4567")]],
    ["Anna 0170 1234567, 040 123456", "Anna", [phone("0170 1234567"), phone("040 123456")]],
    ["Anna 0170 1234567 +49 40 123456", "Anna", [phone("0170 1234567"), phone("+49 40 123456")]],
    ["anna@example.org Anna", "Anna", [mail("anna@example.org")]],
    ["Anna <anna@example.org>", "Anna", [mail("anna@example.org")]],
    ["Anna 12.3.1988 0170 1234567", "Anna 12.3.1988", [phone("0170 1234567")]],
    ["Anna tomorrow", "Anna tomorrow", []],
    ["Anna @ work", "Anna @ work", []],
  ];
  for (const [text, personName, details] of cases) {
    const { records } = read("en", "relationship", text);
    const body = { personName, relationshipType: "OTHER", importance: 3 };
    assertEquals(
      records,
      [{ path: "/api/v2/relationship/people", body, details }] as LineRecord[],
      text,
    );
  }
  const shown = show("en", read("en", "relationship", cases[1]?.[0] ?? ""));
  assertEquals(shown, "+49 (40) 123-456 · anna@example.org");
  const nameless = read("en", "relationship", "0170 1234567");
  assertEquals([nameless.records, show("en", nameless)], [[], "A name is missing."]);
  assertEquals(show("de", read("de", "relationship", "0170 1234567")), "Ein Name fehlt.");
});

/** Language, text, words, precision, moment, shown. */
const MEMORIES: readonly (readonly [LineLanguage, string, string, string, string, string])[] = [
  [
    "en",
    "Swam in the lake yesterday",
    "Swam in the lake yesterday",
    "EXACT",
    NOON,
    "today, 12:00 PM",
  ],
  ["en", "yesterday: Swam in the lake", "Swam in the lake", "DAY", "2026-11-27T00:00", "yesterday"],
  ["en", "summer 1998: The lake", "The lake", "SEASON", "1998-06-01T00:00", "summer 1998"],
  ["en", "1997: The lake", "The lake", "YEAR", "1997-01-01T00:00", "1997"],
  ["en", "June 1997: The lake", "The lake", "MONTH", "1997-06-01T00:00", "June 1997"],
  ["en", "the 1990s: The lake", "The lake", "DECADE", "1990-01-01T00:00", "the 1990s"],
  ["de", "Sommer 1998: Der See", "Der See", "SEASON", "1998-06-01T00:00", "Sommer 1998"],
  ["de", "um 1997: Der See", "um 1997: Der See", "EXACT", NOON, "heute, 12:00"],
  ["en", "Note: buy milk", "Note: buy milk", "EXACT", NOON, "today, 12:00 PM"],
  ["de", "die 1990er: Der See", "Der See", "DECADE", "1990-01-01T00:00", "die 1990er"],
  ["de", "gestern: Im See", "Im See", "DAY", "2026-11-27T00:00", "gestern"],
  ["de", "12.3.: Im See", "Im See", "DAY", "2026-03-12T00:00", "Do., 12. März"],
  ["en", "yesterday 7:30: Swam", "Swam", "EXACT", "2026-11-27T07:30", "yesterday, 7:30 AM"],
  ["en", "yesterday:Swam", "Swam", "DAY", "2026-11-27T00:00", "yesterday"],
  ["en", "today: Swam", "Swam", "DAY", "2026-11-28T00:00", "today"],
  ["en", "Saturday: Swam", "Swam", "DAY", "2026-11-21T00:00", "Sat, Nov 21"],
  ["en", "12 March 2019: Swam", "Swam", "DAY", "2019-03-12T00:00", "Tue, Mar 12, 2019"],
  ["en", "winter 1999: Snow", "Snow", "SEASON", "1999-01-01T00:00", "winter 1998/1999"],
  ["en", "summer 1998/99: Snow", "summer 1998/99: Snow", "EXACT", NOON, "today, 12:00 PM"],
  ["en", "2026: A year", "A year", "YEAR", "2026-01-01T00:00", "2026"],
  ["en", "2027: A year", "2027: A year", "EXACT", NOON, "today, 12:00 PM"],
  ["en", "tomorrow: Swim", "tomorrow: Swim", "EXACT", NOON, "today, 12:00 PM"],
  ["en", "1997:", "1997:", "EXACT", NOON, "today, 12:00 PM"],
  ["en", "7:30 was early", "7:30 was early", "EXACT", NOON, "today, 12:00 PM"],
  ["en", "Sommer 1998: Der See", "Sommer 1998: Der See", "EXACT", NOON, "today, 12:00 PM"],
];

Deno.test("A memory has the time before its colon, else now", () => {
  for (const [language, text, words, timePrecision, time, shown] of MEMORIES) {
    const found = read(language, "memory", text);
    const isSummer = /^(1997|1998|2026)-0[3-9]/.test(time) && time !== "2026-03-12T00:00";
    assertEquals(found.records, [{
      path: "/api/v2/memory/texts",
      body: {
        title: words,
        memoryType: "EVENT",
        originalContent: words,
        occurredAt: at(time, isSummer ? "+02:00" : "+01:00"),
        timePrecision,
      },
    }], text);
    assertEquals(show(language, found), shown, text);
  }
  const lines = read("en", "memory", "yesterday: The lake\nIt was cold. ");
  assertEquals(made(lines).title, "The lake");
  assertEquals(made(lines).originalContent, "The lake\nIt was cold.");
});

Deno.test("An event of a life has its time, or none", () => {
  const event = (eventTitle: string, more: object) => ({
    title: eventTitle,
    payload: { eventType: "OTHER", eventTitle, eventDescription: eventTitle, ...more },
  });
  const body = (text: string) => read("de", "timeline", text).records[0]?.body;
  assertEquals(
    body("2011: Umzug nach Hamburg"),
    event("Umzug nach Hamburg", { timePrecision: "YEAR", startAt: at("2011-01-01T00:00") }),
  );
  assertEquals(body("Umzug"), event("Umzug", { timePrecision: "UNKNOWN" }));
  assertEquals(
    body("2031: Rente"),
    event("Rente", { timePrecision: "YEAR", startAt: at("2031-01-01T00:00") }),
  );
  assertEquals(show("de", read("de", "timeline", "2011: Umzug nach Hamburg")), "2011");
});

Deno.test("A source has an address, or one of its own", () => {
  const source = (text: string) => read("en", "knowledge", text);
  const payload = (title: string, url: string, sourceType: string) => [{
    path: "/api/v2/records/knowledge",
    body: { title, payload: { sourceType, url, sourceTitle: title, readingStatus: "UNREAD" } },
  }];
  const address = "https://example.org/a";
  const web = (title: string) => payload(title, address, "WEBPAGE");
  assertEquals(source(`${address} Sleep and light`).records, web("Sleep and light"));
  assertEquals(source(`Sleep and light ${address}`).records, web("Sleep and light"));
  assertEquals(source(address).records, web("example.org"));
  assertEquals(show("en", source(`${address} Sleep and light`)), "example.org");
  const own = (title: string) => payload(title, `urn:uuid:${UUID}`, "OTHER");
  assertEquals(source("Sleep and light").records, own("Sleep and light"));
  for (const text of ["javascript:alert(1)", "https://", "https://me@example.org/"]) {
    assertEquals(source(text).records, own(text));
  }
});

Deno.test("A decision has a question and options", () => {
  const decision = (text: string) => read("en", "decision", text);
  const found = decision("Where to live? Stay / Go / Wait");
  assertEquals(found.records, [{
    path: "/api/v2/decision/decisions",
    body: { question: "Where to live?", options: { items: ["Stay", "Go", "Wait"] } },
  }]);
  assertEquals(show("en", found), "Stay · Go · Wait");
  const forms: readonly [string, string, readonly string[]][] = [
    ["Where to live?", "Where to live?", []],
    ["Where to live", "Where to live", []],
    ["Where to live? Stay", "Where to live?", ["Stay"]],
    ["Where to live? Stay/Go", "Where to live?", ["Stay/Go"]],
    ["Where to live? Stay / Stay", "Where to live?", ["Stay"]],
    ["Stay / Go", "Stay / Go", []],
  ];
  for (const [text, question, options] of forms) {
    const { records, form } = decision(text);
    assertEquals([records, form], [[], { question, options }], text);
  }
  const last = decision("Really? Where to live? Stay / Go?");
  assertEquals(made(last), {
    question: "Really? Where to live?",
    options: { items: ["Stay", "Go?"] },
  });
});

Deno.test("Places, groups, tags and captures keep the whole text", () => {
  const text = "The bench, 4 pm";
  const bodies = ["place", "community", "taxonomy", "capture"].map((list) => {
    const found = read("en", list, text);
    assertEquals(show("en", found), "");
    return found.records[0];
  });
  assertEquals(bodies, [
    {
      path: "/api/v2/records/place",
      body: { title: text, payload: { placeName: text, placeType: "OTHER" } },
    },
    {
      path: "/api/v2/records/community",
      body: { title: text, payload: { communityName: text, communityType: "OTHER" } },
    },
    { path: "/api/v2/taxonomy/tags", body: { name: text } },
    {
      path: "/api/v2/records/capture",
      body: {
        title: text,
        payload: {
          contentType: "TEXT",
          originalContent: text,
          targetModule: "memory",
          sourceApp: "WEB",
          capturedAt: at(NOON),
          routeStatus: "INBOX",
        },
      },
    },
  ] as LineRecord[]);
});

Deno.test("Nothing is made of an empty line, and no name is too long", () => {
  for (const list of [...ADDED_KINDS, "media", "constructor"]) {
    for (const text of ["", "  \t "]) {
      const { records, problem } = read("en", list, text);
      assertEquals([records, problem], [[], null], list);
    }
  }
  for (const list of ["relationship", "taxonomy", "place", "community", "routine"]) {
    const { records, problem } = read("en", list, "x".repeat(201));
    assertEquals([records, problem], [[], "lineTooLong"], list);
  }
  const task = read("en", "action", `${"x ".repeat(150)}tomorrow`);
  assertEquals(made(task).actionTitle.length, 199);
  assertEquals(made(task).description, "x ".repeat(150).trim());
});

Deno.test("A part that is taken back stays text", () => {
  const cases: readonly [LineLanguage, string, string][] = [
    ["en", "action", "Call Maria on Friday at 3 pm"],
    ["en", "action", "15:30 dentist tomorrow"],
    ["en", "action", "Friday report by Monday"],
    ["en", "routine", "Water the plants every 4 days"],
    ["en", "relationship", "Anna Berg +49 (40) 123-456 anna@example.org"],
    ["en", "memory", "summer 1998: The lake"],
    ["en", "knowledge", "https://example.org/a Sleep"],
  ];
  for (const [language, list, text] of cases) {
    const { parts } = read(language, list, text);
    const kept = parts.flatMap(({ words }) => words ?? []);
    assert(kept.length > 0, text);
    const found = read(language, list, text, { kept });
    assertEquals([found.title, found.parts.filter(({ words }) => words)], [text, []], text);
  }
  const notes = read("en", "health", "62 bpm after the run yesterday", { kept: ["yesterday"] });
  assertEquals(notes.notes, "after the run yesterday");
  const form = read("en", "decision", "Stay? A / B", { kept: ["A / B"] });
  assertEquals(form.form, { question: "Stay? A / B", options: [] });
});

const PIECES = [
  ..."tomorrow|today|on|at|by|3 pm|15:30|9:00|12 March|2027-05-31|Friday|next|week|in 3 days".split(
    "|",
  ),
  ..."morgen|Morgen|am 12.3.|um 9 Uhr|bis|jeden|alle 2 Wochen|every 4 days|daily|kg|74,3|7".split(
    "|",
  ),
  ..."mood|120/80|%|+49 170 123|0170 1234567|a@b.de|1997:|summer 1998:|:|?|/|-|,|.|🙂|x".split("|"),
];

Deno.test("Taking back every part gives the text as typed, whatever is typed", () => {
  const random = seededRandom(58);
  for (let round = 0; round < 500; round++) {
    const text = random.chance(0.2)
      ? random.text(0, 60)
      : Array.from({ length: random.integer(1, 6) }, () => random.pick(PIECES)).join(" ");
    const language = random.pick(["en", "de"] as const);
    for (const list of ADDED_KINDS) {
      const kept: string[] = [];
      let found = read(language, list, text);
      for (let step = 0; step < 9 && found.parts.some(({ words }) => words !== null); step++) {
        kept.push(...found.parts.flatMap(({ words }) => words ?? []));
        found = read(language, list, text, { kept });
      }
      const isUnread = found.problem !== null || found.records.length === 0;
      if (isUnread || list === "health") continue;
      const { title, payload = {}, ...body } = found.records[0]?.body ?? {};
      const whole = payload.description ?? payload.eventDescription ?? payload.annotation ??
        payload.originalContent ?? body.originalContent ?? body.personName ?? body.name ??
        body.question ?? title;
      assertEquals(String(whole).trim(), text.trim(), `${list}: ${JSON.stringify(kept)}`);
    }
  }
});

Deno.test("A text of 20,000 characters is read at once", () => {
  const long = [
    "x".repeat(20_000),
    "x ".repeat(10_000),
    " ".repeat(19_999) + "x",
    "1".repeat(20_000),
    "1 ".repeat(10_000),
    "0 ".repeat(10_000),
    "- ".repeat(10_000),
    "-".repeat(19_990) + " tomorrow",
    "a@".repeat(10_000),
    `a@${".".repeat(20_000)}`,
    ":".repeat(20_000),
    "? / ".repeat(5_000),
    "a / ".repeat(5_000),
    "tomorrow ".repeat(2_200),
    "/".repeat(20_000),
    `https://${"a.".repeat(10_000)}`,
    "1,".repeat(10_000),
  ];
  for (const text of long) {
    const start = performance.now();
    for (const list of ADDED_KINDS) read("en", list, text);
    const ms = performance.now() - start;
    assert(ms < 500, `${text.slice(0, 12)}: ${ms} ms`);
  }
});
