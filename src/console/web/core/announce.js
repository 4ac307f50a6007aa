/** One line that says what has happened, for eyes and for screen readers. */

import { byId } from "./dom.js";

const SHOWN_MS = 6_000;
let timer = 0;

/** @param {string} text */
export function announce(text) {
  const status = byId("status");
  clearTimeout(timer);
  status.textContent = text;
  timer = setTimeout(() => status.textContent = "", SHOWN_MS);
}
