/** The last line of a TZif file, such as `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX, RFC 9636). */

import { DAY_MS } from "./clock.ts";

/** Offsets that repeat each year. Times and offsets: milliseconds. */
export interface FooterRule {
  offsetAt(time: number): number;
  /** Every time after `from`, up to and including `until`, at which a part of the rule starts. */
  startsBetween(from: number, until: number): number[];
}

interface Start {
  readonly at: number;
  readonly offset: number;
}

const NAME = "(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)";
const TIME = String.raw`[+-]?\d{1,3}(?::[0-5]\d){0,2}`;
const DAY = String.raw`(J\d{1,3}|\d{1,3}|M\d{1,2}\.[1-5]\.[0-6])(?:/(${TIME}))?`;
const FOOTER = new RegExp(`^${NAME}(${TIME})(?:${NAME}(${TIME})?,${DAY},${DAY})?$`);

const HOUR_MS = 60 * 60 * 1000;
const MAX_RULE_HOURS = 167;

/** @throws SyntaxError if the text is not such a line. */
export function readFooter(text: string): FooterRule {
  const [match, standardText = "", daylightText, startDay, startTime, endDay, endTime] =
    FOOTER.exec(text) ?? [];
  if (match === undefined) throw new SyntaxError("The zone file is broken: footer");
  const standard = -duration(standardText, 24);
  if (startDay === undefined || endDay === undefined) return constantRule(standard);
  const daylight = daylightText === undefined ? standard + HOUR_MS : -duration(daylightText, 24);
  const start = yearly(startDay, startTime);
  const end = yearly(endDay, endTime);
  return yearlyRule((year) => [
    { at: start(year) - standard, offset: daylight },
    { at: end(year) - daylight, offset: standard },
  ]);
}

function constantRule(offset: number): FooterRule {
  return { offsetAt: () => offset, startsBetween: () => [] };
}

function yearlyRule(startsOf: (year: number) => readonly Start[]): FooterRule {
  const startsOfYears = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => startsOf(first + index)).flat()
      // Daylight saving time all year ends and starts at the same instant: the start applies.
      .sort((one, other) => one.at - other.at);
  let asked: { year: number; starts: readonly Start[] } = { year: NaN, starts: [] };
  return {
    offsetAt(time) {
      const year = yearOf(time);
      // A start may be a week after its year.
      if (year !== asked.year) asked = { year, starts: startsOfYears(year - 2, year + 1) };
      return asked.starts.findLast(({ at }) => at <= time)?.offset ?? 0;
    },
    startsBetween(from, until) {
      if (from >= until) return [];
      const times = startsOfYears(yearOf(from) - 1, yearOf(until) + 1).map(({ at }) => at);
      return [...new Set(times)].filter((at) => from < at && at <= until);
    },
  };
}

/** Returns the local time of a rule such as `M3.5.0/2` in a year, as if it were UTC. */
function yearly(day: string, time = "2"): (year: number) => number {
  const after = duration(time, MAX_RULE_HOURS);
  const [first = 0, week = 0, weekday = 0] = day.replace(/^[JM]/, "").split(".").map(Number);
  const [kind] = day;
  const [min, max] = kind === "M" ? [1, 12] : kind === "J" ? [1, 365] : [0, 365];
  if (first < min || first > max) throw new SyntaxError("The zone file is broken: day");
  return (year) => {
    if (kind === "M") return dayOfWeek(year, first, week, weekday) + after;
    if (kind !== "J") return dayOf(year, 1, 1 + first) + after;
    // Counted without 29 February.
    const isLater = first > 59;
    return dayOf(year, isLater ? 3 : 1, isLater ? first - 59 : first) + after;
  };
}

/** Returns a weekday's first to fourth day in a month; the fifth is the last. */
function dayOfWeek(year: number, month: number, week: number, weekday: number): number {
  const first = dayOf(year, month, 1);
  const daysToIt = (weekday - new Date(first).getUTCDay() + 7) % 7;
  const found = first + (daysToIt + (week - 1) * 7) * DAY_MS;
  return found < dayOf(year, month + 1, 1) ? found : found - 7 * DAY_MS;
}

function dayOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function yearOf(time: number): number {
  return new Date(time).getUTCFullYear();
}

/** Returns the milliseconds of a text such as `-3:30`. */
function duration(text: string, maxHours: number): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[+-]/, "").split(":").map(Number);
  if (hours > maxHours) throw new SyntaxError("The zone file is broken: hours");
  const amount = hours * HOUR_MS + minutes * 60_000 + seconds * 1000;
  return text.startsWith("-") ? -amount : amount;
}
