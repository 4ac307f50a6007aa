/** What only those need who are signed in: the pages, the ways to them, and what works on every one. */

import { startKeys } from "./keys.js";
import { loadLabels } from "./label_language.js";
import { startPrinting } from "./paper.js";

export { findPage } from "../pages.js";
export { leavePlace, returnToPlace } from "./place.js";

/** @type {Promise<void> | undefined} */
let started;

/** Begins it all, once. */
export function start() {
  started ??= begin().catch((error) => {
    started = undefined;
    throw error;
  });
  return started;
}

async function begin() {
  await loadLabels();
  startKeys();
  startPrinting();
}
