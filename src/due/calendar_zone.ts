/** Time zones of calendars: local times, and VTIMEZONE. Times and offsets are in milliseconds. */

import { DAY_MS } from "../core/clock.ts";
import { formerZone } from "../core/former_zones.ts";
import { knownZone, type OffsetChange, offsetsOf } from "../core/zones.ts";
import { offsetText } from "../validate/local_time.ts";
import { momentIn, readYearlyChanges, type YearlyChange } from "./yearly_change.ts";

/** Years of changes that a VTIMEZONE follows, after the current one. */
const YEARS_AHEAD = 10;
/** The year in which observances start. Some clients fail at times before all starts. */
const FIRST_YEAR = 1970;

export interface Zone {
  /** As in the feed. */
  readonly name: string;
  readonly offsetAt: (time: number) => number;
  /** The VTIMEZONE's offset before its changes. */
  readonly first: number;
  /** The two changes of every year; empty if the years differ, or have none. */
  readonly yearly: readonly YearlyChange[];
  /** The changes of years that differ, in order of time. */
  readonly changes: readonly OffsetChange[];
}

/**
 * Reads a zone whose VTIMEZONE is the same for the whole year.
 *
 * @returns null for UTC, which does not need a VTIMEZONE.
 */
export function readZone(name: string, now: number): Zone | null {
  if (/^(?:Etc\/)?UTC$/i.test(name)) return null;
  const known = knownZone(name);
  const offsets = known === null ? formerZone(name) : offsetsOf(known);
  const year = new Date(now).getUTCFullYear();
  const [start, end] = [Date.UTC(year, 0, 1), Date.UTC(year + YEARS_AHEAD + 1, 0, 1)];
  const changes = offsets.changesBetween(start, end);
  const yearly = readYearlyChanges(changes, YEARS_AHEAD + 1);
  const zone = { name, offsetAt: offsets.offsetAt, first: offsets.offsetAt(start), changes: [] };
  if (yearly !== null || changes.length === 0) return { ...zone, yearly: yearly ?? [] };
  const before = Date.UTC(year - 1, 0, 1);
  return {
    ...zone,
    first: offsets.offsetAt(before),
    yearly: [],
    changes: offsets.changesBetween(before, end),
  };
}

/**
 * Returns the local form of a time, `20261120T182400`, or null if it must be written in UTC: the
 * VTIMEZONE has another offset then, or the clocks show the same local time again.
 *
 * The second of two equal local times has a local form, and the first has none: RFC 5545 reads such
 * a time as the first, and most programs read it as the second.
 */
export function localForm(zone: Zone, time: number): string | null {
  const changes = changesAround(zone, time);
  const stated = changes.findLast(({ at }) => at <= time)?.after ?? zone.first;
  const isRepeated = changes.some(({ at, before, after }) =>
    time < at && time >= at - (before - after)
  );
  return stated === zone.offsetAt(time) && !isRepeated ? basicForm(time + stated) : null;
}

/** The changes that the VTIMEZONE states, in order; of yearly ones those of the years around. */
function changesAround({ yearly, changes }: Zone, time: number): readonly OffsetChange[] {
  if (yearly.length === 0) return changes;
  const year = new Date(time).getUTCFullYear();
  return [year - 1, year, year + 1].flatMap((each) =>
    yearly.map((change) => {
      const { before, after } = change;
      return { at: momentIn(each, change) - before, before, after };
    })
  ).sort((one, other) => one.at - other.at);
}

/** Returns the local midnight before a time, as if it were UTC. */
export function localDay(zone: Zone | null, time: number): number {
  const local = time + (zone?.offsetAt(time) ?? 0);
  return Math.floor(local / DAY_MS) * DAY_MS;
}

/** Returns a time as `20261120T172400`, without fractions of a second. */
export function basicForm(time: number): string {
  return new Date(time).toISOString().replaceAll(/[-:]|\..*$/g, "");
}

/** The times at which clocks move from one offset to another. */
interface Observance {
  readonly kind: "DAYLIGHT" | "STANDARD";
  readonly from: number;
  readonly to: number;
  /** `DTSTART`, and `RRULE` or `RDATE`. */
  readonly starts: readonly string[];
}

/** Returns the VTIMEZONE as unfolded lines. */
export function timeZoneLines(zone: Zone): string[] {
  const observances = zone.yearly.length === 0 ? listedObservances(zone) : yearlyObservances(zone);
  return [
    "BEGIN:VTIMEZONE",
    `TZID:${zone.name}`,
    ...observances.flatMap(({ kind, from, to, starts }) => [
      `BEGIN:${kind}`,
      ...starts,
      `TZOFFSETFROM:${offsetForm(from)}`,
      `TZOFFSETTO:${offsetForm(to)}`,
      `END:${kind}`,
    ]),
    "END:VTIMEZONE",
  ];
}

const DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

function yearlyObservances({ yearly }: Zone): Observance[] {
  return yearly.map((change) => {
    const { month, nth, weekday, before, after } = change;
    return {
      kind: after > before ? "DAYLIGHT" : "STANDARD",
      from: before,
      to: after,
      starts: [
        `DTSTART:${basicForm(momentIn(FIRST_YEAR, change))}`,
        `RRULE:FREQ=YEARLY;BYMONTH=${month + 1};BYDAY=${nth}${DAYS[weekday]}`,
      ],
    };
  });
}

/** One observance for each pair of offsets. The last start of 1970 applies before all changes. */
function listedObservances({ first, changes }: Zone): Observance[] {
  const [next] = changes;
  // If the clocks are put back next, the first offset is daylight saving time.
  const kind = next !== undefined && next.after < next.before ? "DAYLIGHT" : "STANDARD";
  const pairs = Map.groupBy(changes, ({ before, after }) => `${before} ${after}`);
  const all = Array.from(pairs.values(), (same) => {
    const [{ before, after } = { before: first, after: first }] = same;
    return {
      kind: after > before ? "DAYLIGHT" as const : "STANDARD" as const,
      from: before,
      to: after,
      dates: same.map(({ at }) => basicForm(at + before)),
    };
  });
  const beginning = all.find((each) => each.kind === kind && each.to === first) ??
    { kind, from: kind === "DAYLIGHT" ? next?.after ?? first : first, to: first, dates: [] };
  const ordered = [...all.filter((each) => each !== beginning), beginning];
  return ordered.map(({ dates, ...observance }, index) => {
    const beginning = `${FIRST_YEAR}010${index + 1}T000000`;
    // ical.js does not read the DTSTART of an observance that has an RDATE.
    const listed = dates.length === 0 ? [] : [beginning, ...dates].map((date) => `RDATE:${date}`);
    return { ...observance, starts: [`DTSTART:${beginning}`, ...listed] };
  });
}

/** Returns an offset as `+0100`. Today's offsets are whole minutes. */
function offsetForm(offset: number): string {
  return offsetText(Math.trunc(offset / 60_000)).replace(":", "");
}
