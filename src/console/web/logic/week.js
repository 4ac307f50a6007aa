/** The last seven days, by the calendar of this device. */

const DAYS = 7;

/**
 * The first moment of the seven days that end with today.
 *
 * @param {Date} now
 */
export function weekStart(now) {
  return dayBefore(now, DAYS - 1);
}

/**
 * How many of some moments each of the seven days has, the earliest day first.
 *
 * @param {readonly string[]} moments
 * @param {Date} now
 */
export function countByDay(moments, now) {
  const counts = Map.groupBy(moments, (moment) => new Date(moment).toDateString());
  return Array.from({ length: DAYS }, (_, index) => {
    const day = dayBefore(now, DAYS - 1 - index);
    return { day, count: counts.get(day.toDateString())?.length ?? 0 };
  });
}

/**
 * @param {Date} now
 * @param {number} days
 */
function dayBefore(now, days) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
}
