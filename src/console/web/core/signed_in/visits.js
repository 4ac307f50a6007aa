/** Loads the page of an address. */

import { blockLeaving } from "../acts/unsaved.js";
import { loadArea } from "../base/language.js";
import { notLoaded } from "../base/visits.js";
import { missing, notFound } from "../names.js";
import { findPage } from "./pages.js";
import { start } from "./start.js";

/** Whether a module failed to load: browsers do not try it again before a reload. */
let isBroken = false;

export function needsReload() {
  return isBroken;
}

/** @param {string} pathname @param {Promise<void>} language */
export async function loadPage(pathname, language) {
  const found = findPage(pathname);
  const id = found?.params.id ?? "0".repeat(26);
  // Nothing has another identifier, so nothing is requested.
  if (found === null || !/^[0-9A-HJKMNP-TV-Z]{26}$/.test(id)) {
    // The palette and dialogs have texts of records, too.
    await Promise.all([start(), language.then(() => loadArea("records"))]);
    return { page: found === null ? notFound : () => missing(pathname, ""), params: {} };
  }
  const loadAreas = () => Promise.all([loadArea("records"), ...found.areas.map(loadArea)]);
  const others = Promise.all([start(), language.then(loadAreas)]);
  const loaded = found.load().catch(() => {
    isBroken = true;
    return notLoaded();
  });
  const [page] = await Promise.all([loaded, others]);
  return { page, params: found.params };
}

/**
 * Draws a link's page without loading the shell; leaves other links to the browser.
 * @param {NavigateEvent} event
 * @param {(event: NavigateEvent) => Promise<void>} show
 */
export function interceptVisit(event, show) {
  const { pathname, search } = new URL(event.destination.url);
  const isPage = event.canIntercept && !event.hashChange && event.downloadRequest === null &&
    event.formData === null &&
    findPage(pathname) !== null;
  // `replace` is not a visit, and a reload must load everything.
  if (!isPage || !["push", "traverse"].includes(event.navigationType)) return;
  if (blockLeaving(event) || isBroken) return;
  // `returnToPlace` finds the followed link.
  if (event.navigationType === "push") {
    globalThis.navigation.updateCurrentEntry({ state: pathname + search });
  }
  event.intercept({ handler: () => show(event), focusReset: "manual", scroll: "manual" });
}

/**
 * Scrolls to the link that the reader had followed; false if the visit is not a return.
 * @param {NavigateEvent | undefined} event
 */
export function returnToPlace(event) {
  if (event?.navigationType !== "traverse") return false;
  const left = globalThis.navigation.currentEntry?.getState();
  const link = [...document.querySelectorAll("main a")].find((one) =>
    one.getAttribute("href") === left
  );
  event.scroll();
  if (!(link instanceof HTMLElement)) return false;
  const { id } = link.closest(".menu") ?? link;
  // A link of a closed menu cannot have the focus.
  const shown = document.querySelector(`[popovertarget="${id}"]`) ?? link;
  if (shown instanceof HTMLElement) shown.focus({ preventScroll: true });
  return true;
}
