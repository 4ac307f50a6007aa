/** Scales and ticks of an axis. */

import { DAY_MS } from "../../logic/local_time.js";

/** Maps a domain to a range. @type {(domain: Pair, range: Pair) => (value: number) => number} */
export function scale([from, to], [start, end]) {
  const size = to - from;
  return (value) => size === 0 ? (start + end) / 2 : start + (value - from) / size * (end - start);
}

/** Least and greatest. @type {(values: readonly number[]) => Pair} */
export function extent(values) {
  return [Math.min(...values), Math.max(...values)];
}

/**
 * At least two round, equidistant values that enclose all.
 * @param {readonly number[]} values @param {number} most
 */
export function ticks(values, most) {
  const [low, high] = extent(values);
  const size = high - low || Math.abs(high) || 1;
  for (let step = roundStep(size / most);; step = roundStep(step * 1.5)) {
    const first = Math.floor(low / step);
    const last = Math.max(Math.ceil(high / step), first + 1);
    if (last - first > most && most > 1) continue;
    // Multiplied, not summed, and rounded: avoids floating-point digits.
    const tidy = (/** @type {number} */ value) => Number(value.toPrecision(15));
    return Array.from({ length: last - first + 1 }, (_, index) => tidy((first + index) * step));
  }
}

/**
 * Round, equidistant values within a range, as many as there can be up to `most`.
 * @param {Pair} range @param {number} most
 */
export function ticksWithin([from, to], most) {
  for (let steps = most + 1; steps > 1; steps--) {
    const values = ticks([from, to], steps).filter((value) => value >= from && value <= to);
    if (values.length <= most) return values;
  }
  return [];
}

/** 1, 2 or 5 times a power of ten, not below `size`. @param {number} size */
function roundStep(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return power * ([1, 2, 5].find((factor) => size <= factor * power) ?? 10);
}

/** Longer steps follow the calendar's months and years. */
const DAY_STEPS = [1, 2, 7, 14];

const MONTH_STEPS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1_200];

/**
 * Starts of the device's days, months or years within a period, in milliseconds since 1970.
 * @param {number} from @param {number} to @param {number} most
 */
export function timeTicks(from, to, most) {
  const days = (to - from) / DAY_MS;
  const dayStep = DAY_STEPS.find((step) => days / step < most);
  if (dayStep !== undefined) {
    return beginnings(from, to, (day) => day.setDate(day.getDate() + dayStep));
  }
  const months = days / 30;
  const step = MONTH_STEPS.find((each) => months / each < most) ?? 12_000;
  const first = new Date(from);
  const month = first.getFullYear() * 12 + first.getMonth();
  first.setFullYear(0, Math.floor(month / step) * step, 1);
  return beginnings(from, to, (day) => day.setMonth(day.getMonth() + step), first);
}

/** @param {number} from @param {number} to @param {(day: Date) => void} advance */
function beginnings(from, to, advance, day = new Date(from)) {
  const times = [];
  for (day.setHours(0, 0, 0, 0); day.getTime() <= to; advance(day)) {
    if (day.getTime() >= from) times.push(day.getTime());
  }
  return times;
}
