/** Time zones of calendars: local times, and VTIMEZONE. */

import { readFormerZone } from "../core/former_zones.ts";
import { changesBetween, knownZone, offsetAt, type OffsetChange } from "../core/zones.ts";
import { offsetText } from "../validate/local_time.ts";

export interface Zone {
  /** As in the feed. */
  readonly name: string;
  /** The offset at the start of the window, in milliseconds. */
  readonly first: number;
  /** Within the window, in order of time. */
  readonly changes: readonly OffsetChange[];
}

/** @returns null for UTC, which does not need a VTIMEZONE. */
export function readZone(name: string, from: number, until: number): Zone | null {
  if (/^(?:Etc\/)?UTC$/i.test(name)) return null;
  const zone = knownZone(name);
  if (zone === null) return { name, ...readFormerZone(name, from, until) };
  return { name, first: offsetAt(zone, from), changes: changesBetween(zone, from, until) };
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
  return offsetText(Math.trunc(offset / 60_000)).replace(":", "");
}
