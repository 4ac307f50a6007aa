/** Names of months and weekdays, and the first day of the week, in the reader's language. */

import { formatTime } from "../../fields/shown/times.js";
import { locale } from "../base/language.js";

/** Monday, 1, if the browser does not know it. */
export function firstDayOfWeek() {
  const { getWeekInfo } = /** @type {any} */ (Intl.Locale.prototype);
  return Number(getWeekInfo?.call(new Intl.Locale(locale())).firstDay ?? 1);
}

export function yearTexts() {
  const utc = { timeZone: "UTC" };
  return {
    month: (/** @type {number} */ time) => formatTime(time, { month: "short", ...utc }),
    weekday: (/** @type {number} */ time) => formatTime(time, { weekday: "short", ...utc }),
  };
}
