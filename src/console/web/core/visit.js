/** Visits a page, as a link does. */

/** @type {() => Promise<void>} */
let redraw = () => Promise.resolve();
let present = new AbortController();

/** @param {() => Promise<void>} draw Draws the page that the address names. */
export function onVisit(draw) {
  redraw = draw;
}

/** Begins the visit of a page, which ends the one before. */
export function beginVisit() {
  present.abort();
  present = new AbortController();
  return present.signal;
}

/** The current visit: aborted when another one begins. */
export function thisVisit() {
  return present.signal;
}

/**
 * Shows a page; the current one is redrawn.
 *
 * @param {string} path
 * @param {AbortSignal} [from] The visit that asked for this: if the person has gone elsewhere since,
 * nothing happens.
 */
export async function visit(path, from) {
  if (location.pathname === path) await redraw();
  else if (from?.aborted !== true) location.assign(path);
}
