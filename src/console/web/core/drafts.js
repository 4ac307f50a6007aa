/**
 * One draft per form and account, in the browser only. Sensitive fields are removed with the tab;
 * on a shared computer all of it is.
 */

import { draftOwner, isShared } from "./session.js";

/**
 * @typedef {object} Draft
 * @property {number | null} base The changed revision; null for a new object.
 * @property {string} seed The prefix of the Idempotency-Keys.
 * @property {string | null} sent The key under which the current text was sent; null if it was not.
 * @property {number} at Last change, in milliseconds since 1970.
 * @property {Readonly<Record<string, string>>} texts
 */

const PREFIX = "draft:";
const KEPT_MS = 14 * 86_400_000;
/** The pause between a keystroke and storing. */
const DELAY_MS = 300;

/**
 * @param {string} path
 * @param {Draft} draft
 * @param {ReadonlySet<string>} sensitive Names of fields that must not outlive the tab.
 * @returns {boolean} false if the browser has no room.
 */
export function keepDraft(path, draft, sensitive) {
  // A sign-out may clear the browser before a form stores its text.
  if (draftOwner() === "") return true;
  const isBrief = (/** @type {string} */ name) => isShared() || sensitive.has(name);
  const part = (/** @type {boolean} */ brief) =>
    Object.fromEntries(Object.entries(draft.texts).filter(([name]) => isBrief(name) === brief));
  try {
    sessionStorage.setItem(nameOf(path), JSON.stringify({ ...draft, texts: part(true) }));
    if (isShared()) return true;
    localStorage.setItem(nameOf(path), JSON.stringify({ ...draft, texts: part(false) }));
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} path
 * @returns {Draft | null}
 */
export function readDraft(path) {
  const [lasting, brief] = [localStorage, sessionStorage].map((place) =>
    parseStored(place.getItem(nameOf(path)))
  );
  // Text of this tab only has its own seed, independent of other tabs.
  const isOfTab = Object.keys(brief?.texts ?? {}).length > 0;
  const draft = isShared() || (lasting === null && isOfTab) ? brief : lasting;
  if (draft === null) return null;
  const { seed, sent, base } = isOfTab ? brief : draft;
  return { ...draft, seed, sent, base, texts: { ...draft.texts, ...brief?.texts } };
}

/** @param {string} path */
export function dropDraft(path) {
  for (const place of [localStorage, sessionStorage]) place.removeItem(nameOf(path));
}

/** Newest first. */
export function listDrafts() {
  const place = isShared() ? sessionStorage : localStorage;
  const drafts = Object.keys(place).filter((name) => name.startsWith(nameOf(""))).map((name) => {
    const path = name.slice(nameOf("").length);
    const { at = 0, texts = {} } = readDraft(path) ?? {};
    return { path, at, isEmpty: Object.keys(texts).length === 0 };
  });
  // A draft of sensitive text only ends with its tab.
  return drafts.filter(({ isEmpty }) => !isEmpty).sort((a, b) => b.at - a.at);
}

/** @param {string} path */
function nameOf(path) {
  return `${PREFIX}${draftOwner()}:${path}`;
}

/**
 * Debounces work.
 *
 * @param {() => void} work
 * @param {number} [delay] Milliseconds.
 */
export function delayed(work, delay = DELAY_MS) {
  let timer = 0;
  const cancel = () => {
    clearTimeout(timer);
    timer = 0;
  };
  const now = () => {
    cancel();
    work();
  };
  return {
    cancel,
    isDue: () => timer !== 0,
    now,
    soon() {
      clearTimeout(timer);
      timer = setTimeout(now, delay);
    },
  };
}

/**
 * Whether a storage event is another tab's change of the page's draft.
 *
 * @param {StorageEvent} event
 * @param {string} path
 */
export function isOfDraft({ key, newValue }, path) {
  return key === nameOf(path) && newValue !== null;
}

/** Removes the drafts of every account after two weeks. */
export function removeOldDrafts() {
  for (const place of [localStorage, sessionStorage]) {
    for (const name of Object.keys(place).filter((name) => /^(draft|unsent):/.test(name))) {
      const at = parseStored(place.getItem(name))?.at ?? 0;
      if (at < Date.now() - KEPT_MS) place.removeItem(name);
    }
  }
}

/**
 * Null if missing or invalid.
 *
 * @param {string | null} text
 */
export function parseStored(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
