/** Calendars of due items (RFC 5545, RFC 7986). Equal data gives equal bytes. No SQL, no HTTP. */

import { DAY_MS } from "../core/clock.ts";
import { escapeText, foldLine } from "../core/folded_line.ts";
import { type DueEntry, type DueKind, KINDS } from "./due.ts";
import type { FeedAlarms } from "./feed.ts";
import { basicForm, localForm, timeZoneLines, type Zone } from "./calendar_zone.ts";

interface CalendarOptions {
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
  PROPOSAL: "Proposal ends: ",
};

/** Pages of the console by module; other modules have the generic page. */
const PAGES: Readonly<Partial<Record<string, string>>> = {
  decision: "decisions",
  relationship: "people",
};

export function writeCalendar(entries: readonly DueEntry[], options: CalendarOptions): string {
  const { zone } = options;
  const name = escapeText(options.name);
  const isZoned = zone !== null &&
    entries.some(({ date, instant }) => date === null && localForm(zone, instant) !== null);
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:${PRODUCT}`,
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ...(isZoned ? timeZoneLines(zone) : []),
    ...entries.flatMap((entry) => entryLines(entry, options)),
    "END:VCALENDAR",
  ].map(foldLine).join("");
}

function entryLines(entry: DueEntry, options: CalendarOptions): string[] {
  const { isTodo } = options;
  const component = isTodo ? "VTODO" : "VEVENT";
  const summary = escapeText(summaryOf(entry, options));
  const changed = `${basicForm(entry.changedAt.getTime())}Z`;
  return [
    `BEGIN:${component}`,
    `UID:${uidOf(entry)}`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `SEQUENCE:${(entry.revision ?? 1) - 1}`,
    ...timeLines(entry, options),
    `SUMMARY:${summary}`,
    "CLASS:PRIVATE",
    isTodo ? "STATUS:NEEDS-ACTION" : "TRANSP:TRANSPARENT",
    `URL:${urlOf(entry, options)}`,
    ...triggersOf(entry, options).flatMap((trigger) => [
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      `DESCRIPTION:${summary}`,
      `TRIGGER${isTodo ? ";RELATED=END" : ""}:${trigger}`,
      "END:VALARM",
    ]),
    `END:${component}`,
  ];
}

function uidOf({ kind, recordId, sourceId, date }: DueEntry): string {
  const year = date === null ? "" : `-${date.slice(0, 4)}`;
  return `${sourceId ?? recordId}-${kind}${year}@prs`;
}

function timeLines({ date, instant }: DueEntry, { isTodo, zone }: CalendarOptions): string[] {
  const name = isTodo ? "DUE" : "DTSTART";
  if (date === null) {
    const local = zone === null ? null : localForm(zone, instant);
    const time = zone === null || local === null
      ? `${name}:${basicForm(instant)}Z`
      : `${name};TZID=${zone.name}:${local}`;
    return isTodo ? [time] : [time, "DURATION:PT15M"];
  }
  const day = `${name};VALUE=DATE:${dayForm(instant)}`;
  return isTodo ? [day] : [day, `DTEND;VALUE=DATE:${dayForm(instant + DAY_MS)}`];
}

function dayForm(instant: number): string {
  return basicForm(instant).slice(0, 8);
}

function summaryOf({ kind, what, title }: DueEntry, { detail }: CalendarOptions): string {
  return detail === "BUSY" ? BUSY_SUMMARY[kind] : `${NAME_PREFIX[what ?? kind] ?? ""}${title}`;
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
