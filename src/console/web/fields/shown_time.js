import { h } from "../core/dom.js";
import { locale, t, timeText } from "../core/text.js";
import { label } from "../logic/labels.js";
import { seasonOf, statedDay } from "../logic/stated_time.js";

/** @typedef {import("../logic/stated_time.js").Stated & { timeText: string | null }} Timed */

/**
 * In words, without the person's own; empty if no time was stated.
 *
 * @param {Timed} memory
 */
function statedText(memory) {
  const { occurredAt, timePrecision } = memory;
  if (timePrecision === null) return "";
  if (timePrecision === "UNKNOWN") return t("timeUnknown");
  if (timePrecision === "EXACT" && occurredAt !== null) return timeText(occurredAt);
  const day = statedDay(memory);
  if (day === null) return label(timePrecision);
  const text = rangeText(timePrecision, day);
  return timePrecision === "LIFE_PERIOD" ? `${label(timePrecision)}, ${text}` : text;
}

/** @param {Timed} memory */
export function shownTime(memory) {
  const stated = statedText(memory);
  return h(
    "span",
    {},
    memory.timeText !== null && h("span", { class: "words" }, memory.timeText),
    memory.timeText !== null && stated !== "" && " · ",
    stated,
  );
}

/**
 * The complete time, for comparisons.
 *
 * @param {Timed} memory
 */
export function wholeTimeText(memory) {
  return [statedText(memory), memory.timeText ?? ""].filter((text) => text !== "").join(" · ");
}

/**
 * @param {string} precision
 * @param {Date} day Any day of the range.
 */
function rangeText(precision, day) {
  const month = { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1 };
  switch (precision) {
    case "MONTH":
      return dateText(day, { year: "numeric", month: "long" });
    case "SEASON": {
      const { season, year } = seasonOf(month);
      const name = [t("winter"), t("spring"), t("summer"), t("autumn")][season];
      return `${name} ${season === 0 ? `${year - 1}/${year}` : year}`;
    }
    case "YEAR":
      return String(month.year);
    case "DECADE": {
      const year = month.year - month.year % 10;
      return t("decade", { year, last: year + 9 });
    }
    default:
      return dateText(day, { dateStyle: "long" });
  }
}

/**
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} options
 */
function dateText(date, options) {
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone: "UTC" }).format(date);
}
