/**
 * Forms with unsaved changes. Before the page is left they are saved; if that is impossible, the person is
 * asked.
 */

import { notLoaded } from "./not_loaded.js";
import { thisVisit } from "./visit.js";
import { textsOf } from "../fields/field_texts.js";

/**
 * @typedef {object} WatchedForm A form or a dialog.
 * @property {() => boolean} isUnsaved
 * @property {() => unknown} [save] Saves what it can; a promise if that takes time.
 * @property {() => void} [cancel] Cancels a pending save.
 */

/** How long leaving a page waits for forms that are being saved. */
const SAVE_TIMEOUT_MS = 2_000;

/** @type {Set<WatchedForm>} */
const all = new Set();
/**
 * Open questions by their acts: one that was closed, or whose answer the service rejected, is opened again
 * with the same text, and its act is the same one.
 *
 * @type {Map<string, { texts: Readonly<Record<string, string>>, sendAct: import("./repeatable.js").Send }>}
 */
export const questions = new Map();
let isAsking = false;

/**
 * Watches a form while its page is shown, and after that until it is saved.
 *
 * @param {WatchedForm} form
 */
export function watchForm(form) {
  all.add(form);
  const left = () => form.isUnsaved() || all.delete(form);
  thisVisit().addEventListener("abort", left, { once: true });
}

/**
 * Watches fields that are saved nowhere before they are sent.
 *
 * @param {readonly import("../fields/field.js").Field[]} fields
 * @returns {() => void} Called once it is sent.
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

/**
 * Saves the forms that can be saved.
 *
 * @returns {Promise<number>} how many forms have unsaved changes after that.
 */
export async function saveForms() {
  const saving = saveNow();
  const { promise: waited, resolve } = Promise.withResolvers();
  const timer = setTimeout(resolve, SAVE_TIMEOUT_MS);
  await Promise.race([Promise.allSettled(saving), waited]);
  clearTimeout(timer);
  return unsavedForms().length;
}

/** Returns whether the page may be left or reloaded: its forms are saved, or the person discards them. */
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

/** Discards all forms and questions. */
export function discardForms() {
  for (const { cancel } of all) cancel?.();
  all.clear();
  questions.clear();
}

/**
 * Stops a navigation if unsaved changes would be lost, and repeats it after the person agreed.
 *
 * @param {NavigateEvent} event
 * @returns {boolean} false if it continues: nothing is unsaved, or the browser does not allow it to be
 * stopped.
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

/** Saves forms also when the browser leaves the page, and has it ask if they cannot be saved. */
export function startWatching() {
  addEventListener("beforeunload", (event) => {
    saveNow();
    if (unsavedForms().length > 0) event.preventDefault();
  });
  addEventListener("pagehide", saveNow);
  document.addEventListener("visibilitychange", saveNow);
}
