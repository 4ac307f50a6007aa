/// <reference types="../../../src/console/web/logic/types.d.ts" />

/** Lines of each kind, and the records that they make. */

import { assert, assertEquals } from "@std/assert";
import de from "../../../src/console/web/lang/de/add_line.js";
import deLabels from "../../../src/console/web/lang/de/labels/index.js";
import en from "../../../src/console/web/lang/en/add_line.js";
import { ADDED_KINDS, label } from "../../../src/console/web/core/names.js";
import { problemSentence, shownParts } from "../../../src/console/web/logic/add_line/shown.js";
import { understand } from "../../../src/console/web/logic/add_line/understand.js";
import { seededRandom } from "../../support/random.ts";

const ZONE = "Europe/Berlin";
/** Saturday, 28 November 2026, 12:00. */
const NOW = Date.parse("2026-11-28T12:00:00+01:00");
const TODAY = Date.parse("2026-11-28");
const UUID = "5f0e5cf8-0000-4000-8000-000000000000";

const SENTENCES: Readonly<Record<LineLanguage, Readonly<Record<string, string>>>> = { en, de };
const LABELS: Readonly<Record<string, string>> = deLabels;
const LOCALES = { en: "en-US", de: "de-DE" };

interface Options {
  readonly at?: string;
  readonly zone?: string;
  readonly kept?: readonly string[];
  readonly measure?: { kind: string; unit?: string };
}

function nameOf(language: LineLanguage): (name: string) => string {
  return (name) => language === "en" ? label(name) : LABELS[name] ?? name;
}

function read(
  language: LineLanguage,
  list: string,
  text: string,
  { at, zone = ZONE, kept = [], measure }: Options = {},
): Understood {
  const now = at === undefined ? NOW : Date.parse(at);
  return understand(list, text, {
    language,
    locale: LOCALES[language],
    now,
    zone,
    kept,
    measure,
    label: nameOf(language),
    uuid: () => UUID,
  });
}

function show(language: LineLanguage, understood: Understood, today = TODAY): string {
  const t = (name: string, values: Readonly<Record<string, string | number>> = {}) =>
    (SENTENCES[language][name] ?? name).replace(
      /\{(\w+)\}/g,
      (_, key) => String(values[key] ?? ""),
    );
  const options = { t, label: nameOf(language), locale: LOCALES[language], today };
  return shownParts(understood, options).map(({ text }) => text).join(" · ");
}

/** The first payload or body. */
// deno-lint-ignore no-explicit-any
function made({ records: [first] }: Understood): any {
  return first?.body.payload ?? first?.body;
}

const at = (local: string, offset = "+01:00") => `${local}:00.000${offset}[${ZONE}]`;

/** Row, list and language, text, title, due local time, text of the parts. */
type Planned = readonly [string, string, string, string | null, string];

/** Rows 1 to 21 of the table. */
const PLANS: readonly Planned[] = [
  ["en action", "Buy paint tomorrow", "Buy paint", "2026-11-29T23:59", "tomorrow, Sun, Nov 29"],
  [
    "en action",
    "Call Maria on Friday at 3 pm",
    "Call Maria",
    "2026-12-04T15:00",
    "Fri, Dec 4, 3:00 PM",
  ],
  ["en action", "15:30 dentist", "dentist", "2026-11-28T15:30", "today, 3:30 PM"],
  ["en action", "9:00 water plants", "water plants", "2026-11-29T09:00", "tomorrow, 9:00 AM"],
  [
    "en action",
    "Renew passport by 12 March",
    "Renew passport",
    "2027-03-12T23:59",
    "Fri, Mar 12, 2027",
  ],
  ["en action", "Pay rent in 3 days", "Pay rent", "2026-12-01T23:59", "Tue, Dec 1"],
  ["en action", "Pay rent in 2 weeks", "Pay rent", "2026-12-12T23:59", "Sat, Dec 12"],
  ["en action", "Pay rent next week", "Pay rent", "2026-11-30T23:59", "Mon, Nov 30"],
  ["en action", "Pay rent 2027-05-31", "Pay rent", "2027-05-31T23:59", "Mon, May 31, 2027"],
  ["en action", "Sort photos saturday", "Sort photos", "2026-12-05T23:59", "Sat, Dec 5"],
  ["de action", "Farbe kaufen morgen", "Farbe kaufen", "2026-11-29T23:59", "morgen, So., 29. Nov."],
  [
    "de action",
    "Zahnarzt am 12.3. um 9:30",
    "Zahnarzt",
    "2027-03-12T09:30",
    "Fr., 12. März 2027, 09:30",
  ],
  [
    "de action",
    "Maria anrufen übermorgen 15 Uhr",
    "Maria anrufen",
    "2026-11-30T15:00",
    "Mo., 30. Nov., 15:00",
  ],
  ["de action", "Steuer bis 31. Mai 2027", "Steuer", "2027-05-31T23:59", "Mo., 31. Mai 2027"],
  ["de action", "Steuer in 2 Wochen", "Steuer", "2026-12-12T23:59", "Sa., 12. Dez."],
  ["de action", "Steuer nächste Woche", "Steuer", "2026-11-30T23:59", "Mo., 30. Nov."],
  ["en action", "Read 1984", "Read 1984", null, "no date"],
  ["en action", "Read the Friday report", "Read the Friday report", null, "no date"],
  ["en action", "Slides for Monday", "Slides for Monday", null, "no date"],
  ["en action", "Lunch next Friday", "Lunch next Friday", null, "no date"],
  ["en action", "Pay 3/12", "Pay 3/12", null, "no date"],
  ["en action", "Version 2.0", "Version 2.0", null, "no date"],
  ["en action", "Report 31 February", "Report 31 February", null, "no date"],
  ["en action", "Sat in the sun", "Sat in the sun", null, "no date"],
  ["de action", "Guten Morgen sagen", "Guten Morgen sagen", null, "kein Datum"],
  ["de action", "Arzt heute morgen", "Arzt heute morgen", null, "kein Datum"],
  ["de action", "Buy paint tomorrow", "Buy paint tomorrow", null, "kein Datum"],
  [
    "en commitment",
    "Return the ladder to Jonas until Friday",
    "Return the ladder to Jonas",
    "2026-12-04T23:59",
    "Fri, Dec 4",
  ],
];

Deno.test("Tasks and promises are read as the table states", () => {
  for (const [where, text, title, due, shown] of PLANS) checkPlan(where, text, title, due, shown);
});

function checkPlan(...[where, text, title, due, shown]: Planned): void {
  const [language = "en", list = ""] = where.split(" ") as [LineLanguage, string];
  const found = read(language, list, text);
  const time = due === null
    ? null
    : at(due, due < "2027-03-28" || due > "2027-10-31" ? "+01:00" : "+02:00");
  const { actionTitle, content, targetDate = null, dueAt = null } = made(found);
  assertEquals(found.title, title, text);
  assertEquals(actionTitle ?? content, title, text);
  assertEquals(targetDate ?? dueAt, time, text);
  assertEquals(show(language, found), shown, text);
}

Deno.test("A task and a promise have the members that their modules require", () => {
  assertEquals(read("en", "action", "Buy paint tomorrow").records, [{
    path: "/api/v2/records/action",
    body: {
      title: "Buy paint",
      payload: {
        actionType: "TASK",
        actionTitle: "Buy paint",
        actionStatus: "PLANNED",
        successCriteria: "Buy paint",
        targetDate: "2026-11-29T23:59:00.000+01:00[Europe/Berlin]",
      },
    },
  }]);
  assertEquals(read("en", "commitment", "Return the ladder to Jonas until Friday").records, [{
    path: "/api/v2/records/commitment",
    body: {
      title: "Return the ladder to Jonas",
      payload: {
        commitmentType: "OUTGOING",
        content: "Return the ladder to Jonas",
        completionStatus: "OPEN",
        dueAt: "2026-12-04T23:59:00.000+01:00[Europe/Berlin]",
      },
    },
  }]);
});

/** Own cases, counted from 28 November 2026, 12:00. */
const MORE_PLANS: readonly Planned[] = [
  // Places of a date, and words next to it
  ["en action", "Tomorrow buy paint", "buy paint", "2026-11-29T23:59", "tomorrow, Sun, Nov 29"],
  ["en action", "Tomorrow: buy paint", "buy paint", "2026-11-29T23:59", "tomorrow, Sun, Nov 29"],
  ["en action", "BUY PAINT TOMORROW", "BUY PAINT", "2026-11-29T23:59", "tomorrow, Sun, Nov 29"],
  ["en action", "Buy paint, tomorrow", "Buy paint", "2026-11-29T23:59", "tomorrow, Sun, Nov 29"],
  ["en action", "Buy paint tomorrow!", "Buy paint", "2026-11-29T23:59", "tomorrow, Sun, Nov 29"],
  ["en action", "Buy paint – tomorrow", "Buy paint", "2026-11-29T23:59", "tomorrow, Sun, Nov 29"],
  [
    "en action",
    "  Buy   paint   tomorrow  ",
    "Buy   paint",
    "2026-11-29T23:59",
    "tomorrow, Sun, Nov 29",
  ],
  ["en action", "Meet Jo at 3 pm on Friday", "Meet Jo", "2026-12-04T15:00", "Fri, Dec 4, 3:00 PM"],
  ["en action", "On Friday call Maria", "call Maria", "2026-12-04T23:59", "Fri, Dec 4"],
  ["en action", "15:30 dentist tomorrow", "dentist", "2026-11-29T15:30", "tomorrow, 3:30 PM"],
  ["en action", "Friday report by Monday", "Friday report", "2026-11-30T23:59", "Mon, Nov 30"],
  ["en action", "tomorrow", "tomorrow", null, "no date"],
  ["en action", "tomorrow 3 pm", "tomorrow 3 pm", null, "no date"],
  ["en action", "Look at tomorrow", "Look at tomorrow", null, "no date"],
  ["en action", "Yoga every Friday", "Yoga every Friday", null, "no date"],
  ["en action", "Reply to mail from Friday", "Reply to mail from Friday", null, "no date"],
  ["en action", "Monday to Friday clean", "Monday to Friday clean", null, "no date"],
  ["en action", "Yoga 9:00 - 10:00", "Yoga 9:00 - 10:00", null, "no date"],
  ["en action", "Tomorrow morning run", "Tomorrow morning run", null, "no date"],
  ["en action", "Call at 3", "Call at 3", null, "no date"],
  ["en action", "Call 3 pm 4 pm", "Call 3 pm 4 pm", null, "no date"],
  ["en action", "Clean up yesterday", "Clean up yesterday", null, "no date"],
  ["en action", "Fix Friday tomorrow", "Fix Friday tomorrow", null, "no date"],
  ["en action", "Meeting morgen", "Meeting morgen", null, "no date"],
  // Times of day
  ["en action", "Call at 12 am", "Call", "2026-11-29T00:00", "tomorrow, 12:00 AM"],
  ["en action", "Call at 12 pm", "Call", "2026-11-29T12:00", "tomorrow, 12:00 PM"],
  ["en action", "Call at 12:30 pm", "Call", "2026-11-28T12:30", "today, 12:30 PM"],
  ["en action", "Call at 3pm", "Call", "2026-11-28T15:00", "today, 3:00 PM"],
  ["en action", "Call 0:00", "Call", "2026-11-29T00:00", "tomorrow, 12:00 AM"],
  ["en action", "Call 23:59", "Call", "2026-11-28T23:59", "today, 11:59 PM"],
  ["en action", "Call 24:00", "Call 24:00", null, "no date"],
  ["en action", "Call at 13 pm", "Call at 13 pm", null, "no date"],
  ["en action", "Call 9:75", "Call 9:75", null, "no date"],
  ["de action", "Anruf 9.30 Uhr", "Anruf", "2026-11-29T09:30", "morgen, 09:30"],
  ["de action", "Anruf um 15:45 Uhr", "Anruf", "2026-11-28T15:45", "heute, 15:45"],
  ["de action", "Anruf 3 pm", "Anruf 3 pm", null, "kein Datum"],
  // Days
  ["en action", "Wrap gifts today", "Wrap gifts", "2026-11-28T23:59", "today, Sat, Nov 28"],
  ["en action", "Wrap gifts today 9:00", "Wrap gifts", "2026-11-28T09:00", "today, 9:00 AM"],
  [
    "en action",
    "Wrap gifts the day after tomorrow",
    "Wrap gifts",
    "2026-11-30T23:59",
    "Mon, Nov 30",
  ],
  ["en action", "Pay on 28 November", "Pay", "2026-11-28T23:59", "today, Sat, Nov 28"],
  ["en action", "Pay on 27 November", "Pay", "2027-11-27T23:59", "Sat, Nov 27, 2027"],
  ["en action", "Pay November 30th", "Pay", "2026-11-30T23:59", "Mon, Nov 30"],
  ["en action", "Pay on the 1st of December", "Pay", "2026-12-01T23:59", "Tue, Dec 1"],
  ["en action", "Pay March 12, 2027", "Pay", "2027-03-12T23:59", "Fri, Mar 12, 2027"],
  ["en action", "Pay 31 December", "Pay", "2026-12-31T23:59", "Thu, Dec 31"],
  ["en action", "Pay 1 January", "Pay", "2027-01-01T23:59", "Fri, Jan 1, 2027"],
  ["en action", "Pay 29 February", "Pay", "2028-02-29T23:59", "Tue, Feb 29, 2028"],
  ["en action", "Pay 29 February 2027", "Pay 29 February 2027", null, "no date"],
  ["en action", "Pay 2027-02-30", "Pay 2027-02-30", null, "no date"],
  ["en action", "Pay in a week", "Pay", "2026-12-05T23:59", "Sat, Dec 5"],
  ["en action", "Pay in 3 months", "Pay", "2027-02-28T23:59", "Sun, Feb 28, 2027"],
  ["en action", "Pay in 0 days", "Pay in 0 days", null, "no date"],
  ["en action", "Pay 12.3.2027", "Pay 12.3.2027", null, "no date"],
  ["de action", "Zahlen 12.3.2027", "Zahlen", "2027-03-12T23:59", "Fr., 12. März 2027"],
  ["de action", "Zahlen bis 1. Mai", "Zahlen", "2027-05-01T23:59", "Sa., 1. Mai 2027"],
  ["de action", "Zahlen am 31.2.", "Zahlen am 31.2.", null, "kein Datum"],
  ["de action", "Kapitel 12.3", "Kapitel 12.3", null, "kein Datum"],
  ["de action", "Folien für Montag", "Folien für Montag", null, "kein Datum"],
  ["de action", "Essen nächsten Freitag", "Essen nächsten Freitag", null, "kein Datum"],
  // A capital makes a noun of a German word
  ["de action", "Morgen Farbe kaufen", "Farbe kaufen", "2026-11-29T23:59", "morgen, So., 29. Nov."],
  ["de action", "Farbe kaufen Morgen", "Farbe kaufen Morgen", null, "kein Datum"],
  ["de action", "Am Morgen laufen", "Am Morgen laufen", null, "kein Datum"],
  ["de action", "Heute Morgen laufen", "Heute Morgen laufen", null, "kein Datum"],
  ["de action", "Heute Abend Kino", "Heute Abend Kino", null, "kein Datum"],
  ["de action", "MORGEN LAUFEN", "LAUFEN", "2026-11-29T23:59", "morgen, So., 29. Nov."],
  ["de action", "Morgen um 9 Uhr laufen", "laufen", "2026-11-29T09:00", "morgen, 09:00"],
];

Deno.test("Dates stand at one end of a plan, alone, and exist", () => {
  for (const [where, text, title, due, shown] of MORE_PLANS) {
    checkPlan(where, text, title, due, shown);
  }
});

/** Now, zone, text, and the due time. */
const MOVED: readonly (readonly [string, string, string, string])[] = [
  // 2:30 is skipped on 28 March 2027, and occurs twice on 31 October 2027.
  ["2027-03-27T12:00:00+01:00", "Europe/Berlin", "Run 2:30", "2027-03-28T03:30:00.000+02:00"],
  ["2027-10-30T12:00:00+02:00", "Europe/Berlin", "Run 2:30", "2027-10-31T02:30:00.000+02:00"],
  ["2027-03-27T23:59:00+01:00", "Europe/Berlin", "Run tomorrow", "2027-03-28T23:59:00.000+02:00"],
  ["2026-12-31T23:30:00+01:00", "Europe/Berlin", "Run tomorrow", "2027-01-01T23:59:00.000+01:00"],
  ["2026-12-31T23:30:00+01:00", "Europe/Berlin", "Run on Friday", "2027-01-01T23:59:00.000+01:00"],
  ["2028-01-31T12:00:00+01:00", "Europe/Berlin", "Run in 1 month", "2028-02-29T23:59:00.000+01:00"],
  ["2028-02-28T12:00:00+01:00", "Europe/Berlin", "Run in 2 days", "2028-03-01T23:59:00.000+01:00"],
  [
    "2096-03-01T12:00:00+01:00",
    "Europe/Berlin",
    "Run 29 February",
    "2104-02-29T23:59:00.000+01:00",
  ],
  ["2026-11-28T20:00:00Z", "Asia/Tokyo", "Run tomorrow", "2026-11-30T23:59:00.000+09:00"],
  ["2026-11-28T04:00:00Z", "America/St_Johns", "Run today", "2026-11-28T23:59:00.000-03:30"],
  ["2026-11-29T00:00:00+01:00", "Europe/Berlin", "Run 0:00", "2026-11-30T00:00:00.000+01:00"],
  ["2026-11-30T09:00:00+01:00", "Europe/Berlin", "Run next week", "2026-12-07T23:59:00.000+01:00"],
  ["2026-11-29T09:00:00+01:00", "Europe/Berlin", "Run next week", "2026-11-30T23:59:00.000+01:00"],
];

Deno.test("Plans are counted on the device's clock, also when it changes", () => {
  for (const [now, zone, text, due] of MOVED) {
    const { targetDate } = made(read("en", "action", text, { at: now, zone }));
    assertEquals(targetDate, `${due}[${zone}]`, text);
  }
});

Deno.test("A routine repeats after days", () => {
  const cases: readonly [LineLanguage, string, string, number, string][] = [
    ["en", "Water the plants every 4 days", "Water the plants", 4, "every 4 days"],
    ["de", "Fenster putzen alle 2 Wochen", "Fenster putzen", 14, "alle 14 Tage"],
    ["de", "Fenster putzen täglich", "Fenster putzen", 1, "jeden Tag"],
    ["de", "Fenster putzen wöchentlich", "Fenster putzen", 7, "alle 7 Tage"],
    ["de", "Fenster putzen jeden Monat", "Fenster putzen", 30, "alle 30 Tage"],
    ["en", "Call home", "Call home", 7, "every 7 days"],
    ["en", "Stretch daily", "Stretch", 1, "every day"],
    ["en", "Stretch weekly", "Stretch", 7, "every 7 days"],
    ["en", "Stretch every month", "Stretch", 30, "every 30 days"],
    ["en", "Stretch every year", "Stretch", 365, "every 365 days"],
    ["en", "Every 3 days: stretch", "stretch", 3, "every 3 days"],
    ["en", "Stretch every Friday", "Stretch every Friday", 7, "every 7 days"],
    ["en", "Stretch every 0 days", "Stretch every 0 days", 7, "every 7 days"],
    ["en", "Stretch every 20 years", "Stretch every 20 years", 7, "every 7 days"],
    ["en", "daily", "daily", 7, "every 7 days"],
    ["en", "Fenster putzen täglich", "Fenster putzen täglich", 7, "every 7 days"],
    ["en", "Stretch every 1000 days", "Stretch", 1000, "every 1,000 days"],
  ];
  for (const [language, text, title, intervalDays, shown] of cases) {
    const found = read(language, "routine", text);
    const area = language === "en" ? "General" : "Allgemein";
    assertEquals(made(found), { routineName: title, area, intervalDays, active: true }, text);
    assertEquals(found.records[0]?.body.title, title);
    assertEquals(show(language, found), shown, text);
  }
});

/** Language, text, kind, values, unit, local time, notes, shown. */
type Measured = readonly [
  LineLanguage,
  string,
  string,
  readonly number[],
  string,
  string,
  string,
  string,
];
const NOON = "2026-11-28T12:00";

const MEASURES: readonly Measured[] = [
  ["de", "74,3 kg", "WEIGHT", [74.3], "kg", NOON, "", "Gewicht · 74,3 kg"],
  [
    "en",
    "74.3 kg yesterday 7:30",
    "WEIGHT",
    [74.3],
    "kg",
    "2026-11-27T07:30",
    "",
    "Weight · 74.3 kg · yesterday, 7:30 AM",
  ],
  [
    "en",
    "74.3 kg yesterday",
    "WEIGHT",
    [74.3],
    "kg",
    "2026-11-27T12:00",
    "",
    "Weight · 74.3 kg · yesterday, Fri, Nov 27",
  ],
  ["de", "74.3 kg", "WEIGHT", [74.3], "kg", NOON, "", "Gewicht · 74,3 kg"],
  ["de", "10.250 Schritte", "STEPS", [10_250], "steps", NOON, "", "Schritte · 10.250"],
  ["en", "10,250 steps", "STEPS", [10_250], "steps", NOON, "", "Steps · 10,250"],
  ["en", "120/80", "BLOOD_PRESSURE", [120, 80], "mmHg", NOON, "", "Blood pressure · 120/80 mmHg"],
  [
    "en",
    "62 bpm after the run",
    "HEART_RATE",
    [62],
    "bpm",
    NOON,
    "after the run",
    "Heart rate · 62 bpm",
  ],
  ["en", "mood 7", "MOOD", [7], "of 10", NOON, "", "Mood · 7"],
  ["de", "Stimmung 7", "MOOD", [7], "of 10", NOON, "", "Stimmung · 7"],
  ["en", "energy 3", "ENERGY", [3], "of 10", NOON, "", "Energy · 3"],
  ["en", "pain 10", "PAIN", [10], "of 10", NOON, "", "Pain · 10"],
  ["de", "Energie 3", "ENERGY", [3], "of 10", NOON, "", "Energie · 3"],
  ["de", "Schmerz 1", "PAIN", [1], "of 10", NOON, "", "Schmerz · 1"],
  ["de", "Schlaf 7,5 h", "SLEEP_DURATION", [7.5], "h", NOON, "", "Schlafdauer · 7,5 h"],
  ["en", "37.2 °C", "BODY_TEMPERATURE", [37.2], "°C", NOON, "", "Body temperature · 37.2 °C"],
  ["en", "95 mg/dL", "BLOOD_GLUCOSE", [95], "mg/dL", NOON, "", "Blood glucose · 95 mg/dL"],
  ["en", "5.4 mmol/L", "BLOOD_GLUCOSE", [5.4], "mmol/L", NOON, "", "Blood glucose · 5.4 mmol/L"],
  ["en", "165 lb", "WEIGHT", [165], "lb", NOON, "", "Weight · 165 lb"],
  ["en", "oxygen 98 %", "OXYGEN_SATURATION", [98], "%", NOON, "", "Oxygen saturation · 98 %"],
  // More than the table
  ["de", "74,3kg", "WEIGHT", [74.3], "kg", NOON, "", "Gewicht · 74,3 kg"],
  ["en", "Weight: 74.3 KG", "WEIGHT", [74.3], "kg", NOON, "", "Weight · 74.3 kg"],
  ["en", "MOOD 7, a good day", "MOOD", [7], "of 10", NOON, "a good day", "Mood · 7"],
  [
    "en",
    "after the run 62 bpm",
    "HEART_RATE",
    [62],
    "bpm",
    NOON,
    "after the run",
    "Heart rate · 62 bpm",
  ],
  [
    "en",
    "resting heart rate 51",
    "RESTING_HEART_RATE",
    [51],
    "bpm",
    NOON,
    "",
    "Resting heart rate · 51 bpm",
  ],
  [
    "de",
    "Blutdruck 120/80 mmHg heute 8:00",
    "BLOOD_PRESSURE",
    [120, 80],
    "mmHg",
    "2026-11-28T08:00",
    "",
    "Blutdruck · 120/80 mmHg · heute, 08:00",
  ],
  [
    "de",
    "7,5 h Schlaf gestern",
    "SLEEP_DURATION",
    [7.5],
    "h",
    "2026-11-27T12:00",
    "",
    "Schlafdauer · 7,5 h · gestern, Fr., 27. Nov.",
  ],
  [
    "en",
    "74.3 kg on Friday",
    "WEIGHT",
    [74.3],
    "kg",
    "2026-11-27T12:00",
    "",
    "Weight · 74.3 kg · yesterday, Fri, Nov 27",
  ],
  [
    "en",
    "74.3 kg saturday",
    "WEIGHT",
    [74.3],
    "kg",
    "2026-11-21T12:00",
    "",
    "Weight · 74.3 kg · Sat, Nov 21",
  ],
  [
    "en",
    "74.3 kg 12 March",
    "WEIGHT",
    [74.3],
    "kg",
    "2026-03-12T12:00",
    "",
    "Weight · 74.3 kg · Thu, Mar 12",
  ],
  [
    "en",
    "74.3 kg 31 December",
    "WEIGHT",
    [74.3],
    "kg",
    "2025-12-31T12:00",
    "",
    "Weight · 74.3 kg · Wed, Dec 31, 2025",
  ],
  [
    "en",
    "74.3 kg 29 February",
    "WEIGHT",
    [74.3],
    "kg",
    "2024-02-29T12:00",
    "",
    "Weight · 74.3 kg · Thu, Feb 29, 2024",
  ],
  ["en", "7:30 mood 7", "MOOD", [7], "of 10", "2026-11-28T07:30", "", "Mood · 7 · today, 7:30 AM"],
  [
    "en",
    "mood 7 15:30",
    "MOOD",
    [7],
    "of 10",
    "2026-11-27T15:30",
    "",
    "Mood · 7 · yesterday, 3:30 PM",
  ],
  ["en", "mood 7 tomorrow", "MOOD", [7], "of 10", NOON, "tomorrow", "Mood · 7"],
  ["en", "mood 7 2027-05-31", "MOOD", [7], "of 10", NOON, "2027-05-31", "Mood · 7"],
  ["en", "1,234.5 steps", "STEPS", [1234.5], "steps", NOON, "", "Steps · 1,234.5"],
  ["de", "1.234,5 Schritte", "STEPS", [1234.5], "steps", NOON, "", "Schritte · 1.234,5"],
];

Deno.test("A measurement is read with its unit, its notes and its time", () => {
  for (const [language, text, kind, values, unit, time, notes, shown] of MEASURES) {
    const found = read(language, "health", text);
    const kinds = kind === "BLOOD_PRESSURE"
      ? ["BLOOD_PRESSURE_SYSTOLIC", "BLOOD_PRESSURE_DIASTOLIC"]
      : [kind];
    const isSummer = time > "2026-03-29" && time < "2026-10-25";
    assertEquals(
      found.records.map(({ body }) => body.payload),
      kinds.map((metricType, index) => ({
        metricType,
        value: values[index],
        unit,
        measuredAt: at(time, isSummer ? "+02:00" : "+01:00"),
        quality: "SELF_REPORTED",
        ...(notes !== "" && { notes }),
      })),
      text,
    );
    assertEquals(show(language, found), shown, text);
  }
});

Deno.test("The title of a measurement is its kind and its day", () => {
  const titles = (language: LineLanguage, text: string) =>
    read(language, "health", text).records.map(({ body }) => body.title);
  assertEquals(titles("en", "74.3 kg yesterday"), ["Weight, Nov 27, 2026"]);
  assertEquals(titles("de", "74,3 kg"), ["Gewicht, 28.11.2026"]);
  assertEquals(titles("en", "120/80").length, 2);
});

Deno.test("A measurement without a kind is not guessed", () => {
  const cases: readonly [LineLanguage, string, string, string][] = [
    ["en", "74.3", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "98 %", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "mood 11", "From 1 to 10.", "From 1 to 10."],
    ["en", "mood 0", "From 1 to 10.", "From 1 to 10."],
    ["de", "Stimmung 11", "Von 1 bis 10.", "Von 1 bis 10."],
    ["en", "7.5 h", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "weight 74.3", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "weight 62 bpm", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "12 stone", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "a good day", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "Stimmung 7", "Which measurement?", "Say what it is, for example 74.3 kg."],
  ];
  for (const [language, text, shown, refusal] of cases) {
    const found = read(language, "health", text);
    assertEquals([found.records, show(language, found)], [[], shown], text);
    assert(found.problem !== null);
    assertEquals(SENTENCES[language][problemSentence(found.problem)], refusal);
  }
});

Deno.test("A list of one kind gives a number its kind and last unit", () => {
  const one = (text: string, measure: { kind: string; unit?: string }) => {
    const { records: [first] } = read("en", "health", text, { measure });
    const { metricType, value, unit } = first?.body.payload ?? {};
    return [metricType, value, unit];
  };
  assertEquals(one("74.3", { kind: "WEIGHT", unit: "lb" }), ["WEIGHT", 74.3, "lb"]);
  assertEquals(one("74.3", { kind: "WEIGHT" }), [undefined, undefined, undefined]);
  assertEquals(one("62 bpm", { kind: "RESTING_HEART_RATE" }), ["RESTING_HEART_RATE", 62, "bpm"]);
  assertEquals(one("62 bpm", { kind: "WEIGHT", unit: "kg" }), ["HEART_RATE", 62, "bpm"]);
  assertEquals(one("98 %", { kind: "OXYGEN_SATURATION" }), ["OXYGEN_SATURATION", 98, "%"]);
  assertEquals(one("7", { kind: "MOOD", unit: "of 10" }), ["MOOD", 7, "of 10"]);
  assertEquals(one("81", { kind: "CUSTOM", unit: "cm" }), ["CUSTOM", 81, "cm"]);
  assertEquals(
    one("120", { kind: "BLOOD_PRESSURE_SYSTOLIC", unit: "mmHg" })[0],
    "BLOOD_PRESSURE_SYSTOLIC",
  );
});

Deno.test("A measurement of this morning is not ahead of now", () => {
  const found = read("en", "health", "74.3 kg today", { at: "2026-11-28T09:20:40+01:00" });
  assertEquals(made(found).measuredAt, at("2026-11-28T09:20"));
});

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
