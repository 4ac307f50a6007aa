/** The last seven days of the device's calendar. */

const DAYS = 7;

/**
 * The start of the seven days that end today.
 *
 * @param {Date} now
 */
export function weekStart(now) {
  return dayBefore(now, DAYS - 1);
}

/**
 * Moments per day, earliest day first.
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
