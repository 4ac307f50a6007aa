/** Stored values as a reader sees them. */

import { fill, h, locale, numberText, send, t, timeTag, timeText } from "../core/base.js";
import { label } from "../core/names.js";

/** As `2026-11-22T09:30`; seconds only if not zero. @param {Date} time */
export function localTime(time) {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().replace(/(:00)?\.000Z$/, "").replace(/Z$/, "");
}

/** Formats an offset as `+01:00`. @param {Date} time */
export function offsetOf(time) {
  const minutes = -time.getTimezoneOffset();
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The API's format, with the UTC offset; empty for an empty text. @param {string} local */
export function toInstant(local) {
  if (local === "") return "";
  const seconds = /T\d\d:\d\d$/.test(local) ? ":00" : "";
  return `${local}${seconds}${offsetOf(new Date(local))}`;
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

/** @type {Map<string, any>} */
const formats = new Map();

/**
 * Cached: creating a formatter costs a hundred uses.
 * @template Format
 * @param {string} name
 * @param {(locale: string) => Format} make
 * @returns {Format}
 */
function formatOf(name, make) {
  const key = `${name} ${locale()}`;
  const format = formats.get(key) ?? make(locale());
  formats.set(key, format);
  return format;
}

function relativeFormat() {
  const options = /** @type {const} */ ({ numeric: "auto" });
  return formatOf("relative", (locale) => new Intl.RelativeTimeFormat(locale, options));
}

/** @param {number} days */
export function daysText(days) {
  return relativeFormat().format(days, "day");
}

/** By the calendar of this device, as "today" or "6 days ago". @param {string} time */
export function sinceDayText(time) {
  const days = daysBetween(new Date(), new Date(time));
  if (Math.abs(days) < 60) return daysText(days);
  const months = Math.round(days / 30.44);
  if (Math.abs(months) < 24) return relativeFormat().format(months, "month");
  return relativeFormat().format(Math.round(days / 365.25), "year");
}

/** How long ago or how far ahead, within a day by the clock. @param {string} time */
function sinceText(time) {
  const minutes = Math.trunc((Date.parse(time) - Date.now()) / 60_000);
  if (minutes === 0) return t("justNow");
  if (Math.abs(minutes) < 60) return relativeFormat().format(minutes, "minute");
  const hours = Math.trunc(minutes / 60);
  return Math.abs(hours) < 12 ? relativeFormat().format(hours, "hour") : sinceDayText(time);
}

/**
 * The heading of a day: today and tomorrow, the weekday within a week, then the date.
 * @param {Date} day
 * @param {number} days
 */
export function dayHeading(day, days) {
  const date = /** @type {const} */ ({ month: "long", day: "numeric" });
  const text = days < 2 ? daysText(days) : new Intl.DateTimeFormat(locale(), {
    weekday: "long",
    ...(days >= 7 && date),
  }).format(day);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function contactNow() {
  return { contactedAt: thisMinute(), channel: "OTHER", direction: "MUTUAL", privacy: "NORMAL" };
}

/** Seconds would be too precise. */
export function thisMinute() {
  return new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
}

/** A day with its weekday. @param {Date} day */
export function dateText(day) {
  return formatOf("date", (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "full" }))
    .format(day);
}

/** A day in words near today, otherwise its date. @param {string} time */
export function nearDayText(time) {
  const days = daysBetween(new Date(), new Date(time));
  return Math.abs(days) < 7 ? daysText(days) : dayText(time);
}

/** @param {string | number} time */
export function dayText(time) {
  return formatOf("day", (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }))
    .format(new Date(time));
}

/** @param {string} time */
export function clockText(time) {
  return formatOf("clock", (locale) => new Intl.DateTimeFormat(locale, { timeStyle: "short" }))
    .format(new Date(time));
}

/** @param {number} share */
export function shareText(share) {
  return new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 1 })
    .format(share);
}

/**
 * A share of one as a percentage.
 * @param {{ minimum?: number, maximum?: number }} field
 * @param {number} value
 */
export function figureText({ minimum, maximum }, value) {
  return minimum === 0 && maximum === 1 ? shareText(value) : numberText(value);
}

/** @param {number} count @param {Sentence} name Singular and plural, separated by a bar. */
export function counted(count, name) {
  const rules = formatOf("plural", (locale) => new Intl.PluralRules(locale));
  const at = rules.select(count) === "one" ? 0 : 1;
  return t(name, { count: numberText(count) }).split("|")[at] ?? "";
}

/** @param {number} bytes */
export function sizeText(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit: units[step],
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
}

/** @param {number} seconds */
export function agoText(seconds) {
  const hours = Math.round(seconds / 3600);
  const format = relativeFormat();
  return hours < 48 ? format.format(-hours, "hour") : format.format(-Math.round(hours / 24), "day");
}

/** Converts payload values to and from texts. */

/** @param {TypedField} field @param {unknown} value */
export function toText({ edit }, value) {
  if (value === undefined) return "";
  if (edit === "json") return JSON.stringify(value, null, 2);
  if (edit === "tags") return Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : "";
  return String(value);
}

/**
 * For comparisons: one line per list entry, labels of options. Different values have different texts.
 * @param {TypedField} field
 * @param {unknown} value
 */
export function toComparedText(field, value) {
  if (field.edit === "tags" && Array.isArray(value)) return value.join("\n");
  return field.edit === "select" && typeof value === "string" ? label(value) : toText(field, value);
}

/** @type {(name: string, value: any) => any} */
export const roundedFigure = (_, value) =>
  typeof value === "number" ? Number(value.toFixed(3)) : value;

/**
 * Undefined for an empty text, null for an invalid one.
 * @param {TypedField} field
 * @param {string} text
 */
export function toValue({ edit }, text) {
  if (text.trim() === "") return undefined;
  if (edit === "boolean") return text === "true";
  // Ids contain no comma.
  if (edit === "file") return text.split(",");
  if (edit === "number") return Number.isFinite(Number(text)) ? Number(text) : null;
  if (edit !== "json" && edit !== "tags") return text;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The changes to a payload. Untouched fields are omitted, so their values stay exact.
 * @param {readonly TypedField[]} fields
 * @param {Readonly<Record<string, unknown>>} payload
 * @param {Readonly<Record<string, string>>} texts
 * @returns {{ set: Record<string, unknown>, remove: string[], wrong: string[] }} `wrong` names fields with
 *   invalid texts.
 */
export function changesOf(fields, payload, texts) {
  const set = /** @type {Record<string, unknown>} */ ({});
  const remove = /** @type {string[]} */ ([]);
  const wrong = /** @type {string[]} */ ([]);
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

/**
 * A field that the catalog does not describe.
 * @param {string} name
 * @param {CatalogField["edit"]} edit
 * @param {Partial<CatalogField>} [more]
 * @returns {CatalogField}
 */
export function optional(name, edit, more = {}) {
  return { name, edit, required: false, sensitive: false, ...more };
}

/** @type {typeof optional} */
export function needed(name, edit, more = {}) {
  return { ...optional(name, edit, more), required: true };
}

const FIRST = /** @type {Readonly<Record<string, string>>} */ ({
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
});
const NOW = ["measuredAt", "capturedAt"];

/** @param {readonly { name: string }[]} fields @param {string} now */
export function firstTexts(fields, now) {
  const texts = fields.map(({ name }) => [name, NOW.includes(name) ? now : FIRST[name] ?? ""]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

/** The fields before "More": all required ones, and of the others those that matter, then the first. */
const SHORT = 6;

/**
 * Required fields first, then those that matter.
 * @template {{ name: string, required: boolean }} Field
 * @param {readonly Field[]} fields
 * @param {readonly string[]} [matters]
 * @returns {{ fields: Field[], shown: number }} `shown` counts those before "More".
 */
export function inOrder(fields, matters = []) {
  const rank = (/** @type {Field} */ { name, required }) =>
    required ? 0 : matters.includes(name) ? 1 : 2;
  const ordered = fields.toSorted((one, other) => rank(one) - rank(other));
  const required = ordered.filter(({ required }) => required).length;
  // One or two folded fields would not make a form shorter.
  const isShort = fields.length <= SHORT;
  return { fields: ordered, shown: isShort ? fields.length : Math.max(required, SHORT) };
}

const API = "/api/v2/attachments";
const HEIGHT = 128;

const remove = (/** @type {Event} */ { currentTarget }) =>
  /** @type {Element} */ (currentTarget).remove();

/** @param {string} id */
function shownFile(id) {
  const file = { attachmentId: id, filename: t("download"), mediaType: "" };
  const place = h("span", fileParts(file));
  // The link works without its name.
  send("GET", `${API}/${encodeURIComponent(id)}`)
    .then(({ data }) => {
      const hadFocus = place.contains(document.activeElement);
      fill(place, fileParts(data));
      if (hadFocus) place.querySelector("a")?.focus();
    })
    .catch(() => {});
  return place;
}

/** @type {(file: FileName) => HTMLElement[]} */
export function fileParts({ attachmentId, filename, mediaType }) {
  const content = `${API}/${encodeURIComponent(attachmentId)}/content`;
  const link = h("a.words", { href: content, download: true }, filename);
  if (!mediaType.startsWith("image/")) return [link];
  // Scripts in pictures do not run. A broken picture leaves its link.
  const shown = { src: content, alt: "", loading: "lazy", height: HEIGHT };
  const picture = h("img", { ...shown, onerror: remove });
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
    { datetime: time, title: exact },
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
  const show = (/** @type {Event} */ { currentTarget }) => {
    const shown = make();
    shown.tabIndex = -1;
    /** @type {Element} */ (currentTarget).replaceWith(shown);
    shown.focus();
  };
  const name = t("showOf", { name: what });
  return h("button.plain", { "aria-label": name, onclick: show }, t("show"));
}

/** @param {Pick<CatalogField, "edit" | "minimum" | "maximum">} field @param {any} value */
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
  return present.length > 0 && h(
    "dl.values",
    present.flatMap((field) =>
      pair(field.label ?? label(field.name), show(field, values[field.name]))
    ),
  );
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
        ...keyValue(field, values[field.name], hasUnit && unit ? values.unit : null),
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

/**
 * Such as "Firefox on Windows" or "curl", in the page's language.
 * @param {string | null} client Null or "unknown" for none.
 */
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
  const begin = Array.from(
    { length: 10 },
    (_, place) => DIGITS[Math.floor(time / 32 ** place) % 32],
  );
  return begin.reverse().join("") + Array.from(random, (byte) => DIGITS[byte % 32]).join("");
}
