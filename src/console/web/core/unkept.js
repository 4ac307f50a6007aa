/**
 * Words that stand in a page and nowhere else: before the page is left they are kept, and where they cannot
 * be, the person is asked.
 */

import { notLoaded } from "./not_loaded.js";
import { thisVisit } from "./visit.js";
import { textsOf } from "../fields/texts.js";

/**
 * @typedef {object} Words What a form or a dialog holds.
 * @property {() => boolean} isUnkept
 * @property {() => unknown} [keep] Keeps them, as far as it can; a promise where that takes time.
 * @property {() => void} [forget] Ends what would keep them later.
 */

/** How long a page that is left waits for what is being kept. */
const PATIENCE_MS = 2_000;

/** @type {Set<Words>} */
const all = new Set();
/**
 * The questions that were begun and are not answered yet, by their acts: one that is closed, or whose answer
 * the service refuses, is opened again with the words that were written, and its act is the same one.
 *
 * @type {Map<string, { texts: Readonly<Record<string, string>>, sendAct: import("./repeatable.js").Send }>}
 */
export const questions = new Map();
let isAsking = false;

/**
 * Watches over words as long as their page is shown, and beyond that until they are kept.
 *
 * @param {Words} words
 */
export function watchWords(words) {
  all.add(words);
  const left = () => words.isUnkept() || all.delete(words);
  thisVisit().addEventListener("abort", left, { once: true });
}

/**
 * Watches over what is kept nowhere until it is sent.
 *
 * @param {readonly import("../fields/field.js").Field[]} fields
 * @returns {() => void} Called once it is sent.
 */
export function watchFields(fields) {
  const held = () => JSON.stringify(textsOf(fields));
  let sent = held();
  const isShown = () => fields.some(({ element }) => element.isConnected);
  watchWords({ isUnkept: () => isShown() && held() !== sent });
  return () => {
    sent = held();
  };
}

function unkept() {
  return [...all].filter(({ isUnkept }) => isUnkept());
}

function keepNow() {
  return unkept().map(({ keep }) => keep?.());
}

/**
 * Keeps what can be kept.
 *
 * @returns {Promise<number>} how many forms hold words that are not.
 */
export async function keepWords() {
  const kept = keepNow();
  const { promise: waited, resolve } = Promise.withResolvers();
  const timer = setTimeout(resolve, PATIENCE_MS);
  await Promise.race([Promise.allSettled(kept), waited]);
  clearTimeout(timer);
  return unkept().length;
}

/** Whether the page may be drawn anew or left: what it holds is kept, or the person gives it up. */
export async function mayLeave() {
  if (isAsking) return false;
  isAsking = true;
  try {
    const count = await keepWords();
    if (count === 0) return true;
    const { askLeave } = await import("./ask_leave.js").catch(notLoaded);
    const isGivenUp = await askLeave(count);
    if (isGivenUp) forgetWords();
    return isGivenUp;
  } finally {
    isAsking = false;
  }
}

/** Lets go of all words. */
export function forgetWords() {
  for (const { forget } of all) forget?.();
  all.clear();
  questions.clear();
}

/**
 * Stops a way out of the page where words would be lost on it, and takes it once that is settled.
 *
 * @param {NavigateEvent} event
 * @returns {boolean} false where the way is free, or the browser lets nothing stop it.
 */
export function holdBack(event) {
  keepNow();
  if (unkept().length === 0 || !event.cancelable) return false;
  event.preventDefault();
  const { destination: { url, key }, navigationType } = event;
  void mayLeave().then((isFree) => {
    if (!isFree) return;
    if (navigationType === "traverse") globalThis.navigation.traverseTo(key);
    else location.assign(url);
  });
  return true;
}

/** Keeps words also where the browser itself leaves the page, and has it ask where they cannot be kept. */
export function startWatching() {
  addEventListener("beforeunload", (event) => {
    keepNow();
    if (unkept().length > 0) event.preventDefault();
  });
  addEventListener("pagehide", keepNow);
  document.addEventListener("visibilitychange", keepNow);
}
