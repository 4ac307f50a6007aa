/** Filters of lists. */

import { h, link } from "../core/base/elements.js";
import { numberText, t } from "../core/base/language.js";
import { label } from "../core/names.js";
import { formatTime } from "./shown/times.js";
import { utcDate } from "../logic/local_time.js";

/**
 * The active filters in words, each a button that removes it; false without one.
 * @param {string} path @param {URLSearchParams} query @param {readonly Filter[]} filters
 */
export function activeFilters(path, query, filters) {
  const period = periodOf(query, filters);
  const single = filters.filter(({ name }) => query.has(name) && !period?.names.includes(name))
    .map((filter) => ({
      names: [filter.name],
      words: wordsOf(filter, query.get(filter.name)),
      filter,
    }))
    .filter(({ words }) => words !== null);
  const active = period === null ? single : [{ ...period, filter: null }, ...single];
  const buttons = active.map(({ names, words, filter }) => {
    const onclick = () => {
      const rest = new URLSearchParams([...query].filter(([name]) => !names.includes(name)));
      rest.delete("pages");
      location.assign(`${path}?${rest}`);
    };
    const button = h("button.chip", { onclick });
    const show = (/** @type {string | null} */ shown) => {
      button.textContent = `${shown} ×`;
      button.setAttribute("aria-label", t("removeFilter", { words: shown ?? "" }));
    };
    show(words);
    if (filter?.reference !== undefined) void nameFilter(filter, query, show);
    return button;
  });
  return active.length > 0 && h("div.bar", buttons, link(path, t("showAll")));
}

/**
 * Shows the title of the object that a condition names.
 * @type {(filter: Filter, query: URLSearchParams, show: (words: string) => void) => Promise<void>}
 */
async function nameFilter({ name, label, reference = "" }, query, show) {
  const { nameOf, REFERENCES } = await import("./references.js");
  const { text } = await nameOf(REFERENCES[reference] ?? {}, query.get(name) ?? "");
  show(`${label}: ${text}`);
}

/** @param {Filter} filter @param {string | null} value */
function wordsOf({ label, options, type = "date", words = dateWords }, value) {
  if (value === null || value === "") return null;
  const option = options?.find((option) => option.value === value);
  if (options !== undefined && option === undefined) return null;
  const text = option?.label ?? (type === "date" ? words(value) : valueWords(value, type));
  return `${label}${label.includes(":") ? "" : ":"} ${text}`;
}

/** @param {string} value @param {string} type */
function valueWords(value, type) {
  return type === "number" && Number.isFinite(Number(value)) ? numberText(Number(value)) : value;
}

/** @param {string} day As in the address. @param {Intl.DateTimeFormatOptions} [form] */
export function dateWords(day, form = { dateStyle: "medium" }) {
  const time = Date.parse(day);
  return Number.isNaN(time) ? day : formatTime(time, { ...form, timeZone: "UTC" });
}

/**
 * The month or year between the days of two filters; null if it is neither.
 * @param {URLSearchParams} query @param {readonly Filter[]} filters
 */
function periodOf(query, filters) {
  const { name = "", end = "" } = filters.find(({ end }) => end !== undefined) ?? {};
  const from = query.get(name) ?? "";
  const [year = NaN, month = NaN, day] = from.split("-").map(Number);
  const isWhole = (/** @type {number} */ months) =>
    day === 1 && query.get(end) === lastDay(year, month + months);
  const form = /** @type {const} */ ({ year: "numeric" });
  if (month === 1 && isWhole(11)) return { names: [name, end], words: dateWords(from, form) };
  if (!isWhole(0)) return null;
  return { names: [name, end], words: dateWords(from, { ...form, month: "long" }) };
}

/** @param {number} year @param {number} month From 1. */
function lastDay(year, month) {
  return utcDate(Date.UTC(year, month, 0));
}

/**
 * A form that is made when it is opened.
 * @param {string} path @param {URLSearchParams} query @param {readonly Filter[]} filters
 */
export function filterForm(path, query, filters) {
  /** @type {Promise<void> | undefined} */
  let made;
  const ontoggle = () => {
    made ??= import("./filter_form.js").then(({ formOf }) => formOf(path, query, filters))
      .then((form) => place.append(form))
      .catch(() => made = undefined);
  };
  const place = h("div", { ontoggle });
  return place;
}

const EDITS = ["select", "boolean", "text", "tags", "number", "datetime"];
const RANGES = ["number", "datetime"];

/**
 * Sensitive values never appear in addresses; modules with dedicated routes do not accept
 * conditions on fields.
 * @param {CatalogModule} module
 */
export function conditionsOf({ entry, fields }) {
  if (entry !== "GENERIC") return [];
  return fields.filter(({ edit, sensitive }) => !sensitive && EDITS.includes(edit))
    .flatMap(conditionsOn);
}

/** @type {(field: CatalogField) => FilterCondition[]} */
function conditionsOn({ name: field, edit, options = [] }) {
  const shared = { field, edit: /** @type {FilterCondition["edit"]} */ (edit), options };
  if (!RANGES.includes(edit)) {
    return [{ ...shared, name: `filter[${field}]`, comparison: "equals" }];
  }
  return [
    { ...shared, name: `filter[${field}][gte]`, comparison: "from" },
    { ...shared, name: `filter[${field}][lte]`, comparison: "to" },
  ];
}

/** @param {readonly FilterCondition[]} conditions @param {URLSearchParams} query */
export function askedOf(conditions, query) {
  const asked = new URLSearchParams();
  for (const condition of conditions) {
    const value = valueOf(condition, query.get(condition.name) ?? "");
    if (value !== null) asked.set(condition.name, value);
  }
  return asked;
}

/** Null if the API does not accept it. @param {FilterCondition} condition @param {string} text */
function valueOf({ edit, comparison, options }, text) {
  if (text === "") return null;
  switch (edit) {
    case "select":
      return options.includes(text) ? text : null;
    case "boolean":
      return text === "true" || text === "false" ? text : null;
    case "number":
      return Number.isFinite(Number(text)) ? text : null;
    case "datetime":
      return boundOfDay(text, comparison === "to");
    default:
      return text;
  }
}

/**
 * On this device's calendar; null for an invalid day.
 * @param {string} day
 * @param {boolean} isLast
 */
export function boundOfDay(day, isLast) {
  const [year = NaN, month = NaN, date = NaN] = day.split("-").map(Number);
  const start = new Date(year, month - 1, isLast ? date + 1 : date);
  const bound = new Date(start.getTime() - (isLast ? 1 : 0));
  return Number.isNaN(bound.getTime()) ? null : bound.toISOString();
}

/** @param {FilterCondition} condition @param {Record<"from" | "to" | "exactly", string>} words */
export function conditionLabel({ field, edit, comparison }, words) {
  if (comparison !== "equals") return `${label(field)}: ${words[comparison]}`;
  return edit === "text" ? `${label(field)}: ${words.exactly}` : label(field);
}
