/** Programs that read calendars, and the events that they show. */

import { compiled, HERE, inFolder, PACKAGES, PYTHON, run } from "./programs.ts";
import { askThunderbird } from "./thunderbird.ts";

/**
 * Title, start and end, in UTC or as days. The end is null if the program does not show it, and the
 * start is a day if it shows no time.
 */
export type ShownEvent = readonly [title: string, start: string, end: string | null];

/** A time of an event, in milliseconds since 1970. */
export interface Moment {
  readonly zone: string;
  readonly instant: number;
  /** The first of two equal local times. */
  readonly first: number;
  /** Milliseconds until the clocks change. */
  readonly untilChange: number;
  /** True for the end of an hour that the clocks show twice. */
  readonly isEndOfRepeated: boolean;
}

export interface CalendarReader {
  readonly name: string;
  /** As in `versionOf`. */
  readonly package: string;
  readonly read: (calendar: string) => Promise<ShownEvent[]>;
  /** The start that the program shows for a moment; null if it is not compared. */
  readonly shows: (moment: Moment) => string | null;
  /** All zones without it. */
  readonly zones?: readonly string[];
  /** Characters of titles that it shows otherwise. */
  readonly misread: string;
}

/** A program that prints the events of its input as JSON. */
function printer(program: string, ...args: string[]): CalendarReader["read"] {
  return async (input) => JSON.parse(await run(program, args, { input }));
}

const python = (library: string) => printer(PYTHON, `${HERE}calendars.py`, library);
const node = (library: string) => printer("node", `${HERE}calendars.mjs`, PACKAGES ?? "", library);

const written = (instant: number) => new Date(instant).toISOString().replace(".000Z", "Z");
const right = ({ instant }: Moment) => written(instant);
const firstOfTwo = ({ first }: Moment) => written(first);
const firstOfTwoIn = (...zones: readonly string[]) => (moment: Moment) =>
  zones.includes(moment.zone) ? firstOfTwo(moment) : right(moment);

/** Their VTIMEZONE lists the changes. */
const isListed = ({ zone }: Moment) => ["Africa/Casablanca", "Asia/Jerusalem"].includes(zone);

export const CALENDAR_READERS: readonly CalendarReader[] = [
  {
    name: "icalendar",
    package: "python3-icalendar",
    read: python("icalendar"),
    shows: firstOfTwoIn("Europe/Dublin", "Africa/Casablanca"),
    misread: "\\",
  },
  {
    name: "recurring-ical-events",
    package: "python3-recurring-ical-events",
    read: python("recurring_ical_events"),
    shows: firstOfTwoIn("Europe/Dublin", "Africa/Casablanca"),
    misread: "\\",
  },
  {
    name: "libical",
    package: "gir1.2-ical-3.0",
    read: python("libical"),
    shows: right,
    misread: "",
  },
  {
    name: "vobject",
    package: "python3-vobject",
    read: python("vobject"),
    shows: firstOfTwo,
    misread: "",
  },
  {
    name: "ical.js",
    package: "npm:ical.js",
    read: node("ical.js"),
    shows: right,
    misread: "",
  },
  {
    name: "node-ical",
    package: "npm:node-ical",
    read: node("node-ical"),
    shows: right,
    misread: "\\",
  },
  {
    name: "ts-ics",
    package: "npm:ts-ics",
    read: node("ts-ics"),
    // Hours before a change it applies the offset after it, or in London the one before.
    shows: (moment) =>
      isListed(moment) || moment.untilChange < 14 * 3_600_000 ? null : right(moment),
    misread: "",
  },
  {
    name: "sabre",
    package: "php-sabre-vobject",
    // The deprecations of old code are not its output.
    read: printer("php", "-d", "error_reporting=1", `${HERE}calendars.php`),
    shows: firstOfTwoIn("America/New_York", "America/Havana"),
    misread: "\\,;",
  },
  {
    name: "ruby-icalendar",
    package: "ruby-icalendar",
    read: printer("ruby", `${HERE}calendars.rb`),
    shows: (moment) =>
      moment.isEndOfRepeated
        ? written(moment.instant - (moment.zone === "Australia/Lord_Howe" ? 1 : 2) * 1_800_000)
        : firstOfTwo(moment),
    misread: "\\",
  },
  {
    name: "KCalendarCore",
    package: "libkf5calendarcore-dev",
    read: async (input) =>
      JSON.parse(await run(await compiled("calendars.cpp", "CalendarCore"), [], { input })),
    shows: firstOfTwoIn("Europe/Dublin", "Africa/Casablanca"),
    misread: "",
  },
  {
    name: "Emacs",
    package: "emacs-nox",
    read: readByEmacs,
    // It does not know RDATE, and imports an event that ends on another day as whole days.
    shows: (moment) => {
      if (isListed(moment)) return null;
      const [start, end] = [firstOfTwo(moment), written(moment.instant + 15 * 60_000)];
      return start.slice(0, 10) === end.slice(0, 10) ? start : start.slice(0, 10);
    },
    misread: "\\",
  },
  {
    name: "calcurse",
    package: "calcurse",
    read: readByCalcurse,
    // glibc reads the second of two equal local times by the time before it.
    shows: (moment) => moment.first === moment.instant ? right(moment) : null,
    misread: "",
  },
  {
    name: "Thunderbird",
    package: "thunderbird",
    read: (calendar) => askThunderbird("calendar", calendar),
    shows: right,
    // Each start takes 8 s.
    zones: ["Europe/Berlin", "America/New_York", "Asia/Jerusalem"],
    misread: "",
  },
];

const DIARY_TIME = /^&(\d+)\/(\d+)\/(\d+) (\d+:\d+)-(\d+:\d+) (.*)$/;
const DIARY_DAYS = /^&%%\(and \(diary-block (\d+) (\d+) (\d+) .*?\)\) (.*)$/;

function readByEmacs(calendar: string): Promise<ShownEvent[]> {
  return inFolder(async (home) => {
    await Deno.writeTextFile(`${home}/due.ics`, calendar);
    const args = [
      "--batch",
      "-q",
      "--load",
      `${HERE}calendars.el`,
      `${home}/due.ics`,
      `${home}/diary`,
    ];
    await run("emacs", args, { home });
    const lines = (await Deno.readTextFile(`${home}/diary`)).split("\n");
    return lines.filter((line) => line.startsWith("&")).map((line): ShownEvent => {
      const day = (...parts: (string | undefined)[]) =>
        parts.map((part = "") => part.padStart(2, "0")).join("-");
      const [, year, month, date, start, end, title = ""] = DIARY_TIME.exec(line) ?? [];
      if (year !== undefined) {
        const of = day(year, month, date);
        return [title, `${of}T${start}:00Z`, `${of}T${end}:00Z`];
      }
      const [, firstYear, firstMonth, first, block = ""] = DIARY_DAYS.exec(line) ?? [];
      return [block, day(firstYear, firstMonth, first), null];
    });
  });
}

function readByCalcurse(calendar: string): Promise<ShownEvent[]> {
  return inFolder(async (home) => {
    await Deno.writeTextFile(`${home}/due.ics`, calendar);
    await run("calcurse", ["-q", "-D", home, "-i", `${home}/due.ics`], { home });
    const time = "%Y-%m-%dT%H:%M:%SZ";
    const shown = await run("calcurse", [
      "-q",
      "-D",
      home,
      "-Q",
      "--input-datefmt",
      "4",
      "--output-datefmt",
      "%Y-%m-%d",
      "--from",
      "2026-01-01",
      "--to",
      "2038-01-01",
      "--format-apt",
      `%m|%(start:${time})|%(end:${time})\\n`,
      "--format-event",
      "%m\\n",
    ], { home });
    let day = "";
    return shown.split("\n").filter((line) => line !== "").flatMap((line): ShownEvent[] => {
      const [title = "", start, end = null] = line.split("|");
      if (start === undefined && /^\d{4}-\d\d-\d\d:$/.test(line)) day = line.slice(0, 10);
      else return [[title, start ?? day, end]];
      return [];
    });
  });
}
