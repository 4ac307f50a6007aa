/** Calendars of due items (RFC 5545, RFC 7986). Equal data gives equal bytes. No SQL, no HTTP. */

import { DAY_MS } from "../core/clock.ts";
import { escapeText, foldLine } from "../core/folded_line.ts";
import { type DueEntry, type DueKind, KINDS } from "./due.ts";
import type { FeedAlarms } from "./feed.ts";
import { basicForm, localDay, localForm, timeZoneLines, type Zone } from "./calendar_zone.ts";

interface CalendarOptions {
  readonly feedId: string;
  readonly name: string;
  /** BUSY shows only the kind of each entry, TITLES also titles and names. */
  readonly detail: "TITLES" | "BUSY";
  readonly alarms: FeedAlarms;
  /** Null if times are in UTC. */
  readonly zone: Zone | null;
  /** True if entries are tasks instead of events. */
  readonly isTodo: boolean;
  /** The public origin, for links to the console. */
  readonly origin: string;
  /** True if entries after the last one are left out. */
  readonly isCut: boolean;
}

const PRODUCT = "-//Personal Records Service//What is due//EN";

/** Summaries of a calendar without titles. */
const BUSY_SUMMARY: Readonly<Record<DueKind, string>> = {
  COMMITMENT: "Commitment due",
  ACTION: "Action due",
  ROUTINE: "Routine due",
  DECISION_REVIEW: "Decision review",
  CONTACT: "Contact due",
  DATE: "Date",
  PROPOSAL: "Proposal ends",
};

/** Prefixes of names, by the kind of the entry or of its date. */
const NAME_PREFIX: Readonly<Partial<Record<string, string>>> = {
  CONTACT: "Contact: ",
  BIRTHDAY: "Birthday: ",
  ANNIVERSARY: "Anniversary: ",
  DEATH: "Day of death: ",
  MET: "Met: ",
  PROPOSAL: "Proposal ends: ",
};

/** Pages of the console by module; other modules have the generic page. */
const PAGES: Readonly<Partial<Record<string, string>>> = {
  decision: "decisions",
  relationship: "people",
};

const DURATION_MS = 15 * 60_000;

export function writeCalendar(entries: readonly DueEntry[], options: CalendarOptions): string {
  const { zone, isCut } = options;
  const name = escapeText(options.name);
  const last = entries.at(-1);
  const written = [
    ...entries.flatMap((entry) => entryLines(entry, options)),
    ...(isCut && last !== undefined ? endLines(last, options) : []),
  ];
  const isZoned = zone !== null && written.some((line) => /^(?:DTSTART|DUE);TZID=/.test(line));
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:${PRODUCT}`,
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ...(isZoned ? timeZoneLines(zone) : []),
    ...written,
    "END:VCALENDAR",
  ].map(foldLine).join("");
}

/** The lines of an entry or of the calendar's end. */
interface Component {
  readonly uid: string;
  /** The entry whose revision it has. */
  readonly entry: DueEntry;
  readonly times: readonly string[];
  /** Escaped. */
  readonly summary: string;
  /** `URL` and alarms. */
  readonly more: readonly string[];
}

function entryLines(entry: DueEntry, options: CalendarOptions): string[] {
  const summary = escapeText(summaryOf(entry, options));
  const alarms = triggersOf(entry, options).flatMap((trigger) => [
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${summary}`,
    `TRIGGER${options.isTodo ? ";RELATED=END" : ""}:${trigger}`,
    "END:VALARM",
  ]);
  return componentLines({
    uid: uidOf(entry),
    entry,
    times: timeLines(entry, options),
    summary,
    more: [`URL:${urlOf(entry, options)}`, ...alarms],
  }, options);
}

/** An entry on the last day, because further ones are left out. */
function endLines(last: DueEntry, options: CalendarOptions): string[] {
  const day = last.date === null ? localDay(options.zone, last.instant) : last.instant;
  return componentLines({
    uid: `${options.feedId}-END@prs`,
    entry: last,
    times: dayLines(day, options),
    summary: "This calendar ends here",
    more: [],
  }, options);
}

function componentLines(
  { uid, entry, times, summary, more }: Component,
  { isTodo }: CalendarOptions,
): string[] {
  const component = isTodo ? "VTODO" : "VEVENT";
  const changed = `${basicForm(entry.changedAt.getTime())}Z`;
  return [
    `BEGIN:${component}`,
    `UID:${uid}`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `SEQUENCE:${entry.sequence}`,
    ...times,
    `SUMMARY:${summary}`,
    "CLASS:PRIVATE",
    isTodo ? "STATUS:NEEDS-ACTION" : "TRANSP:TRANSPARENT",
    ...more,
    `END:${component}`,
  ];
}

function uidOf({ kind, recordId, sourceId, date }: DueEntry): string {
  const year = date === null ? "" : `-${date.slice(0, 4)}`;
  return `${sourceId ?? recordId}-${kind}${year}@prs`;
}

function timeLines({ date, instant }: DueEntry, options: CalendarOptions): string[] {
  if (date !== null) return dayLines(instant, options);
  const { isTodo, zone } = options;
  if (isTodo) return [`DUE${writtenTimes(zone, [instant])[0]}`];
  const [start, end] = writtenTimes(zone, [instant, instant + DURATION_MS]);
  return [`DTSTART${start}`, `DTEND${end}`];
}

/** Times with `TZID`, or all of them in UTC if one needs it. */
function writtenTimes(zone: Zone | null, times: readonly number[]): string[] {
  const local = times.flatMap((time) => zone === null ? [] : localForm(zone, time) ?? []);
  if (zone === null || local.length < times.length) {
    return times.map((time) => `:${basicForm(time)}Z`);
  }
  return local.map((time) => `;TZID=${zone.name}:${time}`);
}

/** A whole day. @param midnight As if it were UTC. */
function dayLines(midnight: number, { isTodo }: CalendarOptions): string[] {
  if (isTodo) return [`DUE;VALUE=DATE:${dayForm(midnight)}`];
  return [
    `DTSTART;VALUE=DATE:${dayForm(midnight)}`,
    `DTEND;VALUE=DATE:${dayForm(midnight + DAY_MS)}`,
  ];
}

function dayForm(instant: number): string {
  return basicForm(instant).slice(0, 8);
}

function summaryOf(entry: DueEntry, { detail }: CalendarOptions): string {
  const { kind, what, title, label, years } = entry;
  if (detail === "BUSY") return BUSY_SUMMARY[kind];
  const prefix = what === "OTHER" ? `${label ?? "Date"}: ` : NAME_PREFIX[what ?? kind] ?? "";
  return `${prefix}${title}${years !== null && years >= 1 ? ` (${years})` : ""}`;
}

function urlOf({ kind, recordId }: DueEntry, { origin }: CalendarOptions): string {
  const { module } = KINDS[kind];
  return `${origin}/console/${PAGES[module] ?? `records/${module}`}/${recordId}`;
}

/** Returns the durations between an entry and its alarms. */
function triggersOf(
  { kind, date }: DueEntry,
  { alarms: { timed, allDay } }: CalendarOptions,
): string[] {
  if (!KINDS[kind].alarm) return [];
  if (date === null) return timed.map((minutes) => minutes === 0 ? "PT0S" : `-PT${minutes}M`);
  if (allDay === null) return [];
  const [hours = 0, minutes = 0] = allDay.split(":").map(Number);
  const parts = [hours > 0 ? `${hours}H` : "", minutes > 0 ? `${minutes}M` : ""].join("");
  return [`PT${parts === "" ? "0S" : parts}`];
}
