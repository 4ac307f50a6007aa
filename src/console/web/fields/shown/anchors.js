/** Anchors: pictures, dates, symbols and values at the start of a row. */

import { h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { numberText } from "../../core/base/language.js";
import { toneOf } from "../../core/names.js";
import { showFace } from "./pictures.js";
import { formatTime } from "./times.js";

const TONES = 6;

/**
 * A block with the day large and the month small; the row also shows the date in words.
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

/** Symbols of kinds. @type {Readonly<Record<string, Parameters<typeof icon>[0]>>} */
const SYMBOLS = {
  relationship: "people",
  commitment: "check",
  community: "people",
  identity: "account",
  constitution: "compass",
  decision: "decisions",
  health: "pulse",
  action: "check",
  routine: "later",
  review: "history",
  "ai-agent": "spark",
  "personal-model": "account",
  interview: "spoke",
  memory: "memories",
  capture: "edit",
  timeline: "calendar",
  knowledge: "bookmark",
  media: "camera",
  taxonomy: "tags",
  place: "map",
  integration: "download",
  legacy: "archive",
};

/**
 * The symbol of a kind in the colour of its group; the row also names the kind.
 * @param {string} code A module. @param {Parameters<typeof icon>[0]} [name]
 */
export function kindSymbol(code, name = SYMBOLS[code] ?? "records") {
  return h("span", { class: `anchor symbol tone-${toneOf(code)}` }, icon(name));
}

/**
 * A value in large figures; the decimal marks of lines are below each other.
 * @param {number} value @param {string} unit
 */
export function valueAnchor(value, unit) {
  const [whole = "", ...rest] = numberText(value).split(/(?=\D\d+$)/);
  const hasFraction = !Number.isInteger(value);
  return h(
    "span.anchor.value",
    h("b", hasFraction ? whole : [whole, ...rest].join("")),
    hasFraction && h("b", rest),
    isSilent(unit) ? "" : ` ${unit}`,
  );
}

/** True for units that a language would translate, which are left out. */
export function isSilent(/** @type {string} */ unit) {
  return /^(of \d+|steps|points)$/.test(unit);
}

/**
 * Initials on a colour that stays with the person, or their picture.
 * @param {any} person
 */
export function disc({ personId, personName, attachmentIds }) {
  const firsts = String(personName).split(/\s+/)
    .flatMap((word) => /[\p{L}\p{Nd}]/u.exec(word)?.[0] ?? []);
  const initials = [...firsts.slice(0, 1), ...firsts.slice(1).slice(-1)].join("").toUpperCase();
  const tone = [...String(personId)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % TONES;
  const shown = h("span", {
    class: `anchor disc tone-${tone}`,
    "data-initials": initials,
    "aria-hidden": "true",
  });
  showFace(shown, attachmentIds);
  return shown;
}
