/** What only those need who are signed in: the pages, the ways to them, and what works on every one. */

import { startKeys } from "./keys.js";
import { loadLabels } from "./label_language.js";
import { startPrinting } from "./paper.js";
import { loadArea, loadFailures } from "./text.js";
import { startWatching } from "./unkept.js";

export { drawFrame } from "./frame.js";
export { findPage } from "../pages.js";
export { notFound } from "../pages/not_found.js";
export { leavePlace, returnToPlace } from "./place.js";
export { forgetWords, holdBack, mayLeave } from "./unkept.js";

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
  startWatching();
}

/**
 * What has time until a page is shown: sending what was written here before, and what failures and questions
 * say, for when there is no connection.
 */
export async function goOn() {
  const sentences = [loadFailures(), loadArea("unkept")];
  const [{ startOutbox }] = await Promise.all([import("./unsent.js"), ...sentences]);
  startOutbox();
}
