/** Calendars: lines, components, keys, times, zones, files and the mapping. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { knownZone } from "../../../../src/core/zones.ts";
import type { JsonObject } from "../../../../src/core/json.ts";
import { ICAL } from "../../../../src/imports/converters/calendar/ical.ts";
import { readDuration } from "../../../../src/imports/converters/calendar/ical_times.ts";
import { zoneOf } from "../../../../src/imports/converters/calendar/ical_zones.ts";
import { zoneOfWindows } from "../../../../src/imports/converters/calendar/windows_zones.ts";
import { convertFile, type Files } from "../../../support/converted_files.ts";

const CALENDAR = "BEGIN:VCALENDAR";

function calendar(...lines: readonly string[]): string {
  return [CALENDAR, "VERSION:2.0", "PRODID:-//T//EN", ...lines, "END:VCALENDAR", ""].join("\r\n");
}

function component(name: string, ...lines: readonly string[]): string {
  return [`BEGIN:${name}`, ...lines, `END:${name}`].join("\r\n");
}

const event = (...lines: readonly string[]) => component("VEVENT", "UID:1", ...lines);
const NOON = "DTSTART:20240301T120000Z";

interface Read {
  readonly items: readonly ReadItem[];
  readonly counts: Readonly<Record<string, number>>;
  readonly groups: Readonly<Record<string, number>>;
}

interface ReadItem {
  readonly members: JsonObject;
  readonly payload: JsonObject;
  readonly rules: readonly string[];
  readonly refused: readonly string[] | undefined;
  readonly unmapped: readonly string[];
}

async function read(file: Files | string, mapping?: JsonObject, chunkBytes = 64): Promise<Read> {
  const { items, ...facts } = await convertFile(ICAL, file, {
    chunkBytes,
    ...mapping !== undefined && { mapping },
  });
  return {
    ...facts,
    items: items.map(({ members, rules = [], refused, unmapped = [] }) => {
      return { members, payload: members.payload as JsonObject, rules, refused, unmapped };
    }),
  };
}

/** The only item of a calendar with one event. */
async function readEvent(lines: readonly string[], mapping?: JsonObject): Promise<ReadItem> {
  const { items: [item, ...others] } = await read(calendar(event(...lines)), mapping);
  assertEquals(others, []);
  if (item === undefined) throw new Error("There is no item");
  return item;
}

Deno.test("An event has its texts, place, times, tags and time of creation", async () => {
  const item = await readEvent([
    "SUMMARY:Lunch\\, with Zoë",
    "DESCRIPTION:Line 1\\nLine 2\\; end",
    "URL:https://example.org/a?b=c",
    "LOCATION:Café\\nMain street 1",
    "DTSTART;TZID=Europe/Berlin:20240301T120000",
    "DTEND;TZID=Europe/Berlin:20240301T133000",
    "CATEGORIES:Food,Family\\, close",
    "CATEGORIES:Food",
    "CREATED:20240101T080000Z",
    "DTSTAMP:20250101T000000Z",
    "LAST-MODIFIED:20250101T000000Z",
    "SEQUENCE:2",
    "STATUS:CONFIRMED",
    "TRANSP:OPAQUE",
    "CLASS:PUBLIC",
    "PRIORITY:0",
  ]);
  assertEquals(item, {
    members: {
      key: "1",
      target: "timeline",
      title: "Lunch, with Zoë",
      payload: {
        eventType: "OTHER",
        eventTitle: "Lunch, with Zoë",
        eventDescription: "Line 1\nLine 2; end\nhttps://example.org/a?b=c",
        timePrecision: "EXACT",
        location: "Café, Main street 1",
        startAt: "2024-03-01T12:00:00.000+01:00[Europe/Berlin]",
        endAt: "2024-03-01T13:30:00.000+01:00[Europe/Berlin]",
      },
      tags: ["Food", "Family, close"],
      attachments: [],
      recordedAt: "2024-01-01T08:00:00.000Z",
    },
    payload: item.payload,
    rules: [],
    refused: undefined,
    unmapped: [],
  });
});

Deno.test("What no rule reads is counted once by name", async () => {
  const { unmapped, members } = await readEvent([
    "DTSTART:20240301T120000Z",
    "ATTENDEE;CN=A:mailto:a@example.org",
    "ATTENDEE;CN=B:mailto:b@example.org",
    "ATTACH:https://example.org/a.pdf",
    "GEO:1;2",
    "CLASS:PRIVATE",
    "PRIORITY:5",
    "X-EMPTY:",
    "SUMMARY:First",
    "SUMMARY:Second",
    "DURATION:soon",
    "BEGIN:VALARM",
    "TRIGGER:-PT5M",
    "END:VALARM",
  ]);
  assertEquals(members.title, "First");
  const names = "ATTACH ATTENDEE CLASS DURATION GEO PRIORITY SUMMARY VALARM";
  assertEquals(unmapped.toSorted(), names.split(" "));
});

Deno.test("Lines end with CRLF, LF or CR, are folded within a character, and have a mark", async () => {
  const text = calendar(
    event("SUMMARY:Zoë and", NOON, "", 'DESCRIPTION;;ALTREP="a:b;c":Te', " xt"),
  );
  const bytes = new TextEncoder().encode(`\ufeff\r\n${text}`);
  const at = bytes.indexOf(0xc3);
  const inside = new TextEncoder().encode("\r\n ");
  const folded = new Uint8Array([...bytes.slice(0, at + 1), ...inside, ...bytes.slice(at + 1)]);
  const utf16 = new Uint8Array(
    Uint16Array.from(
      `\ufeff${text}`,
      (unit) => unit.charCodeAt(0),
    ).buffer,
  );
  const forms = [text, text.replaceAll("\r", ""), text.replaceAll("\r\n", "\r"), folded, utf16];
  for (const form of forms) {
    const source = typeof form === "string" ? new TextEncoder().encode(form) : form;
    for (const chunkBytes of [1, 4096]) {
      const { items: [item] } = await read({ "a.ics": source }, undefined, chunkBytes);
      assertEquals([item?.members.title, item?.payload.eventDescription], ["Zoë and", "Text"]);
    }
  }
});

Deno.test("Lines that are not properties are counted", async () => {
  const { items, counts } = await read(calendar(event("no property", NOON), "END:VTODO"));
  assertEquals(items.length, 1);
  assertEquals(counts, { "ical.line": 2 });
});

Deno.test("A component without its END is refused alone", async () => {
  const { items, counts } = await read(
    [CALENDAR, "BEGIN:VEVENT", "UID:1", event("UID:2", NOON), "BEGIN:VTODO", "UID:3"].join("\n"),
  );
  assertEquals(items.map(({ members, refused }) => [members.key, refused?.[0]]), [
    ["1", "ical.end"],
    ["1", undefined],
    ["3", "ical.end"],
  ]);
  assertEquals(counts, {});
  assertEquals((await read(`${CALENDAR}\n${event(NOON)}`)).counts, { "ical.end": 1 });
});

Deno.test("A component over 4 MiB, or in another encoding, is refused alone", async () => {
  const long = `DESCRIPTION:${"a".repeat(4 * 1024 * 1024)}`;
  const { items } = await read(calendar(event(long), event("UID:2", NOON)), undefined, 65_536);
  assertEquals(items.map(({ refused }) => refused), [["import.item_size"], undefined]);
  const latin1 = Uint8Array.from(calendar(event("SUMMARY:Zo\xeb")), (unit) => unit.charCodeAt(0));
  assertEquals((await read({ "a.ics": latin1 })).items[0]?.refused, ["text.utf8"]);
});

Deno.test("Other components are counted by name", async () => {
  const zone = component("VTIMEZONE", "TZID:A", component("STANDARD", "TZOFFSETTO:+0100"));
  const { items, counts } = await read(
    calendar(zone, component("VFREEBUSY", "UID:1"), component("X-THING", event(NOON))),
  );
  assertEquals([items, counts], [[], { VFREEBUSY: 1, VTIMEZONE: 1, "X-THING": 1 }]);
});

Deno.test("Keys are UIDs, with the occurrence that is replaced", async () => {
  const { items } = await read(calendar(
    event(NOON),
    event(NOON, "RECURRENCE-ID;TZID=Europe/Berlin:20240301T130000"),
    component("VEVENT", NOON, "DTSTAMP:20240101T000000Z"),
  ));
  const [plain, changed, without] = items.map(({ members }) => members.key);
  assertEquals([plain, changed], ["1", "1;20240301T130000"]);
  // The time of the export does not count.
  const later = calendar(component("VEVENT", "DTSTAMP:20250101T000000Z", NOON));
  assertEquals((await read(later)).items[0]?.members.key, without);
});

Deno.test("Of two versions the higher SEQUENCE counts, then the later", async () => {
  const { items, counts } = await read(calendar(
    event(NOON, "SUMMARY:B", "SEQUENCE:2"),
    event(NOON, "SUMMARY:A", "SEQUENCE:1"),
    event(NOON, "SUMMARY:C", "SEQUENCE:2"),
    component("VTODO", "UID:1", "SUMMARY:D"),
    component("VTODO", "DTSTAMP:20240101T000000Z", "UID:1", "SUMMARY:D"),
  ));
  assertEquals(items.map(({ members }) => members.title), ["C", "D"]);
  assertEquals(counts, { "ical.superseded": 2, "item.repeated": 1 });
});

Deno.test("Entries of Org have keys of their content", async () => {
  const org = (id: string, now: string) =>
    calendar(
      "PRODID:-//Zoë//Emacs with Org mode//EN",
      component("VEVENT", `UID:TS1-${id}`, "DTSTART;VALUE=DATE:20240301", "SUMMARY:Birthday"),
      component(
        "VEVENT",
        `UID:TS2-${id}`,
        "DTSTART;VALUE=DATE:20240301",
        "RRULE:FREQ=YEARLY",
        "SUMMARY:Birthday",
      ),
      component("VEVENT", `UID:TS3-${id}`, "DTSTART;VALUE=DATE:20240302", "SUMMARY:Birthday"),
      component("VTODO", `UID:TODO-${id}`, `DTSTART:${now}`, "SUMMARY:Call"),
    );
  const first = await read(org("a", "20240301T101500"));
  const second = await read(org("b", "20250301T101500"));
  assertEquals(first.counts["ical.superseded"], 1);
  assertEquals(first.items.map(({ members }) => members.title), ["Birthday", "Birthday", "Call"]);
  assertEquals(
    first.items.map(({ members }) => members.key),
    second.items.map(({ members }) => members.key),
  );
  assert(first.items.every(({ members }) => String(members.key).startsWith("org:")));
});

Deno.test("Entries of the service's own calendars are refused", async () => {
  const uid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  const refused = async (id: string) =>
    (await read(calendar(component("VEVENT", `UID:${id}`, NOON)))).items[0]?.refused;
  assertEquals(await refused(`${uid}-COMMITMENT@prs`), ["import.own"]);
  assertEquals(await refused(`${uid}-DATE-2024@prs`), ["import.own"]);
  assertEquals(await refused("lunch@prs"), undefined);
});

/** Start, end, precision and rules of an event. */
async function timesOf(lines: readonly string[], mapping?: JsonObject): Promise<unknown[]> {
  const { payload, rules } = await readEvent(lines, mapping);
  return [payload.timePrecision, payload.startAt ?? null, payload.endAt ?? null, ...rules];
}

const DAY = "DTSTART;VALUE=DATE:20240301";
const MIDNIGHT = "2024-03-01T00:00:00.000+00:00";

Deno.test("The end of a day is the day after it", async () => {
  assertEquals(await timesOf([DAY]), ["DAY", MIDNIGHT, null]);
  for (const end of ["DTEND;VALUE=DATE:20240302", "DTEND:20240301", "DURATION:P1D"]) {
    assertEquals(await timesOf([DAY, end]), ["DAY", MIDNIGHT, null], end);
  }
  const days = ["DAY", MIDNIGHT, "2024-03-03T00:00:00.000+00:00"];
  for (const end of ["DTEND;VALUE=DATE:20240304", "DURATION:P3D", "DTEND:20240303T100000Z"]) {
    assertEquals(await timesOf([DAY, end]), days, end);
  }
  assertEquals(await timesOf([DAY, "DTEND;VALUE=DATE:20240229"]), [
    "DAY",
    MIDNIGHT,
    null,
    "import.date",
  ]);
});

Deno.test("Hours after a date are counted", async () => {
  for (const [duration, counted] of [["PT1H", ["DURATION"]], ["PT24H", []]] as const) {
    assertEquals((await readEvent([DAY, `DURATION:${duration}`])).unmapped, counted);
  }
});

Deno.test("The form of a value decides whether it is a date", async () => {
  assertEquals(await timesOf(["DTSTART:20240301"]), ["DAY", MIDNIGHT, null]);
  assertEquals(await timesOf(["DTSTART;VALUE=DATE:20240301T000000"]), ["DAY", MIDNIGHT, null]);
  const time = ["EXACT", "2024-03-01T20:00:00.000Z", null];
  assertEquals(await timesOf(["DTSTART;VALUE=DATE:20240301T200000Z"]), time);
});

Deno.test("A duration has days of the calendar and exact hours", async () => {
  const start = "DTSTART;TZID=Europe/Berlin:20240330T120000";
  const before = "2024-03-30T12:00:00.000+01:00[Europe/Berlin]";
  const ends = {
    P1D: "2024-03-31T12:00:00.000+02:00[Europe/Berlin]",
    PT24H: "2024-03-31T13:00:00.000+02:00[Europe/Berlin]",
    P1W: "2024-04-06T12:00:00.000+02:00[Europe/Berlin]",
    PT0S: before,
  };
  for (const [duration, end] of Object.entries(ends)) {
    const times = await timesOf([start, `DURATION:${duration}`]);
    assertEquals(times, ["EXACT", before, end], duration);
  }
  assertEquals(await timesOf([start, "DURATION:-PT1H"]), ["EXACT", before, null, "import.date"]);
  assertEquals(readDuration("+P1DT2H3M4S"), { days: 1, milliseconds: 7_384_000 });
  for (const text of ["", "P", "PT", "P1", "PT1", "1D", "P1H"]) {
    assertEquals(readDuration(text), null);
  }
});

Deno.test("The first line may be indented", async () => {
  const { items, counts } = await read(`\r\n  ${calendar(event(NOON, "SUMMARY:Swim"))}`);
  assertEquals([items.map(({ members }) => members.title), counts], [["Swim"], {}]);
});

Deno.test("A leap second is the one before it", async () => {
  const time = ["EXACT", "2016-12-31T23:59:59.000Z", null];
  assertEquals(await timesOf(["DTSTART:20161231T235960Z"]), time);
});

Deno.test("A time that cannot be read leaves the date open", async () => {
  for (const start of ["DTSTART:20241301T000000Z", "DTSTART:soon", "DTSTART:"]) {
    assertEquals(await timesOf([start]), ["UNKNOWN", null, null, "import.date"], start);
  }
  const { rules, members } = await readEvent([NOON, "CREATED:00001231T000000Z"]);
  assertEquals([rules, "recordedAt" in members], [["import.date"], false]);
  const end = await timesOf([NOON, "DTEND:20240301T110000Z"]);
  assertEquals(end, ["EXACT", "2024-03-01T12:00:00.000Z", null, "import.date"]);
});

Deno.test("A skipped time moves forward, and a repeated one is the first", async () => {
  const [, skipped] = await timesOf(["DTSTART;TZID=Europe/Berlin:20240331T023000"]);
  assertEquals(skipped, "2024-03-31T03:30:00.000+02:00[Europe/Berlin]");
  const [, repeated] = await timesOf(["DTSTART;TZID=Europe/Berlin:20241027T023000"]);
  assertEquals(repeated, "2024-10-27T02:30:00.000+02:00[Europe/Berlin]");
});

Deno.test("A zone is known by its name, its end, its Windows name, location or only offset", () => {
  const zones = {
    "europe/berlin": "Europe/Berlin",
    "/Europe/Stockholm": "Europe/Stockholm",
    "/freeassociation.sourceforge.net/Tzfile/America/Argentina/Buenos_Aires":
      "America/Argentina/Buenos_Aires",
    "W. Europe Standard Time": "Europe/Berlin",
    "UTC-11": "Etc/GMT+11",
    "custom_Pacific/Fiji": null,
    "(UTC-05:00) Eastern Time (US & Canada)": null,
    "W. Europe": null,
  };
  for (const [id, zone] of Object.entries(zones)) assertEquals(zoneOf(id), zone, id);
  const facts = { location: null, offsets: [] as readonly string[] };
  assertEquals(zoneOf("A", { ...facts, location: "Asia/Tokyo" }), "Asia/Tokyo");
  assertEquals(zoneOf("A", { ...facts, offsets: ["-0330"] }), "-03:30");
  assertEquals(zoneOf("A", { ...facts, offsets: ["+0100", "+0200"] }), null);
});

Deno.test("The runtime knows each zone of the table of Windows names", async () => {
  const path = new URL(
    "../../../../src/imports/converters/calendar/windows_zones.ts",
    import.meta.url,
  );
  const rows = [...(await Deno.readTextFile(path)).matchAll(/^([^=\n/*]+)=(\w+\/[\w/+-]+)`?;?$/gm)];
  assertEquals(rows.length, 139);
  for (const [, name = "", zone = ""] of rows) {
    assertEquals([zoneOfWindows(name.toUpperCase()), knownZone(zone)], [zone, zone]);
  }
});

Deno.test("A time zone may follow its events", async () => {
  const zone = component("VTIMEZONE", "TZID:A\\, B", component("STANDARD", "TZOFFSETTO:+0545"));
  const { items: [item] } = await read(
    calendar(event('DTSTART;TZID="A, B":20240301T100000'), zone),
  );
  assertEquals(item?.payload.startAt, "2024-03-01T10:00:00.000+05:45");
});

Deno.test("A time in an unknown zone is a day, with the time in the details", async () => {
  const { payload, rules } = await readEvent([
    "SUMMARY:Landing",
    'DTSTART;TZID="Mars: Olympus":20240301T100000',
    'DTEND;TZID="Mars: Olympus":20240302T113000',
  ]);
  assertEquals(rules, ["import.zone"]);
  assertEquals(payload.timePrecision, "DAY");
  assertEquals([payload.startAt, payload.endAt], [MIDNIGHT, "2024-03-02T00:00:00.000+00:00"]);
  const details = "Details\nTime: 10:00 (Mars: Olympus)\nEnd: 11:30 (Mars: Olympus)";
  assertEquals(payload.eventDescription, details);
  // The end of a day may state a time, too.
  for (const start of ["DTSTART;TZID=Mars:20240301T100000", DAY]) {
    const end = "DTEND;TZID=Europe/Berlin:20240301T113000";
    const { payload: { eventDescription } } = await readEvent([start, end]);
    assert(String(eventDescription).endsWith("End: 11:30 (Europe/Berlin)"), start);
  }
});

Deno.test("A duration beyond the year 9999 is left out with a rule", async () => {
  const times = await timesOf(["DTSTART:99991231T120000Z", "DURATION:P1D"]);
  assertEquals(times, ["EXACT", "9999-12-31T12:00:00.000Z", null, "import.date"]);
});

Deno.test("A floating time lies in the zone of the calendar, of the mapping, or in UTC", async () => {
  const floating = "DTSTART:20240301T100000";
  const startIn = async (zone: string | null, mapping?: JsonObject) => {
    const own = zone === null ? [] : [`X-WR-TIMEZONE:${zone}`];
    const { items: [item], counts } = await read(calendar(...own, event(floating)), mapping);
    return [item?.payload.startAt, ...item?.rules ?? [], ...Object.keys(counts)];
  };
  const tokyo = { timeZone: "Asia/Tokyo" };
  const inTokyo = "2024-03-01T10:00:00.000+09:00[Asia/Tokyo]";
  assertEquals(await startIn("Europe/Berlin", tokyo), [
    "2024-03-01T10:00:00.000+01:00[Europe/Berlin]",
  ]);
  assertEquals(await startIn(null, tokyo), [inTokyo]);
  assertEquals(await startIn("AEDT", tokyo), [inTokyo, "X-WR-TIMEZONE"]);
  assertEquals(await startIn(null), ["2024-03-01T10:00:00.000+00:00", "import.floating"]);
});

Deno.test("A task has its due time, status and time of completion", async () => {
  const task = async (...lines: readonly string[]) => {
    const { items: [item] } = await read(
      calendar(component("VTODO", "UID:1", "SUMMARY:Pay", ...lines)),
    );
    const { commitmentType: _, ...payload } = item?.payload ?? {};
    return [payload, item?.members.archived ?? false, ...item?.unmapped ?? []];
  };
  const open = { content: "Pay", completionStatus: "OPEN" };
  assertEquals(await task("DUE:20240301T100000Z", "DTSTART:20240201T100000Z"), [
    { ...open, dueAt: "2024-03-01T10:00:00.000Z" },
    false,
    "DTSTART",
  ]);
  assertEquals(await task("DTSTART:20240301T100000Z", "DURATION:PT1H"), [
    { ...open, dueAt: "2024-03-01T11:00:00.000Z" },
    false,
  ]);
  const done = { completionStatus: "COMPLETED", completedAt: "2024-03-02T10:00:00.000Z" };
  assertEquals(await task("STATUS:COMPLETED", "COMPLETED:20240302T100000Z", "DESCRIPTION:Rent"), [
    { content: "Rent", ...done },
    false,
  ]);
  assertEquals(await task("COMPLETED:20240302T100000Z"), [{ content: "Pay", ...done }, false]);
  assertEquals(await task("STATUS:IN-PROCESS", "COMPLETED:20240302T100000Z"), [
    { content: "Pay", completionStatus: "IN_PROGRESS" },
    false,
    "COMPLETED",
  ]);
  assertEquals(await task("STATUS:CANCELLED"), [
    { content: "Pay", completionStatus: "CANCELLED" },
    true,
  ]);
});

Deno.test("A journal is a memory", async () => {
  const { items: [item] } = await read(calendar(
    component("VJOURNAL", "UID:1", DAY, "SUMMARY:Sea", "DESCRIPTION:One", "DESCRIPTION:Two"),
  ));
  assertEquals(item?.members.target, "memory");
  assertEquals(item?.payload, {
    memoryType: "EVENT",
    originalContent: "One\n\nTwo",
    timePrecision: "DAY",
    occurredAt: MIDNIGHT,
  });
});

Deno.test("A series is its first event, with its rule in the details", async () => {
  const { payload, unmapped } = await readEvent([
    NOON,
    "SUMMARY:Yoga",
    "RRULE:FREQ=WEEKLY;COUNT=3",
    "EXDATE:20240308T120000Z",
    "RDATE:20240310T120000Z",
  ]);
  assertEquals(payload.eventDescription, "Details\nRepeats: FREQ=WEEKLY;COUNT=3");
  assertEquals(unmapped.toSorted(), ["EXDATE", "RDATE", "RRULE"]);
});

Deno.test("A long title is the first line of the text", async () => {
  const long = "word ".repeat(50).trim();
  const { payload } = await readEvent([NOON, `SUMMARY:${long}`, "DESCRIPTION:Text"]);
  assertEquals(payload.eventDescription, `${long}\nText`);
  const { members } = await readEvent([NOON, "DESCRIPTION:Text\\nmore"]);
  assertEquals(members.title, "Text");
  assertEquals((await readEvent([NOON])).members.title, "2024-03-01");
});

const PNG = "iVBORw0KGgoAAAANSUhEUg==";

Deno.test("Files inside an event are stored and named at the end of its text", async () => {
  const folded = PNG.replaceAll(/.{5}/g, "$&\r\n ");
  const text = calendar(event(
    NOON,
    "SUMMARY:Files",
    `ATTACH;FMTTYPE=image/png;ENCODING=BASE64;VALUE=BINARY;FILENAME=a.png:${folded}`,
    'ATTACH;VALUE=BINARY;ENCODING=BASE64;X-FILENAME="b;c.txt":QUJD',
    `IMAGE;VALUE=BINARY:${PNG}`,
    "ATTACH:data:text/plain;base64,QUJDRA==",
    "ATTACH;ENCODING=BASE64;FILENAME=bad.bin:%%%",
    "ATTACH;ENCODING=BASE64;FILENAME=cut.bin:QUJDR",
    "RRULE:FREQ=DAILY",
    "BEGIN:VALARM",
    "ATTACH;ENCODING=BASE64;VALUE=BINARY:QUJD",
    "END:VALARM",
  ));
  for (const chunkBytes of [1, 4096]) {
    const { items: [item] } = await convertFile(ICAL, text, { chunkBytes });
    assertEquals(item?.files?.map(({ filename, mediaType, size }) => [filename, mediaType, size]), [
      ["a.png", "image/png", 16],
      ["b;c.txt", "text/plain", 3],
      ["file.txt", "text/plain", 4],
    ]);
    const [picture, ...texts] = item?.files?.map(({ name }) => name) ?? [];
    const lines = ["b;c.txt", "file.txt"].map((name, index) =>
      `[${name}](attachment:${texts[index]})`
    );
    assertEquals(
      (item?.members.payload as JsonObject).eventDescription,
      [`![](attachment:${picture})`, ...lines, "", "Details", "Repeats: FREQ=DAILY"].join("\n"),
    );
    assertEquals(item?.rules, ["attachment.missing"]);
    assertEquals(item?.unmapped, ["RRULE", "VALARM"]);
  }
});

Deno.test("The mapping chooses what becomes of events by calendar", async () => {
  const named = (name: string) =>
    calendar(`X-WR-CALNAME:${name}`, component("VEVENT", `UID:${name}`, NOON));
  const todo = component("VTODO", "UID:2", "SUMMARY:Do");
  const files = {
    "a.ics": named("Work"),
    "b.ics": named("Home"),
    "sub/Third.ics": calendar(event(NOON), todo),
    "d.ics": "BEGIN:VCARD\r\nEND:VCARD",
  };
  const targets = async (mapping?: JsonObject) => {
    const { items, counts } = await read(files, mapping);
    return [items.map(({ members }) => members.target).join(" "), counts];
  };
  assertEquals((await read(files)).groups, { Home: 1, Third: 2, Work: 1 });
  assertEquals(await targets(), ["timeline timeline timeline commitment", {}]);
  assertEquals(await targets({ events: "memory", groups: { Home: "timeline" } }), [
    "memory timeline memory commitment",
    {},
  ]);
  assertEquals(await targets({ events: "leave", groups: { Home: "memory", Third: "leave" } }), [
    "memory",
    { VEVENT: 1, "group.left": 2 },
  ]);
  const check = (mapping: JsonObject) => () =>
    ICAL.mapping?.check(mapping, {
      fieldsOf: () => null,
      columns: null,
      presets: [],
      groups: ["Work"],
      series: [],
    });
  check({ events: "memory", groups: { Work: "leave" }, timeZone: "Asia/Tokyo" })();
  for (const mapping of [{ groups: { Work: "knowledge" } }, { groups: { Home: "leave" } }]) {
    assertThrows(check(mapping));
  }
});
