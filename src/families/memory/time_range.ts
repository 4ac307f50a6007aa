import { DAY_MS } from "../../core/clock.ts";
import {
  EARLIEST_TIMESTAMP,
  LATEST_TIMESTAMP,
  parseZonedTimestamp,
  startOfDay,
} from "../../validate/timestamp.ts";
import type { TimePrecision } from "./memory.ts";

const MILLISECONDS_A_MINUTE = 60_000;

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
  /** RFC 3339 as sent: its offset determines where days, months and years begin. */
  readonly occurredAt: string | null;
  /** If null although `occurredAt` is set, the precision is `EXACT`. */
  readonly timePrecision: TimePrecision | null;
}

/**
 * Derives the range of a stated time (decisions, Memory): the millisecond, day, month, season, year
 * or decade around `occurredAt`, in the calendar of its own offset. December belongs to the winter
 * of the next year; a decade begins with a year that ends in 0.
 *
 * A range is cut to the years 0001 to 9999 in UTC: `to` is then `9999-12-31T23:59:59.999Z`, the
 * last moment that can be written, which itself is then outside.
 *
 * @returns null without `occurredAt`, for `LIFE_PERIOD` and `UNKNOWN`, and if the cut leaves
 *   nothing: exactly the last millisecond of the year 9999.
 * @throws {RangeError} If `occurredAt` is not a timestamp.
 */
export function deriveTimeRange(stated: StatedTime): TimeRange | null {
  if (stated.occurredAt === null) return null;
  const zoned = parseZonedTimestamp(stated.occurredAt);
  if (zoned === null) throw new RangeError("occurredAt must be a timestamp with an offset");
  const offset = zoned.offsetMinutes * MILLISECONDS_A_MINUTE;
  const local = localRange(zoned.time + offset, stated.timePrecision ?? "EXACT");
  if (local === null) return null;
  const from = Math.max(local.from - offset, EARLIEST_TIMESTAMP);
  const to = Math.min(local.to - offset, LATEST_TIMESTAMP);
  return from < to ? { from: new Date(from), to: new Date(to) } : null;
}

/** Range around a moment, both in milliseconds of the client's local time. */
function localRange(
  moment: number,
  precision: TimePrecision,
): { readonly from: number; readonly to: number } | null {
  switch (precision) {
    case "EXACT":
      return { from: moment, to: moment + 1 };
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
