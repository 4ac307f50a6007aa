/// <reference types="../../../src/console/web/logic/types.d.ts" />

/** Lines that make tasks, promises and routines. */

import { assertEquals } from "@std/assert";
import { at, made, read, show } from "../../support/add_line.ts";

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
