/** Days, months and longer ranges in which something happened. */

import { t } from "../../core/base/language.js";
import { statedDay } from "../../logic/local_time.js";
import { dateBlock } from "./anchors.js";
import { formatTime } from "./times.js";

/**
 * Counted from winter, 0; December belongs to the next year's winter.
 * @param {{ year: number, month: number }} month From 1.
 */
export function seasonOf({ year, month }) {
  return { season: Math.floor(month % 12 / 3), year: month === 12 ? year + 1 : year };
}

export function seasonNames() {
  return [t("winter"), t("spring"), t("summer"), t("autumn")];
}

/** @param {string} precision @param {Date} day Any day of the range. */
export function rangeText(precision, day) {
  const month = { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1 };
  switch (precision) {
    case "MONTH":
      return dateIn(day, { year: "numeric", month: "long" });
    case "SEASON": {
      const { season, year } = seasonOf(month);
      return `${seasonNames()[season]} ${season === 0 ? `${year - 1}/${year}` : year}`;
    }
    case "YEAR":
      return String(month.year);
    case "DECADE": {
      const year = month.year - month.year % 10;
      return t("decade", { year, last: year + 9 });
    }
    default:
      return dateIn(day, { dateStyle: "long" });
  }
}

/** @param {Date} date @param {Intl.DateTimeFormatOptions} options */
export function dateIn(date, options) {
  return formatTime(date, { ...options, timeZone: "UTC" });
}

/** Precisions that are vaguer than a month. */
const VAGUE = ["SEASON", "YEAR", "DECADE"];

/**
 * The month of a stated time, or the season, year or decade if that is all that was stated.
 * @param {StatedTime} stated
 */
export function monthHeading(stated) {
  const day = statedDay(stated);
  if (day === null || Number.isNaN(day.getTime())) return t("noDate");
  const { timePrecision } = stated;
  const isVague = timePrecision !== null && VAGUE.includes(timePrecision);
  return rangeText(isVague ? timePrecision : "MONTH", day);
}

/**
 * The block of a stated time, as exact as it was stated.
 * @param {StatedTime} stated @param {Element} instead The anchor of a row without a time.
 */
export function statedBlock(stated, instead) {
  const day = statedDay(stated);
  if (day === null || Number.isNaN(day.getTime())) return instead;
  const { timePrecision } = stated;
  if (timePrecision === "MONTH") return dateBlock(day, "month");
  const isVague = [...VAGUE, "LIFE_PERIOD"].some((precision) => precision === timePrecision);
  return dateBlock(day, isVague ? "year" : "day");
}
