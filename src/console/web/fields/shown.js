/** Stored values as a reader sees them. */

import { fill, formatNumber, formatOf, get, h, numberText, once, t } from "../core/base.js";
import { label } from "../core/names.js";
import {
  deviceTime,
  instantOf,
  isElsewhere,
  isTime,
  placeText,
  readTime,
  withoutZone,
} from "../logic/local_time.js";

/**
 * By the time's own clock, otherwise by the device's.
 * @param {string | number | Date} time @param {Intl.DateTimeFormatOptions} options
 */
export function formatTime(time, options) {
  const { instant, offset } = readTime(time);
  if (offset === null) return formatOf(Intl.DateTimeFormat, options).format(instant);
  const shown = instant + offset * 60_000;
  return formatOf(Intl.DateTimeFormat, { ...options, timeZone: "UTC" }).format(shown);
}

/**
 * By its own clock. If the device's shows another time, the place and the reader's time follow.
 * @param {string | number} time
 */
export function timeText(time) {
  const date = /** @type {const} */ ({ dateStyle: "medium" });
  const exact = /** @type {const} */ ({ ...date, timeStyle: "short" });
  const read = readTime(time);
  const text = formatTime(time, exact);
  if (!isElsewhere(read)) return text;
  const isSameDay = formatTime(time, date) === formatTime(read.instant, date);
  const own = formatTime(read.instant, isSameDay ? { timeStyle: "short" } : exact);
  return t("timeElsewhere", { time: text, place: placeText(String(time)), own });
}

/** A time as it is read; other texts as they are. @param {string} text */
export function readableText(text) {
  return isTime(text) ? timeText(text) : text;
}

/** @param {string} time */
export function timeTag(time) {
  return h("time", { datetime: withoutZone(time) }, timeText(time));
}

/** The number of midnights on this device between two times. @param {Date} from @param {Date} to */
export function daysBetween(from, to) {
  const [first, last] = [from, to].map((time) =>
    Date.UTC(time.getFullYear(), time.getMonth(), time.getDate())
  );
  return ((last ?? 0) - (first ?? 0)) / 86_400_000;
}

/** The first moment of a day on this device. @param {Date} now @param {number} days */
export function startOfDay(now, days) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
}

/** As "tomorrow". @param {number} count @param {Intl.RelativeTimeFormatUnit} unit */
function relativeText(count, unit) {
  return formatOf(Intl.RelativeTimeFormat, { numeric: "auto" }).format(count, unit);
}

/** @param {number} days */
export function daysText(days) {
  return relativeText(days, "day");
}

/** By the calendar of this device. @param {string} time */
export function sinceDayText(time) {
  const days = daysBetween(new Date(), new Date(instantOf(time)));
  if (Math.abs(days) < 60) return daysText(days);
  const months = Math.round(days / 30.44);
  if (Math.abs(months) < 24) return relativeText(months, "month");
  return relativeText(Math.round(days / 365.25), "year");
}

/** How long ago or how far ahead, within a day by the clock. @param {string} time */
function sinceText(time) {
  const minutes = Math.trunc((instantOf(time) - Date.now()) / 60_000);
  if (minutes === 0) return t("justNow");
  if (Math.abs(minutes) < 60) return relativeText(minutes, "minute");
  const hours = Math.trunc(minutes / 60);
  return Math.abs(hours) < 12 ? relativeText(hours, "hour") : sinceDayText(time);
}

/**
 * Yesterday, today or tomorrow; a weekday; otherwise the date, with the year if it is an earlier
 * one.
 * @param {Date} day
 * @param {number} days From today.
 */
export function dayHeading(day, days) {
  const isThisYear = day.getFullYear() === new Date().getFullYear();
  const text = Math.abs(days) < 2 ? daysText(days) : formatTime(day, {
    weekday: "long",
    ...(!(days > 0 && days < 7) && { month: "long", day: "numeric" }),
    ...(days < 0 && !isThisYear && { year: "numeric" }),
  });
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function contactNow() {
  return { contactedAt: thisMinute(), channel: "OTHER", direction: "MUTUAL", privacy: "NORMAL" };
}

/** On the device's clock. Seconds would be too precise. */
export function thisMinute() {
  return deviceTime(Math.floor(Date.now() / 60_000) * 60_000);
}

/** A day with its weekday. @param {Date} day */
export function dateText(day) {
  return formatTime(day, { dateStyle: "full" });
}

/** A day in words near today, otherwise its local date. @param {string} time */
export function nearDayText(time) {
  const days = daysBetween(new Date(), new Date(instantOf(time)));
  return Math.abs(days) < 7 ? daysText(days) : dayText(time);
}

/** The local date. @param {string | number} time */
export function dayText(time) {
  return formatTime(time, { dateStyle: "medium" });
}

/** @param {string} time */
export function clockText(time) {
  return formatTime(time, { timeStyle: "short" });
}

/** @param {number} share */
export function shareText(share) {
  return formatNumber(share, { style: "percent", maximumFractionDigits: 1 });
}

/** A share of one as a percentage. @param {Bounds} field @param {number} value */
export function figureText({ minimum, maximum }, value) {
  return minimum === 0 && maximum === 1 ? shareText(value) : numberText(value);
}

/** @param {number} count @param {Sentence} name Singular and plural, separated by a bar. */
export function counted(count, name) {
  const at = formatOf(Intl.PluralRules).select(count) === "one" ? 0 : 1;
  return t(name, { count: numberText(count) }).split("|")[at] ?? "";
}

/** @param {number} bytes */
export function sizeText(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return formatNumber(bytes / 1000 ** step, {
    style: "unit",
    unit: units[step],
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  });
}

/** @param {number} seconds */
export function agoText(seconds) {
  const hours = Math.round(seconds / 3600);
  return hours < 48 ? relativeText(-hours, "hour") : daysText(-Math.round(hours / 24));
}

/** Converts payload values to and from texts. */

/** @param {TypedField} field @param {unknown} value */
export function toText({ edit }, value) {
  if (value === undefined) return "";
  if (edit === "json") return JSON.stringify(value, null, 2);
  if (edit === "tags") return Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : "";
  return String(value);
}

/** Different values have different texts. @param {TypedField} field @param {unknown} value */
export function toComparedText(field, value) {
  if (field.edit === "tags" && Array.isArray(value)) return value.join("\n");
  return field.edit === "select" && typeof value === "string" ? label(value) : toText(field, value);
}

/** @type {(name: string, value: any) => any} */
export const roundedFigure = (_, value) =>
  typeof value === "number" ? Number(value.toFixed(3)) : value;

/**
 * A reviver that rejects an integer that reading would round.
 * @param {string} _
 * @param {unknown} value
 * @param {{ source?: string }} context Not in older browsers.
 */
function exactly(_, value, { source = "" } = {}) {
  const isWhole = typeof value === "number" && /^-?\d+$/.test(source);
  const isRounded = isWhole && !Number.isSafeInteger(value) && String(value) !== source;
  if (isRounded) throw new SyntaxError("An integer that a number cannot hold");
  return value;
}

/** Undefined for none, null for an invalid text. @param {TypedField} field @param {string} text */
export function toValue({ edit }, text) {
  if (text.trim() === "") return undefined;
  if (edit === "boolean") return text === "true";
  // Ids contain no comma.
  if (edit === "file") return text.split(",");
  if (edit === "number") return Number.isFinite(Number(text)) ? Number(text) : null;
  if (edit !== "json" && edit !== "tags") return text;
  try {
    return JSON.parse(text, exactly);
  } catch {
    return null;
  }
}

/**
 * The changes to a payload. Untouched fields are omitted, so their values stay exact. `wrong` names
 * fields with invalid texts.
 * @param {readonly TypedField[]} fields
 * @param {Values} payload
 * @param {Texts} texts
 */
export function changesOf(fields, payload, texts) {
  /** @type {Record<string, unknown>} */
  const set = {};
  const remove = [];
  const wrong = [];
  for (const field of fields) {
    const { name } = field;
    const text = texts[name] ?? "";
    if (text === toText(field, payload[name])) continue;
    const value = toValue(field, text);
    if (value === null) wrong.push(name);
    else if (value !== undefined) set[name] = value;
    else if (payload[name] !== undefined) remove.push(name);
  }
  return { set, remove, wrong };
}

/** @param {string | undefined} text */
export function toNumber(text = "") {
  return text.trim() === "" || !Number.isFinite(Number(text)) ? NaN : Number(text);
}

/** A field that the catalog does not describe. @type {MakeField} */
export function optional(name, edit, more = {}) {
  return { name, edit, required: false, sensitive: false, ...more };
}

/** @type {MakeField} */
export function needed(name, edit, more = {}) {
  return { ...optional(name, edit, more), required: true };
}

/** @type {Texts} */
const FIRST = {
  completionStatus: "OPEN",
  actionType: "TASK",
  actionStatus: "PLANNED",
  active: "true",
  quality: "MEASURED",
  readingStatus: "UNREAD",
  interviewStatus: "CANDIDATE",
  legacyStatus: "DRAFT",
  publicationStatus: "DRAFT",
  approvalStatus: "NOT_REQUIRED",
  authorizationStatus: "NOT_AUTHORIZED",
  auditStatus: "NOT_AUDITED",
  importMode: "MANUAL",
  contentType: "TEXT",
  routeStatus: "INBOX",
};
const NOW = ["measuredAt", "capturedAt"];

/** @param {readonly { name: string }[]} fields @param {string} now */
export function firstTexts(fields, now) {
  const texts = fields.map(({ name }) => [name, NOW.includes(name) ? now : FIRST[name] ?? ""]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

/** The fields before "More", unless more are required. */
const SHORT = 6;

/**
 * Required fields first, then those that matter. `shown` counts those before "More".
 * @template {{ name: string, required: boolean }} Field
 * @param {readonly Field[]} fields
 * @param {readonly string[]} [matters]
 */
export function inOrder(fields, matters = []) {
  const { required: first = [], matters: second = [], others = [] } = Object.groupBy(
    fields,
    ({ name, required }) => required ? "required" : matters.includes(name) ? "matters" : "others",
  );
  const ordered = [...first, ...second, ...others];
  return { fields: ordered, shown: Math.max(first.length, SHORT) };
}

const API = "/api/v2/attachments";
const HEIGHT = 128;

/** @param {string} id */
export function shownFile(id) {
  const file = { attachmentId: id, filename: t("download"), mediaType: "" };
  const place = h("span", fileParts(file));
  get(`${API}/${encodeURIComponent(id)}`).then((/** @type {any} */ named) => {
    const hadFocus = place.contains(document.activeElement);
    fill(place, fileParts(named));
    if (hadFocus) place.querySelector("a")?.focus();
    // The link works without its name.
  }, () => {});
  return place;
}

/** @type {(file: FileName) => HTMLElement[]} */
export function fileParts({ attachmentId, filename, mediaType }) {
  const content = `${API}/${encodeURIComponent(attachmentId)}/content`;
  const link = h("a.words", { href: content, download: true }, filename);
  if (!mediaType.startsWith("image/")) return [link];
  // Scripts in pictures do not run. A broken picture leaves its link.
  const onerror = () => {
    picture.remove();
  };
  const picture = h("img", { src: content, alt: "", loading: "lazy", height: HEIGHT, onerror });
  return [picture, link];
}

/** A field's value for reading; sensitive ones on request if the device veils them. */

/** @param {CatalogField} field @param {any} value */
function shownValue(field, value) {
  return field.sensitive && isVeiling()
    ? veiled(label(field.name), () => plainValue(field, value))
    : plainValue(field, value);
}

function isVeiling() {
  return localStorage.getItem("veil") === "on";
}

/**
 * A relative time. Its tooltip is the exact one, which replaces it on paper.
 * @param {string} time
 * @param {(time: string) => string} [text]
 * @param {(time: string) => string} [exactText]
 */
export function ago(time, text = sinceText, exactText = timeText) {
  const exact = exactText(time);
  return h(
    "time",
    { datetime: withoutZone(time), title: exact },
    h("span.on-screen", text(time)),
    h("span.on-paper", exact),
  );
}

/** @param {Sentence} name @param {Readonly<Record<string, Child>>} values */
export function parts(name, values) {
  return t(name, Object.fromEntries(Object.keys(values).map((key) => [key, `\0${key}\0`])))
    .split("\0").map((part, index) => index % 2 === 1 ? values[part] : part);
}

/** @param {string} what @param {() => HTMLElement} make */
export function veiled(what, make) {
  const show = () => {
    const shown = make();
    shown.tabIndex = -1;
    button.replaceWith(shown);
    shown.focus();
  };
  const name = t("showOf", { name: what });
  const button = h("button.plain", { "aria-label": name, onclick: show }, t("show"));
  return button;
}

/**
 * Read when it is opened.
 * @param {Element} summary
 * @param {() => Promise<readonly Child[]>} make
 * @param {boolean} [open]
 */
export function lazyDetails(summary, make, open) {
  const place = h("div");
  const read = once(async () => fill(place, await make()));
  const ontoggle = async () => {
    if (details.open) await read();
  };
  /** @type {HTMLDetailsElement} */
  const details = h("details", { open, ontoggle }, summary, place);
  return details;
}

/** @param {Pick<CatalogField, "edit"> & Bounds} field @param {any} value */
export function plainValue(field, value) {
  switch (field.edit) {
    case "datetime":
      return timeTag(value);
    case "boolean":
      return h("span", t(value ? "yes" : "no"));
    case "select":
      return h("span", label(value));
    case "tags":
      return h("ul.tags", value.map((/** @type {string} */ tag) => h("li", tag)));
    case "json":
      if (Array.isArray(value.items)) {
        const items = value.items.map((/** @type {unknown} */ item) => h("li", String(item)));
        return h("ul.words", items);
      }
      return h("pre.exact", JSON.stringify(value, roundedFigure, 2));
    case "file":
      return h("ul", value.map((/** @type {string} */ id) => h("li", shownFile(id))));
    case "number":
      return h("span", figureText(field, value));
    default:
      return h("span.words", String(value));
  }
}

/** @param {string} name @param {...(Child | readonly Child[])} value */
export function pair(name, ...value) {
  return [h("dt", name), h("dd", ...value)];
}

/**
 * @param {readonly CatalogField[]} fields
 * @param {Values} values
 * @param {(field: CatalogField, value: any) => Element} [show]
 */
export function valuesList(fields, values, show = shownValue) {
  const present = fields.filter(({ name }) => (values[name] ?? null) !== null);
  const pairs = present.flatMap((field) =>
    pair(field.label ?? label(field.name), show(...asStated(field, values)))
  );
  return pairs.length > 0 && h("dl.values", pairs);
}

/**
 * A field and its value. A time that is stated less precisely is only a date.
 * @type {(field: CatalogField, values: Values) => [CatalogField, any]}
 */
function asStated(field, values) {
  const isDay = field.edit === "datetime" && (values.timePrecision ?? "EXACT") !== "EXACT";
  const value = values[field.name];
  return isDay ? [{ ...field, edit: "text" }, dayText(value)] : [field, value];
}

const MAX_KEY_VALUES = 5;

/**
 * The short values as one line, a status first, and the fields of all others.
 * @param {readonly CatalogField[]} fields
 * @param {Values} values
 */
export function keyValues(fields, values) {
  const unit = fields.find(({ name }) => name === "unit");
  const isShort = (/** @type {CatalogField} */ { name, edit, sensitive }) =>
    ["select", "number", "datetime", "text"].includes(edit) && !/Ids?$|^url$/.test(name) &&
    name !== "unit" && !(sensitive && isVeiling()) && String(values[name]).length <= 60;
  const isStatus = ({ name = "" }) => /status$/i.test(name);
  const present = fields.filter((field) => (values[field.name] ?? null) !== null && isShort(field));
  const chosen = [
    ...present.filter(isStatus),
    ...present.filter((field) => !isStatus(field)),
  ].slice(0, MAX_KEY_VALUES);
  const hasUnit = chosen.some(isOfUnit);
  return {
    line: chosen.length > 0 && h(
      "p.key-values",
      chosen.flatMap((field, index) => [
        index > 0 && " · ",
        ...keyValue(...asStated(field, values), hasUnit && unit ? values.unit : null),
      ]),
    ),
    rest: fields.filter((field) => !chosen.includes(field) && !(hasUnit && field === unit)),
  };
}

/** @param {{ name: string }} field */
function isOfUnit({ name }) {
  return name === "value" || name === "amount";
}

/** @type {(field: CatalogField, value: any, unit: string | null) => (Node | string)[]} */
function keyValue(field, value, unit) {
  switch (field.edit) {
    case "select":
      return [label(value)];
    case "datetime":
      return [`${label(field.name)}: `, ago(value)];
    case "number": {
      const number = figureText(field, value);
      if (isOfUnit(field)) return [unit === null ? number : `${number} ${unit}`];
      return [`${label(field.name)}: ${number}`];
    }
    default:
      return [h("span.words", value)];
  }
}

/** @param {string | null} client Such as "Firefox on Windows", "curl" or "unknown". */
export function clientText(client) {
  const [name = "", system] = (client ?? "unknown").split(" on ");
  const known = name === "unknown" ? t("unknownClient") : name;
  return system === undefined ? known : t("clientOn", { client: known, system });
}

/** ULIDs: time in milliseconds and eighty random bits. */

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** @param {string} ulid */
export function timeOfUlid(ulid) {
  return [...ulid.slice(0, 10)].reduce((time, digit) => time * 32 + DIGITS.indexOf(digit), 0);
}

/** @param {number} time */
export function newUlid(time) {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const begin = Array.from({ length: 10 }, (_, place) => Math.floor(time / 32 ** (9 - place)));
  return [...begin, ...random].map((number) => DIGITS[number % 32]).join("");
}
