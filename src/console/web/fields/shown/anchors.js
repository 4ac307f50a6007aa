/** What a line of a list begins with. */

import { h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { toneOf } from "../../core/names.js";
import { formatTime } from "./times.js";

/**
 * A block with the day large and the month small; its line says the date in words.
 * @param {Date} time Read in UTC, as `statedDay` returns it.
 * @param {"day" | "month" | "year"} precision Others are a month with its year, and a year alone.
 */
export function dateBlock(time, precision = "day") {
  const part = (/** @type {Intl.DateTimeFormatOptions} */ options) =>
    formatTime(time, { ...options, timeZone: "UTC" });
  const year = part({ year: "numeric" });
  const month = part({ month: "short" });
  const [large, small] = {
    day: [part({ day: "numeric" }).replace(/\D+$/, ""), month],
    month: [month, year],
    year: [year, ""],
  }[precision];
  const look = `anchor date ${precision === "day" ? "" : "wide"}`.trim();
  return h("span", { class: look, "aria-hidden": "true" }, h("b", large), small);
}

/**
 * The symbol of a kind in the colour of its group; the line says the kind in words.
 * @param {string} code A module. @param {Parameters<typeof icon>[0]} name
 */
export function kindSymbol(code, name) {
  return h("span", { class: `anchor symbol tone-${toneOf(code)}` }, icon(name));
}

/**
 * A value in large figures.
 * @param {string} value @param {string} unit
 */
export function valueAnchor(value, unit) {
  return h("span.anchor.value", h("b", value), " ", unit);
}
