/**
 * Local times: instants with the clock that showed them, as
 * `2025-11-01T08:00:00.000+09:00[Asia/Tokyo]`. A time in `Z` or `-00:00` has no clock, and is shown
 * by the device's. Offsets of zones come from `Intl`, because not every browser has `Temporal`.
 */

const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
const FORM =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)(?:\[!?([^\]]+)\])?$/i;
const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/**
 * `instant` is in milliseconds since 1970, NaN for none; `offset` in minutes east of UTC, null
 * without a clock; `zone` is null also if only the offset is known.
 * @param {string | number | Date} time
 * @returns {{ instant: number, offset: number | null, zone: string | null }}
 */
export function readTime(time) {
  const [, local, offset = "", zone = null] = FORM.exec(String(time)) ?? [];
  if (local === undefined) return { instant: new Date(time).getTime(), offset: null, zone: null };
  const instant = Date.parse((local + offset).toUpperCase());
  if (offset !== "-00:00" && offset.toUpperCase() !== "Z") {
    const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
    const size = hours * 60 + minutes;
    return { instant, offset: offset.startsWith("-") ? -size : size, zone };
  }
  // Stated in UTC: the clock is the zone's, if there is one.
  const clock = zone === null ? null : offsetIn(zone, instant);
  if (clock === null) return { instant, offset: null, zone: null };
  return { instant, offset: Math.trunc(clock / MINUTE_MS), zone };
}

/** @param {string} text */
export function isTime(text) {
  return FORM.test(text);
}

/** In milliseconds since 1970; NaN for none. @param {string | number | Date} time */
export function instantOf(time) {
  return readTime(time).instant;
}

/** `2025-11-01T08:00`, by its own clock, otherwise by the device's. @param {string} time */
export function localOf(time) {
  const { instant, offset } = readTime(time);
  if (Number.isNaN(instant)) return time;
  const shown = instant + (offset === null ? deviceClock(instant) : offset * MINUTE_MS);
  return new Date(shown).toISOString().replace(/(:00)?\.000Z$/, "").replace(/Z$/, "");
}

/** A moment on the device's clock. @param {number} instant In milliseconds since 1970. */
export function deviceTime(instant) {
  return textOf(instant + deviceClock(instant), deviceClock(instant), deviceZone());
}

/**
 * A local time on the clock of another time: in its zone, with the offset that the zone has then,
 * or in its offset if the browser does not know the zone. Without such a clock it is the device's.
 * A skipped local time moves forward by the gap; a repeated one is the first.
 * @param {string} local As in a `datetime-local` input.
 * @param {string} [other]
 */
export function onClock(local, other = "") {
  const shown = Date.parse(`${local}Z`);
  // The service refuses a year after 9999.
  if (Number.isNaN(shown)) return local;
  const { instant, offset, zone } = readTime(other);
  if (offset === null) return onOffsets(shown, deviceClock, deviceZone());
  if (zone === null || offsetIn(zone, instant) === null) {
    return textOf(shown, offset * MINUTE_MS, zone);
  }
  return onOffsets(shown, (instant) => offsetIn(zone, instant) ?? 0, zone);
}

/**
 * The offset in a zone, in milliseconds. Null, and a zone that the browser does not know, mean the
 * device's clock.
 * @param {number} instant @param {string | null} zone
 */
function clockIn(instant, zone) {
  return (zone === null ? null : offsetIn(zone, instant)) ?? deviceClock(instant);
}

/** The day of an instant on this device, as its midnight in UTC. @param {number | Date} instant */
export function deviceDay(instant) {
  const time = new Date(instant);
  return Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
}

/** `2025-11-01T08:00` in a zone. @param {number} instant @param {string | null} zone */
export function localIn(instant, zone) {
  return new Date(instant + clockIn(instant, zone)).toISOString().slice(0, 16);
}

/** A moment on the clock of a zone. @param {number} instant @param {string | null} zone */
export function momentIn(instant, zone) {
  const offset = clockIn(instant, zone);
  return textOf(instant + offset, offset, zone);
}

/** As `onClock`, in a zone. @param {string} local @param {string | null} zone */
export function onZone(local, zone) {
  return onOffsets(Date.parse(`${local}Z`), (instant) => clockIn(instant, zone), zone);
}

/** @type {(shown: number, offsetAt: (instant: number) => number, zone: string | null) => string} */
function onOffsets(shown, offsetAt, zone) {
  const [before = 0, after = 0] = [shown - DAY_MS, shown + DAY_MS].map(offsetAt);
  const found = [shown - before, shown - after].filter((one) => one + offsetAt(one) === shown);
  const instant = found.length === 0 ? shown - before : Math.min(...found);
  return textOf(instant + offsetAt(instant), offsetAt(instant), zone);
}

/** @type {(shown: number, offset: number, zone: string | null) => string} */
function textOf(shown, offset, zone) {
  const minutes = Math.trunc(offset / MINUTE_MS);
  return new Date(shown).toISOString().slice(0, -1) + offsetText(minutes) +
    (zone === null ? "" : `[${zone}]`);
}

/** As `+01:00`. @param {number} minutes */
export function offsetText(minutes) {
  const size = Math.abs(minutes);
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) =>
    String(part).padStart(2, "0")
  );
  return `${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
}

/** The date in UTC, as `2026-01-31`. @param {number} instant */
export function utcDate(instant) {
  return new Date(instant).toISOString().slice(0, 10);
}

/** The device's zone; null if its name is not an IANA name. */
export function deviceZone() {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ZONE.test(name ?? "") && name !== "Etc/Unknown" ? name : null;
}

/** The device's offset, in milliseconds. @param {number} instant */
function deviceClock(instant) {
  const time = new Date(instant);
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999.
  const shown = new Date(0);
  shown.setUTCFullYear(time.getFullYear(), time.getMonth(), time.getDate());
  shown.setUTCHours(time.getHours(), time.getMinutes(), time.getSeconds(), time.getMilliseconds());
  return shown.getTime() - instant;
}

/** @type {Map<string, Intl.DateTimeFormat | null>} */
const formats = new Map();

/** Null for an unknown zone. @param {string} zone */
function formatIn(zone) {
  const number = /** @type {const} */ ("numeric");
  const day = { year: number, month: number, day: number };
  const options = { ...day, hour: number, minute: number, second: number, timeZone: zone };
  try {
    return new Intl.DateTimeFormat("en-US", { ...options, hourCycle: "h23" });
  } catch {
    return null;
  }
}

/**
 * In milliseconds; null if the browser does not know the zone.
 * @param {string} zone @param {number} instant
 */
function offsetIn(zone, instant) {
  if (!formats.has(zone)) formats.set(zone, formatIn(zone));
  const format = formats.get(zone) ?? null;
  if (format === null) return null;
  const parts = format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]);
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts);
  const shown = new Date(0);
  shown.setUTCFullYear(year, month - 1, day);
  shown.setUTCHours(hour, minute, second);
  return shown.getTime() - Math.floor(instant / 1_000) * 1_000;
}

/**
 * True if the device's clock shows another local time at this instant.
 * @param {{ instant: number, offset: number | null }} time
 */
export function isElsewhere({ instant, offset }) {
  return offset !== null && offset !== Math.trunc(deviceClock(instant) / MINUTE_MS);
}

/** True if the device's clock would be stored as the same one. @param {string} time */
export function isOfDevice(time) {
  const { zone } = readTime(time);
  return zone === deviceZone() && (zone !== null || !isElsewhere(readTime(time)));
}

/** As "New York", or the offset as "UTC-05:00"; empty without a clock. @param {string} time */
export function placeText(time) {
  const { offset, zone } = readTime(time);
  if (offset === null) return "";
  if (zone === null || zone.startsWith("Etc/")) return `UTC${offsetText(offset)}`;
  return zone.replace(/^.*\//, "").replaceAll("_", " ");
}

/** With the offset alone. @param {string} time */
export function withoutZone(time) {
  return time.replace(/\[[^\]]*\]$/, "");
}

/**
 * A stored time in the form that brings it back with its clock, or without one: the service ignores
 * `Z` at the stored instant.
 * @param {unknown} time
 */
export function restorable(time) {
  return typeof time === "string" ? time.replace(/^(\d{4}-[\d-]+T[\d:.]+)Z$/, "$1-00:00") : time;
}

/**
 * Stated times. The API stores a moment, its precision, and the range of both, counted on the
 * moment's clock. The range of a moment without a clock shows the UTC offset that it was stated in.
 */

const DAY_MINUTES = 1_440;
/** A range that begins by then, after midnight UTC, was most likely stated west of Greenwich. */
const WEST_MINUTES = 600;

/**
 * Whether a day can begin its unit. Months count from 0.
 * @type {Readonly<Record<string, (day: Date) => boolean>>}
 */
const BEGINS = {
  DAY: () => true,
  MONTH: (day) => day.getUTCDate() === 1,
  SEASON: (day) => day.getUTCDate() === 1 && day.getUTCMonth() % 3 === 2,
  YEAR: (day) => day.getUTCDate() === 1 && day.getUTCMonth() === 0,
  DECADE: (day) =>
    day.getUTCDate() === 1 && day.getUTCMonth() === 0 && day.getUTCFullYear() % 10 === 0,
};

/**
 * The UTC offset at which the range begins at midnight, in minutes; the device's own if two fit, or
 * none.
 * @param {StatedTime} stated
 */
function statedOffset({ timePrecision, timeRange, occurredAt }) {
  const from = new Date(timeRange?.from ?? occurredAt ?? 0);
  const own = -from.getTimezoneOffset();
  const begins = BEGINS[timePrecision ?? ""];
  if (timeRange === null || begins === undefined) return own;
  const past = from.getTime() / 60_000 % DAY_MINUTES;
  const minutes = (past + DAY_MINUTES) % DAY_MINUTES;
  const [west, east] = [-minutes, DAY_MINUTES - minutes];
  const likely = minutes <= WEST_MINUTES ? [west, east] : [east, west];
  const found = [...(likely.includes(own) ? [own] : []), ...likely].find((offset) =>
    Number.isInteger(offset) && begins(new Date(from.getTime() + offset * 60_000))
  );
  return found ?? own;
}

/** A stated day, in UTC; null without a moment. @param {StatedTime} stated */
export function statedDay(stated) {
  const { timeRange, occurredAt } = stated;
  if (occurredAt !== null && hasClock(occurredAt)) return new Date(`${localOf(occurredAt)}Z`);
  const day = timeRange?.from ?? occurredAt;
  return day === null ? null : new Date(Date.parse(day) + statedOffset(stated) * 60_000);
}

/** @param {string} time */
function hasClock(time) {
  return readTime(time).offset !== null;
}

/** Stating this moment again means the same range; empty for none. @param {StatedTime} stated */
export function statedMoment(stated) {
  const { occurredAt, timePrecision } = stated;
  if (occurredAt === null) return "";
  if (hasClock(occurredAt) || timePrecision === "EXACT") return occurredAt;
  const minutes = statedOffset(stated);
  const local = new Date(Date.parse(occurredAt) + minutes * 60_000).toISOString();
  return local.slice(0, -1) + offsetText(minutes);
}
