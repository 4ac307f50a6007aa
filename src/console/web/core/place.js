/** The place in a page from which one left it, to which one comes back. */

/**
 * Remembers in the page that is being left where its reader goes.
 *
 * @param {NavigateEvent} event
 */
export function leavePlace({ destination, navigationType }) {
  if (navigationType !== "push") return;
  const { pathname, search } = new URL(destination.url);
  globalThis.navigation.updateCurrentEntry({ state: { left: pathname + search } });
}

/**
 * Goes to the place in a page that a reader comes back to: the link that was followed, where it was on the
 * screen.
 *
 * @param {NavigateEvent | undefined} event
 * @returns {boolean} false where the visit is not a way back.
 */
export function returnToPlace(event) {
  if (event?.navigationType !== "traverse") return false;
  const { left } = /** @type {any} */ (globalThis.navigation.currentEntry?.getState()) ?? {};
  const link = [...document.querySelectorAll("main a")].find((one) =>
    one.getAttribute("href") === left
  );
  event.scroll();
  if (!(link instanceof HTMLElement)) return false;
  link.focus({ preventScroll: true });
  return true;
}
