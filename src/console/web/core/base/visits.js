/** Visits of pages. */

import { ApiError } from "./api.js";

/** @type {() => Promise<void>} */
let redraw = () => Promise.resolve();

let present = new AbortController();

/** @param {() => Promise<void>} draw */
export function onVisit(draw) {
  redraw = draw;
}

/** Aborts the visit before it. */
export function beginVisit() {
  present.abort();
  present = new AbortController();
  return present.signal;
}

export function thisVisit() {
  return present.signal;
}

/**
 * Visits a page; redraws it if it is the current one.
 * @param {string} path
 * @param {AbortSignal} [from] Does nothing if this visit has ended.
 */
export async function visit(path, from) {
  if (location.pathname === path) await redraw();
  else if (from?.aborted !== true) location.assign(path);
}

/** For a failed `import()`: the connection was lost. @returns {never} */
export function notLoaded() {
  throw new ApiError("NETWORK_ERROR");
}
