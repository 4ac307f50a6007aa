/**
 * What has been written and not yet kept: one draft for each form of an account, in the browser alone.
 * Sensitive fields live no longer than the tab, and on a shared computer everything does.
 */

import { draftOwner, isShared } from "./session.js";

/**
 * @typedef {object} Draft
 * @property {number | null} base The revision that was changed; null for something new.
 * @property {string} seed What the Idempotency-Keys of the form begin with.
 * @property {string | null} sent The key under which it was sent as it is now; null as long as it was not.
 * @property {number} at When it was last changed, in milliseconds since 1970.
 * @property {Readonly<Record<string, string>>} texts The fields that were changed.
 */

const PREFIX = "draft:";
const KEPT_MS = 14 * 86_400_000;
/** From a keystroke to the draft that holds it. */
const DELAY_MS = 300;

/**
 * Keeps a draft.
 *
 * @param {string} path The page of the form.
 * @param {Draft} draft
 * @param {ReadonlySet<string>} sensitive The names of fields that must not outlive the tab.
 * @returns {boolean} false where the browser has no room for it.
 */
export function keepDraft(path, draft, sensitive) {
  // A form may still be about to keep what is written when a sign-out empties the browser.
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
  // Words of this tab alone go on under their own seed, whatever another tab did with the rest.
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

/** The pages that have a draft, the newest first. */
export function listDrafts() {
  const place = isShared() ? sessionStorage : localStorage;
  const drafts = Object.keys(place).filter((name) => name.startsWith(nameOf(""))).map((name) => {
    const path = name.slice(nameOf("").length);
    const { at = 0, texts = {} } = readDraft(path) ?? {};
    return { path, at, isEmpty: Object.keys(texts).length === 0 };
  });
  // What was sensitive of a draft went with its tab, which can be all of it.
  return drafts.filter(({ isEmpty }) => !isEmpty).sort((a, b) => b.at - a.at);
}

/** @param {string} path */
function nameOf(path) {
  return `${PREFIX}${draftOwner()}:${path}`;
}

/**
 * Keeps what is written a moment after each keystroke, and not for each of them.
 *
 * @param {() => void} work
 */
export function delayed(work) {
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
    /** Whether it is to be done. */
    isDue: () => timer !== 0,
    now,
    soon() {
      clearTimeout(timer);
      timer = setTimeout(now, DELAY_MS);
    },
  };
}

/**
 * Whether a change of the browser's storage is one of a page's draft, made in another tab.
 *
 * @param {StorageEvent} event
 * @param {string} path
 */
export function isOfDraft({ key, newValue }, path) {
  return key === nameOf(path) && newValue !== null;
}

/** Removes what has been left for two weeks, of every account. */
export function removeOldDrafts() {
  for (const place of [localStorage, sessionStorage]) {
    for (const name of Object.keys(place).filter((name) => /^(draft|unsent):/.test(name))) {
      const at = parseStored(place.getItem(name))?.at ?? 0;
      if (at < Date.now() - KEPT_MS) place.removeItem(name);
    }
  }
}

/**
 * What is stored as JSON; null for nothing, and for what is none.
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
