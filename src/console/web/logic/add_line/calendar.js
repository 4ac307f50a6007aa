/** Days and times of the add line, counted from now. A day is its UTC midnight in milliseconds. */

import { isRealDay } from "../entered/days.js";
import { DAY_MS, localIn, momentIn, onZone } from "../local_time.js";

const MINUTE_MS = 60_000;
const NOON = 720;
/** Years between two leap days around 2100. */
const LEAP_YEARS = 8;

/** @type {(now: number, zone: string | null) => LineClock} */
export function clockOfNow(now, zone) {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const local = localIn(minute, zone);
  return {
    today: Date.parse(local.slice(0, 10)),
    minutes: Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16)),
    now: momentIn(minute, zone),
    stamp: (day, minutes) =>
      onZone(new Date(day + minutes * MINUTE_MS).toISOString().slice(0, 16), zone),
  };
}

/**
 * The next such day or, if `isPast`, the last one; null if it does not exist.
 * @type {(day: LineDay, today: number, isPast: boolean) => number | null}
 */
function dayFrom(day, today, isPast) {
  const weekday = new Date(today).getUTCDay();
  switch (day.kind) {
    case "relative":
      return today + day.days * DAY_MS;
    case "months":
      return monthsAfter(today, day.months);
    case "nextWeek":
      return today + ((8 - weekday) % 7 || 7) * DAY_MS;
    case "weekday": {
      const sign = isPast ? -1 : 1;
      return today + sign * ((sign * (day.weekday - weekday) + 13) % 7 + 1) * DAY_MS;
    }
    case "date":
      return dateFrom(day.date, today, isPast);
  }
}

/** Today included. @type {(date: WrittenDay, today: number, isPast: boolean) => number | null} */
function dateFrom({ year, month, day }, today, isPast) {
  const now = new Date(today).getUTCFullYear();
  const years = year === null
    ? Array.from({ length: LEAP_YEARS + 1 }, (_, index) => now + (isPast ? -index : index))
    : [year];
  const days = years.filter((year) => year > 999 && isRealDay({ year, month, day }))
    .map((year) => Date.UTC(year, month - 1, day));
  return days.find((day) => year !== null || (isPast ? day <= today : day >= today)) ?? null;
}

/** The last day of a shorter month. @param {number} today @param {number} months */
function monthsAfter(today, months) {
  const date = new Date(today);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return first.getTime() + (Math.min(date.getUTCDate(), last) - 1) * DAY_MS;
}

/**
 * A plan's time. A time without a day is today if it is ahead, else tomorrow. Null for
 * yesterday, and for a day that does not exist.
 * @type {(moment: LineMoment, clock: LineClock) => LineTime | null}
 */
export function plannedTime({ day, clock }, { today, minutes }) {
  if (day?.kind === "relative" && day.days < 0) return null;
  const found = day === null
    ? today + (clock !== null && clock > minutes ? 0 : DAY_MS)
    : dayFrom(day, today, false);
  return found === null ? null : { day: found, clock };
}

/**
 * The time of a past event. A time without a day is today if it has passed, else yesterday.
 * Null for a time that is ahead, unless it may be.
 * @type {(moment: LineMoment, clock: LineClock, mayBeAhead?: boolean) => LineTime | null}
 */
export function pastTime({ day, clock }, { today, minutes }, mayBeAhead = false) {
  const isLater = clock !== null && clock > minutes;
  const found = day === null ? today - (isLater ? DAY_MS : 0) : dayFrom(day, today, true);
  const isAhead = found === null || found > today || (found === today && isLater);
  return found === null || (isAhead && !mayBeAhead) ? null : { day: found, clock };
}

/** At 12:00, or now if that is ahead. @type {(time: LineTime, clock: LineClock) => string} */
export function measuredAt({ day, clock }, { today, minutes, now, stamp }) {
  const isAhead = day === today && clock === null && minutes < NOON;
  return isAhead ? now : stamp(day, clock ?? NOON);
}
