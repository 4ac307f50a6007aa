/** Drafts that the browser stores. */

import { draftOwner, isShared, storage } from "../base/session.js";

/** Well within the 30 days for which services remember keys. */
export const KEPT_MS = 14 * 86_400_000;

/**
 * One draft per form and account, in the browser only. Sensitive fields are removed with the tab;
 * on a shared computer all of it is.
 * @param {string} path
 * @param {Draft} draft
 * @param {ReadonlySet<string>} sensitive Names of fields that must not outlive the tab.
 * @returns {boolean} false if the browser has no room.
 */
export function keepDraft(path, draft, sensitive) {
  // A sign-out may clear the browser before a form stores its text.
  if (draftOwner() === "") return true;
  const store = (/** @type {Storage} */ place, /** @type {boolean} */ isBrief) => {
    const kept = Object.entries(draft.texts).filter(([name]) =>
      (isShared() || sensitive.has(name)) === isBrief
    );
    const texts = Object.fromEntries(kept);
    place.setItem(nameOf(path), JSON.stringify({ ...draft, texts }));
  };
  try {
    store(sessionStorage, true);
    if (!isShared()) store(localStorage, false);
    return true;
  } catch {
    return false;
  }
}

/** @type {(path: string) => Draft | null} */
export function readDraft(path) {
  const [lasting, brief] = places().map((place) => parseStored(place, nameOf(path)));
  // Text of this tab only has its own seed, independent of other tabs.
  const isOfTab = Object.keys(brief?.texts ?? {}).length > 0;
  const draft = isShared() || (lasting === null && isOfTab) ? brief : lasting;
  if (draft === null) return null;
  const { seed, sent, base } = isOfTab ? brief : draft;
  return { ...draft, seed, sent, base, texts: { ...draft.texts, ...brief?.texts } };
}

/** @param {string} path */
export function dropDraft(path) {
  for (const place of places()) place.removeItem(nameOf(path));
}

/** Newest first. */
export function listDrafts() {
  const place = storage();
  const drafts = Object.keys(place).filter((name) => name.startsWith(nameOf(""))).map((name) => {
    const path = name.slice(nameOf("").length);
    const { at = 0, texts = {} } = readDraft(path) ?? {};
    return { path, at, isEmpty: Object.keys(texts).length === 0 };
  });
  // A draft of sensitive text only ends with its tab.
  return drafts.filter(({ isEmpty }) => !isEmpty).sort((a, b) => b.at - a.at);
}

export function places() {
  return [localStorage, sessionStorage];
}

/** @param {string} path */
function nameOf(path) {
  return `draft:${draftOwner()}:${path}`;
}

/** Another tab has changed the page's draft. @param {StorageEvent} event @param {string} path */
export function isOfDraft({ key, newValue }, path) {
  return key === nameOf(path) && newValue !== null;
}

/** Removes those of every account. */
export function removeOldDrafts() {
  for (const place of places()) {
    for (const name of Object.keys(place).filter((name) => /^(draft|unsent):/.test(name))) {
      const at = parseStored(place, name)?.at ?? 0;
      if (at < Date.now() - KEPT_MS) place.removeItem(name);
    }
  }
}

/** @param {Storage} place @param {string} name */
export function parseStored(place, name) {
  try {
    return JSON.parse(place.getItem(name) ?? "null");
  } catch {
    return null;
  }
}
