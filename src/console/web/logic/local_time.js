/**
 * As `2026-11-22T09:30`; seconds only if not zero.
 *
 * @param {Date} time
 */
export function localTime(time) {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().replace(/(:00)?\.000Z$/, "").replace(/Z$/, "");
}

/**
 * Formats an offset as `+01:00`.
 *
 * @param {Date} time
 */
export function offsetOf(time) {
  const minutes = -time.getTimezoneOffset();
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/**
 * The API's format, with the UTC offset; empty for an empty text.
 *
 * @param {string} local
 */
export function toInstant(local) {
  if (local === "") return "";
  const seconds = /T\d\d:\d\d$/.test(local) ? ":00" : "";
  return `${local}${seconds}${offsetOf(new Date(local))}`;
}

/**
 * The number of midnights on this device between two times.
 *
 * @param {Date} from
 * @param {Date} to
 */
export function daysBetween(from, to) {
  const [first, last] = [from, to].map((time) =>
    Date.UTC(time.getFullYear(), time.getMonth(), time.getDate())
  );
  return ((last ?? 0) - (first ?? 0)) / 86_400_000;
}

/**
 * The first moment of a day on this device.
 *
 * @param {Date} now
 * @param {number} days After today.
 */
export function startOfDay(now, days) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
}
