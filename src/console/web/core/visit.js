/** Goes to a page as a link does. */

/** @type {() => Promise<void>} */
let redraw = () => Promise.resolve();

/** @param {() => Promise<void>} draw Draws the page that the address names. */
export function onVisit(draw) {
  redraw = draw;
}

/**
 * Shows a page; the present one is drawn anew.
 *
 * @param {string} path
 */
export async function visit(path) {
  if (location.pathname === path) await redraw();
  else location.assign(path);
}
