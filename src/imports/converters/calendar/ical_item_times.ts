/** The times of items of calendars. */

import { readDated } from "../dates.ts";
import type { ComponentDraft } from "./ical_draft.ts";
import { type CalendarTime, type Duration, instantOf, timeAfter } from "./ical_times.ts";

/** Times as their clocks show them; null without one. */
export interface ItemTimes {
  readonly startAt: string | null;
  readonly endAt: string | null;
  readonly timePrecision: "EXACT" | "DAY" | "UNKNOWN";
  /** The day of the start. */
  readonly day: string;
}

const UNKNOWN: ItemTimes = { startAt: null, endAt: null, timePrecision: "UNKNOWN", day: "" };

/** The start and end of an event; a memory has no end. */
export function eventTimes(draft: ComponentDraft, target: "timeline" | "memory"): ItemTimes {
  const start = draft.time("DTSTART");
  if (start === null) {
    draft.rules.add("import.date");
    return UNKNOWN;
  }
  addUnknown(draft, "Time", start);
  const isDay = isDayOf(start);
  return {
    startAt: start.text,
    endAt: target === "timeline" ? endOf(draft, start) : null,
    timePrecision: isDay ? "DAY" : "EXACT",
    day: dayOf(start),
  };
}

/** True if only the day counts: of a date, and of a time in an unknown zone. */
function isDayOf({ isDate, unknown }: CalendarTime): boolean {
  return isDate || unknown !== null;
}

function addUnknown(draft: ComponentDraft, name: string, { unknown }: CalendarTime): void {
  if (unknown !== null) draft.details.push([name, unknown]);
}

/** The end of a day may still state a time, which the day does not show. */
function timeOfDay({ text, zone }: CalendarTime): string {
  return `${text.slice(11, 16)} (${zone ?? "UTC"})`;
}

function dayOf({ text }: CalendarTime): string {
  return text.slice(0, 10);
}

/** Null without an end after the start. */
function endOf(draft: ComponentDraft, start: CalendarTime): string | null {
  const end = statedEnd(draft, start);
  if (end === null) return null;
  addUnknown(draft, "End", end);
  if (isDayOf(start) && !isDayOf(end)) draft.details.push(["End", timeOfDay(end)]);
  return isDayOf(start) ? lastDay(draft, start, end) : endTime(draft, start, end);
}

function statedEnd(draft: ComponentDraft, start: CalendarTime): CalendarTime | null {
  const end = draft.time("DTEND");
  if (end !== null || start.unknown !== null) return end;
  return afterDuration(draft, start, draft.duration(start.isDate));
}

/** Null without a duration, and for a time after the year 9999. */
function afterDuration(
  draft: ComponentDraft,
  start: CalendarTime,
  duration: Duration | null,
): CalendarTime | null {
  const end = duration === null ? null : timeAfter(start, duration);
  if (duration !== null && end === null) draft.rules.add("import.date");
  return end;
}

function endTime(draft: ComponentDraft, start: CalendarTime, end: CalendarTime): string | null {
  const isDay = end.unknown !== null;
  if (isDay ? dayOf(end) > dayOf(start) : instantOf(end.text) >= instantOf(start.text)) {
    return end.text;
  }
  if (!isDay || dayOf(end) < dayOf(start)) draft.rules.add("import.date");
  return null;
}

/** The midnight of the last day; null for one day. A date as the end is the day after it. */
function lastDay(draft: ComponentDraft, start: CalendarTime, end: CalendarTime): string | null {
  const isWrong = dayOf(end) < dayOf(start);
  if (isWrong) draft.rules.add("import.date");
  const last = end.isDate ? timeAfter(end, { days: -1, milliseconds: 0 }) : end;
  if (isWrong || last === null || dayOf(last) <= dayOf(start)) return null;
  return readDated(dayOf(last), "ISO", start.zone ?? "+00:00")?.text ?? null;
}

/** The due time of a task as its start, and when it was completed as its end. */
export function taskTimes(draft: ComponentDraft, isCompleted: boolean): ItemTimes {
  const due = draft.time("DUE") ?? dueByDuration(draft);
  const completed = isCompleted ? draft.time("COMPLETED") : null;
  if (due !== null) addUnknown(draft, "Time", due);
  return {
    startAt: due?.text ?? null,
    endAt: completed?.text ?? null,
    timePrecision: "EXACT",
    day: due === null ? "" : dayOf(due),
  };
}

/** A task without a due time may state a start and a duration. */
function dueByDuration(draft: ComponentDraft): CalendarTime | null {
  const duration = draft.duration();
  const start = duration === null ? null : draft.time("DTSTART");
  return start === null ? null : afterDuration(draft, start, duration);
}
