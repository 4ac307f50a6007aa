/** References to stored things, shown by their titles. */

import { ApiError, hasCode } from "../core/base/api.js";
import { fill, h, link } from "../core/base/elements.js";
import { failureText, t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { send } from "../core/base/sender.js";
import { may } from "../core/base/session.js";
import { thisVisit } from "../core/base/visits.js";
import { KINDS, label, labelOfOne, modulePath, recordPath } from "../core/names.js";

const PEOPLE_API = "/api/v2/relationship/people";

/**
 * By the names of `isReference`.
 * @type {Readonly<Record<string, Reference>>}
 */
export const REFERENCES = {
  parentId: { of: "action", to: "action" },
  counterparty: { of: "commitment", to: "relationship", isName: true, isText: true },
  memberIds: { of: "community", to: "relationship" },
  experimentId: { of: "health" },
  evidenceIds: { of: "personal-model", isText: true },
  counterEvidenceIds: { of: "personal-model", isText: true },
  contextRefs: { of: "ai-agent", isText: true },
  sourceRefs: { of: "publication", isText: true },
  sourceRef: {},
  targetModule: { isModule: true },
};

export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * By visit: a page names each thing once.
 * @type {WeakMap<AbortSignal, Map<string, Promise<Named>>>}
 */
const known = new WeakMap();

/** @param {Reference} reference @param {string} value @returns {Promise<Named>} */
export function nameOf(reference, value) {
  const { to = "", isName, isModule } = reference;
  if (isModule) return Promise.resolve(nameOfModule(value));
  if (!isName && !ULID.test(value)) return Promise.resolve({ value, text: value });
  const visit = thisVisit();
  const names = known.get(visit) ?? new Map();
  known.set(visit, names);
  const key = JSON.stringify([to, value]);
  const name = names.get(key) ?? (isName ? nameOfPerson(value) : nameOfRecord(to, value));
  names.set(key, name);
  return name;
}

/** @param {string} value A code; the API accepts other words, too. @returns {Named} */
export function nameOfModule(value) {
  const isKnown = Object.values(KINDS).some((codes) => codes.includes(value));
  return isKnown ? { value, text: label(value), href: modulePath(value) } : { value, text: value };
}

/**
 * A name leads to a person while exactly one has it.
 * @param {string} value
 * @returns {Promise<Named>}
 */
async function nameOfPerson(value) {
  const found = may("relationship.person.read") ? await peopleNamed(value) : [];
  const href = found.length === 1 ? recordPath("relationship", found[0].personId) : undefined;
  return { value, text: value, href };
}

const MAX_EQUAL_NAMES = 10;

/** Equal names come first, because people are found in the order of names. @param {string} name */
async function peopleNamed(name) {
  const body = { q: name, limit: MAX_EQUAL_NAMES };
  try {
    const { data } = await send("POST", `${PEOPLE_API}/find`, { body });
    return data.items.filter((/** @type {any} */ { personName }) => isSameName(personName, name));
  } catch (error) {
    // A name without a word, or of too many.
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** Without regard to case and blanks at the ends. @param {string} one @param {string} other */
export function isSameName(one, other) {
  const [first, second] = [one, other].map((name) => name.trim().normalize("NFC").toLowerCase());
  return first === second;
}

/**
 * @param {string} code Empty if it is not known.
 * @param {string} value
 * @returns {Promise<Named>}
 */
async function nameOfRecord(code, value) {
  try {
    const module = code || await moduleOf(value);
    if (module === null) return { value, text: t("notThere") };
    const href = recordPath(module, value);
    const text = await titleOf(module, value);
    return { value, text, href, moduleCode: module, note: labelOfOne(module) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "RECORD_ERASED") return { value, text: t("erased") };
    const isUnknown = hasCode(error, "RECORD_NOT_FOUND");
    return { value, text: isUnknown ? t("notThere") : failureText(error.code) };
  }
}

/** @param {string} code @param {string} id */
async function titleOf(code, id) {
  if (code === "relationship") return (await get(`${PEOPLE_API}/${id}`)).personName;
  const { title, redacted } = await get(`/api/v2/records/${code}/${id}`);
  return redacted ? t("hidden") : title || labelOfOne(code);
}

const MAX_PAGES = 4;

/**
 * No route finds a record by its identifier alone, but its newest entry of the trail names the
 * module. Null if the trail has none.
 * @param {string} id
 */
async function moduleOf(id) {
  const asked = new URLSearchParams({ subjectId: id, limit: "1" });
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, nextCursor } = await get(`/api/v2/audit?${asked}`);
    if (items[0] !== undefined) return items[0].moduleCode;
    if (nextCursor === null) return null;
    asked.set("cursor", nextCursor);
  }
  return null;
}

/** @param {Named} named */
export function namedLink({ text, href }) {
  return href === undefined ? h("span.words", text) : link(href, text, "words");
}

/** @param {Reference} reference @param {string} value */
function shownName(reference, value) {
  const isWord = reference.isText || reference.isModule;
  const place = h("span", isWord ? h("span.words", value) : t("loading"));
  const showWords = () => fill(place, h("span.words", value));
  if (/^https?:/i.test(value)) {
    import("./markdown/places.js")
      .then(({ addressOrWords }) => fill(place, addressOrWords(value)), showWords);
  } else void nameOf(reference, value).then((named) => fill(place, namedLink(named)));
  return place;
}

/** Each costs a request. */
const MAX_NAMED = 8;

/** @param {string} field @param {string | readonly string[]} value */
export function shownNames(field, value) {
  const line = (/** @type {string} */ each) => shownName(REFERENCES[field] ?? {}, each);
  if (typeof value === "string") return line(value);
  const lines = (/** @type {readonly string[]} */ some) => some.map((each) => h("li", line(each)));
  const list = h("ul.tags", lines(value.slice(0, MAX_NAMED)));
  if (value.length <= MAX_NAMED) return list;
  const showAll = () => {
    more.replaceWith(...lines(value.slice(MAX_NAMED)));
    list.tabIndex = -1;
    list.focus();
  };
  const more = h("li", h("button.plain", { onclick: showAll }, t("showAll")));
  list.append(more);
  return list;
}
