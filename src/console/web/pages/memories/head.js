/** Shared by the pages of one memory. */

import { h } from "../../core/dom.js";
import { TEXTS } from "../../core/memory_drafts.js";
import { t } from "../../core/text.js";
import { veiled } from "../../fields/shown_value.js";

/**
 * The action of a button on a memory.
 *
 * @param {any} memory
 * @param {string} end The end of the API's path.
 * @param {{ name: string, done: string, body?: Record<string, unknown> }} about
 * @returns {import("../../core/act.js").Act}
 */
export function changing({ memoryId, revision }, end, { body, ...about }) {
  return {
    ...about,
    path: `${TEXTS}/${memoryId}/${end}`,
    body: { ...body, expectedRevision: revision },
    page: `/console/memories/${memoryId}`,
  };
}

/**
 * The title of a page about a memory. The title of a secret memory is shown on the page only, because
 * browsers store document titles.
 *
 * @param {any} memory
 * @param {string} heading
 * @returns {{ title: string, heading: string }}
 */
export function titled({ privacyLevel }, heading) {
  return { title: privacyLevel === "SECRET" ? t("aMemory") : heading, heading };
}

/**
 * Text of a memory, which is shown on request if the memory is secret.
 *
 * @param {any} memory
 * @param {string} what The name of the text.
 * @param {() => HTMLElement} make
 */
export function guarded({ privacyLevel }, what, make) {
  return privacyLevel === "SECRET" ? h("p", {}, veiled(what, make)) : make();
}

/**
 * Whether someone may change a memory.
 *
 * @param {import("../../core/session.js").Session} session
 * @param {any} memory
 */
export function mayChange({ permissions }, { redacted }) {
  return permissions.includes("memory.write") && !redacted;
}

/**
 * The way back to a memory, from one of its other pages.
 *
 * @param {any} memory
 */
export function backTo({ memoryId, title, redacted }) {
  const name = redacted ? t("hidden") : title;
  return h("p", {}, h("a", { href: `/console/memories/${memoryId}`, class: "words" }, name));
}
