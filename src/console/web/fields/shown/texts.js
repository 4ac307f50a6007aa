/** Values as texts, and back. */

import { t } from "../../core/base/language.js";
import { label } from "../../core/names.js";

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

/** Only if they are required. @type {Texts} */
const FIRST_OF_REQUIRED = {
  commitmentType: "OUTGOING",
  importance: "3",
  mediaType: "PHOTO",
  reviewType: "WEEKLY",
};

/** @type {(fields: readonly FirstField[], now: string) => Record<string, string>} */
export function firstTexts(fields, now) {
  const texts = fields.map((field) => [field.name, firstText(field, now)]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

/** @param {FirstField} field @param {string} now */
function firstText({ name, required, options = [] }, now) {
  if (NOW.includes(name)) return now;
  const first = FIRST[name];
  if (first !== undefined || !required) return first ?? "";
  if (name === "area") return t("generalArea");
  return FIRST_OF_REQUIRED[name] ?? (options.includes("OTHER") ? "OTHER" : "");
}

/** Long texts with the subject of a record. */
const SUBJECTS = ["question", "statement"];

/** The fields before "More", unless more are required. */
const SHORT = 6;

/**
 * Required fields first, long texts except for subjects last among them, then those that
 * matter; or one question first. `shown` counts those before "More".
 * @template {{ name: string, required: boolean, edit?: string }} Field
 * @param {readonly Field[]} fields
 * @param {readonly string[]} [matters]
 * @param {string} [question]
 */
export function inOrder(fields, matters = [], question) {
  if (question !== undefined) {
    const isAsked = (/** @type {Field} */ { name }) => Number(name === question);
    return { fields: fields.toSorted((a, b) => isAsked(b) - isAsked(a)), shown: 1 };
  }
  const { required: first = [], matters: second = [], others = [] } = Object.groupBy(
    fields,
    ({ name, required }) => required ? "required" : matters.includes(name) ? "matters" : "others",
  );
  const isLong = (/** @type {Field} */ { name, edit }) =>
    Number(edit === "textarea" && !SUBJECTS.includes(name));
  const needed = first.toSorted((a, b) => isLong(a) - isLong(b));
  const ordered = [...needed, ...second, ...others];
  return { fields: ordered, shown: Math.max(first.length, SHORT) };
}
