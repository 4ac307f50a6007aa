/** Forms with unsaved text. */

import { ask } from "../../fields/controls/forms.js";
import { counted } from "../../fields/shown/figures.js";
import { t } from "../base/language.js";
import { wait } from "../base/timing.js";
import { thisVisit } from "../base/visits.js";
import { textsOf } from "./texts.js";

const SAVE_TIMEOUT_MS = 2_000;

/** Saved before the page is left, or else the person is asked. @type {Set<WatchedForm>} */
const all = new Set();

/**
 * Open questions by act: a closed or rejected one reopens with its text, as the same act.
 * @type {Map<string, { texts: Texts, sendAct: ProvenSend }>}
 */
export const questions = new Map();

let isAsking = false;

/** Watches a form until its page is left and it is saved. @param {WatchedForm} form */
export function watchForm(form) {
  all.add(form);
  const left = () => form.isUnsaved() || all.delete(form);
  thisVisit().addEventListener("abort", left, { once: true });
}

/** Returns a function that ends the watch: they are sent. @param {readonly Field[]} fields */
export function watchFields(fields) {
  const held = () => JSON.stringify(textsOf(fields));
  let sent = held();
  const isShown = () => fields.some(({ element }) => element.isConnected);
  watchForm({ isUnsaved: () => isShown() && held() !== sent });
  return () => {
    sent = held();
  };
}

const unsavedForms = () => [...all].filter(({ isUnsaved }) => isUnsaved());

const saveNow = () => unsavedForms().map(({ save }) => save?.());

/** Returns how many forms remain unsaved. */
export async function saveForms() {
  await Promise.race([Promise.allSettled(saveNow()), wait(SAVE_TIMEOUT_MS)]);
  return unsavedForms().length;
}

/** True if forms are saved, or the person discards them. */
export async function confirmLeave() {
  if (isAsking) return false;
  isAsking = true;
  try {
    const count = await saveForms();
    if (count === 0) return true;
    const [title, text] = [t("leaveQuestion"), counted(count, "unsavedForms")];
    const isDiscarded = await ask({ title, text, action: t("leave") }, async () => {});
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
 * Stops a navigation that would lose changes; repeats it if the person agrees. False if nothing is
 * unsaved, or the browser cannot stop it.
 * @param {NavigateEvent} event
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
