import { DAY_MS } from "../../core/clock.ts";
import { changesBetween, instantOf, instantsOf, offsetAt } from "../../core/zones.ts";
import { knownZoneOf, offsetOf } from "../../validate/local_time.ts";
import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP, startOfDay } from "../../validate/timestamp.ts";
import type { TimePrecision } from "./memory.ts";

/** Precisions of whole months: their number, and how many months before a January one begins. */
const MONTH_UNITS = {
  MONTH: { months: 1, before: 0 },
  SEASON: { months: 3, before: 1 },
  YEAR: { months: 12, before: 0 },
  DECADE: { months: 120, before: 0 },
} as const;

/** The time from `from` up to, but not including, `to`; never empty. */
interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

interface StatedTime {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Determines when days, months and years begin; null for UTC. */
  readonly clock: string | null;
  /** If null, the precision is `EXACT`. */
  readonly timePrecision: TimePrecision | null;
}

/**
 * Derives the range of a stated time (decisions, Memory): the millisecond, day, month, season, year
 * or decade around it, in the calendar of its clock. December belongs to the winter of the next
 * year; a decade begins with a year that ends in 0.
 *
 * A range is cut to the years 0001 to 9999 in UTC: `to` is then `9999-12-31T23:59:59.999Z`, the
 * last moment that can be written, which itself is then outside.
 *
 * @returns null for `LIFE_PERIOD` and `UNKNOWN`, and if the cut leaves nothing: exactly the last
 *   millisecond of the year 9999.
 */
export function deriveTimeRange({ time, clock, timePrecision }: StatedTime): TimeRange | null {
  const precision = timePrecision ?? "EXACT";
  if (precision === "EXACT") return cutRange(time, time + 1);
  const offset = clock === null ? 0 : offsetOf(clock);
  const days = localDays(time + offset, precision);
  if (days === null) return null;
  const zone = countingZone(time, clock);
  const begin = (midnight: number) =>
    zone === null ? midnight - offset : firstInstant(zone, midnight);
  return cutRange(begin(days.from), begin(days.to));
}

function cutRange(from: number, to: number): TimeRange | null {
  const first = Math.max(from, EARLIEST_TIMESTAMP);
  const last = Math.min(to, LATEST_TIMESTAMP);
  return first < last ? { from: new Date(first), to: new Date(last) } : null;
}

/**
 * The zone in which days are counted. Null if the zone is not known, or has another offset than the
 * clock: then its offset has seconds, or its rules have changed since the clock was stored.
 */
function countingZone(time: number, clock: string | null): string | null {
  const zone = knownZoneOf(clock);
  return clock === null || zone === null || offsetAt(zone, time) !== offsetOf(clock) ? null : zone;
}

/** The first instant of a local day, which begins later if the zone's clocks skip its midnight. */
function firstInstant(zone: string, midnight: number): number {
  const [first] = instantsOf(zone, midnight);
  if (first !== undefined) return first;
  const moved = instantOf(zone, midnight);
  return changesBetween(zone, moved - DAY_MS, moved).at(-1)?.at ?? moved;
}

/** Midnights around a moment, all in milliseconds of local time. */
function localDays(
  moment: number,
  precision: Exclude<TimePrecision, "EXACT">,
): { readonly from: number; readonly to: number } | null {
  switch (precision) {
    case "DAY": {
      const from = Math.floor(moment / DAY_MS) * DAY_MS;
      return { from, to: from + DAY_MS };
    }
    case "MONTH":
    case "SEASON":
    case "YEAR":
    case "DECADE": {
      const { months, before } = MONTH_UNITS[precision];
      const date = new Date(moment);
      const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
      const first = Math.floor((month + before) / months) * months - before;
      return { from: startOfMonth(first), to: startOfMonth(first + months) };
    }
    case "LIFE_PERIOD":
    case "UNKNOWN":
      return null;
  }
}

/** @param month Counted from January of the year 0, which is 0. */
function startOfMonth(month: number): number {
  return startOfDay(0, month + 1, 1);
}
