/** Goes to a page as a link does. */

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

/** The present visit: aborted once another one has begun. */
export function thisVisit() {
  return present.signal;
}

/**
 * Shows a page; the present one is drawn anew.
 *
 * @param {string} path
 * @param {AbortSignal} [from] The visit in which this was asked for: a person who has gone elsewhere
 * meanwhile stays there.
 */
export async function visit(path, from) {
  if (location.pathname === path) await redraw();
  else if (from?.aborted !== true) location.assign(path);
}
