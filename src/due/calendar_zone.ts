/** Time zones of calendars: changes within a window, local times, and VTIMEZONE. */

import { DAY_MS } from "../core/clock.ts";

/** A change of the offset from UTC. */
interface Change {
  /** The first millisecond of the new offset. */
  readonly at: number;
  /** Offsets in milliseconds. */
  readonly before: number;
  readonly after: number;
}

export interface Zone {
  readonly name: string;
  /** The offset at the start of the window. */
  readonly first: number;
  /** In order of time. */
  readonly changes: readonly Change[];
}

const SECOND_MS = 1000;

/**
 * Finds the changes of a zone's offset, by a binary search within each day.
 *
 * @returns null for UTC, which does not need a VTIMEZONE.
 */
export function readZone(name: string, from: number, until: number): Zone | null {
  if (/^(?:Etc\/)?UTC$/i.test(name)) return null;
  const offsetAt = offsetsOf(name);
  const first = offsetAt(from);
  const changes: Change[] = [];
  let before = first;
  for (let day = from; day < until; day += DAY_MS) {
    const after = offsetAt(day + DAY_MS);
    if (after !== before) changes.push({ at: changeWithin(day, offsetAt), before, after });
    before = after;
  }
  return { name, first, changes };
}

/** Returns the first second of a day with the offset of its end. */
function changeWithin(day: number, offsetAt: (time: number) => number): number {
  let [low, high] = [day, day + DAY_MS];
  const last = offsetAt(high);
  while (high - low > SECOND_MS) {
    const middle = low + Math.floor((high - low) / 2 / SECOND_MS) * SECOND_MS;
    if (offsetAt(middle) === last) high = middle;
    else low = middle;
  }
  return high;
}

/** Returns the offset of a zone at a whole second; both in milliseconds. */
function offsetsOf(name: string): (time: number) => number {
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone: name,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const local = Date.UTC(
      part("year"),
      part("month") - 1,
      part("day"),
      part("hour"),
      part("minute"),
      part("second"),
    );
    return local - time;
  };
}

/**
 * Returns the local form of a time, `20261120T182400`, or null if the clocks show it twice. Clients
 * interpret such a time in two ways, so it must be written in UTC.
 */
export function localForm({ first, changes }: Zone, time: number): string | null {
  const isTwice = changes.some(({ at, before, after }) => {
    const repeated = before - after;
    return repeated > 0 && time >= at - repeated && time < at + repeated;
  });
  if (isTwice) return null;
  const offset = changes.findLast(({ at }) => at <= time)?.after ?? first;
  return basicForm(time + offset);
}

/** Returns a time in milliseconds as `20261120T172400`, without fractions of a second. */
export function basicForm(time: number): string {
  return new Date(time).toISOString().replaceAll(/[-:]|\..*$/g, "");
}

/** The times at which clocks move from one offset to another. */
interface Observance {
  readonly kind: "DAYLIGHT" | "STANDARD";
  readonly from: number;
  readonly to: number;
  /** Within the window. */
  readonly starts: readonly string[];
}

/**
 * Returns the VTIMEZONE as unfolded lines, correct within the window. Each observance also starts
 * long before the window, because some clients fail at times before the start of an observance. The
 * observance at the start of the window has the last of these starts.
 */
export function timeZoneLines(zone: Zone): string[] {
  return [
    "BEGIN:VTIMEZONE",
    `TZID:${zone.name}`,
    ...observancesOf(zone).flatMap(({ kind, from, to, starts }, index) => {
      const beginning = `1970010${index + 1}T000000`;
      return [
        `BEGIN:${kind}`,
        `DTSTART:${beginning}`,
        // ical.js does not read the DTSTART of an observance that has an RDATE.
        ...(starts.length === 0 ? [] : [beginning, ...starts].map((start) => `RDATE:${start}`)),
        `TZOFFSETFROM:${offsetForm(from)}`,
        `TZOFFSETTO:${offsetForm(to)}`,
        `END:${kind}`,
      ];
    }),
    "END:VTIMEZONE",
  ];
}

/** One observance for each pair of offsets. The last one applies at the start of the window. */
function observancesOf({ first, changes }: Zone): Observance[] {
  const [next] = changes;
  // If the clocks are put back next, the window begins in daylight saving time.
  const kind = next !== undefined && next.after < next.before ? "DAYLIGHT" : "STANDARD";
  const pairs = Map.groupBy(changes, ({ before, after }) => `${before} ${after}`);
  const all = Array.from(pairs.values(), (same): Observance => {
    const [{ before, after } = { before: first, after: first }] = same;
    return {
      kind: after > before ? "DAYLIGHT" : "STANDARD",
      from: before,
      to: after,
      starts: same.map(({ at }) => basicForm(at + before)),
    };
  });
  const beginning = all.find((each) => each.kind === kind && each.to === first) ??
    { kind, from: kind === "DAYLIGHT" ? next?.after ?? first : first, to: first, starts: [] };
  return [...all.filter((each) => each !== beginning), beginning];
}

/** Returns an offset as `+0100`. Today's offsets are whole minutes. */
function offsetForm(offset: number): string {
  const minutes = Math.abs(offset) / 60_000;
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(minutes / 60)}${two(minutes % 60)}`;
}
