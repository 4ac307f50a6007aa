/** Forms with unsaved changes: saved before the page is left, or else the person is asked. */

import { notLoaded } from "./not_loaded.js";
import { thisVisit } from "./visit.js";
import { textsOf } from "../fields/field_texts.js";

/**
 * @typedef {object} WatchedForm
 * @property {() => boolean} isUnsaved
 * @property {() => unknown} [save] Saves what it can.
 * @property {() => void} [cancel] Cancels a pending save.
 */

/** Maximum wait for saving when a page is left. */
const SAVE_TIMEOUT_MS = 2_000;

/** @type {Set<WatchedForm>} */
const all = new Set();
/**
 * Open questions by act: a closed or rejected one reopens with its text, as the same act.
 *
 * @type {Map<string, { texts: Readonly<Record<string, string>>, sendAct: import("./repeatable.js").Send }>}
 */
export const questions = new Map();
let isAsking = false;

/**
 * Watches a form until its page is left and it is saved.
 *
 * @param {WatchedForm} form
 */
export function watchForm(form) {
  all.add(form);
  const left = () => form.isUnsaved() || all.delete(form);
  thisVisit().addEventListener("abort", left, { once: true });
}

/**
 * Watches fields that are saved only by sending.
 *
 * @param {readonly import("../fields/field.js").Field[]} fields
 * @returns {() => void} Call it once they are sent.
 */
export function watchFields(fields) {
  const held = () => JSON.stringify(textsOf(fields));
  let sent = held();
  const isShown = () => fields.some(({ element }) => element.isConnected);
  watchForm({ isUnsaved: () => isShown() && held() !== sent });
  return () => {
    sent = held();
  };
}

function unsavedForms() {
  return [...all].filter(({ isUnsaved }) => isUnsaved());
}

function saveNow() {
  return unsavedForms().map(({ save }) => save?.());
}

/** @returns {Promise<number>} how many forms remain unsaved. */
export async function saveForms() {
  const saving = saveNow();
  const { promise: waited, resolve } = Promise.withResolvers();
  const timer = setTimeout(resolve, SAVE_TIMEOUT_MS);
  await Promise.race([Promise.allSettled(saving), waited]);
  clearTimeout(timer);
  return unsavedForms().length;
}

/** True if forms are saved, or the person discards them. */
export async function confirmLeave() {
  if (isAsking) return false;
  isAsking = true;
  try {
    const count = await saveForms();
    if (count === 0) return true;
    const { askLeave } = await import("./ask_leave.js").catch(notLoaded);
    const isDiscarded = await askLeave(count);
    if (isDiscarded) discardForms();
    return isDiscarded;
  } finally {
    isAsking = false;
  }
}

export function discardForms() {
  for (const { cancel } of all) cancel?.();
  all.clear();
  questions.clear();
}

/**
 * Stops a navigation that would lose changes; repeats it if the person agrees.
 *
 * @param {NavigateEvent} event
 * @returns {boolean} false if it continues: nothing is unsaved, or the browser cannot stop it.
 */
export function blockLeaving(event) {
  saveNow();
  if (unsavedForms().length === 0 || !event.cancelable) return false;
  event.preventDefault();
  const { destination: { url, key }, navigationType } = event;
  void confirmLeave().then((isFree) => {
    if (!isFree) return;
    if (navigationType === "traverse") globalThis.navigation.traverseTo(key);
    else location.assign(url);
  });
  return true;
}

/** Also saves, or asks, when the browser leaves the page. */
export function startWatching() {
  addEventListener("beforeunload", (event) => {
    saveNow();
    if (unsavedForms().length > 0) event.preventDefault();
  });
  addEventListener("pagehide", saveNow);
  document.addEventListener("visibilitychange", saveNow);
}
