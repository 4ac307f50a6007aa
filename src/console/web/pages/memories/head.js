import { h, t } from "../../core/base.js";
import { TEXTS } from "../drafts.js";
import { veiled } from "../../fields/shown.js";

/**
 * @param {any} memory
 * @param {string} end The end of the API's path.
 * @param {{ name: string, done: string, body?: Record<string, unknown> }} about
 * @returns {Act}
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
 * Document titles are stored by browsers, so a secret memory's title is only on the page.
 * @param {any} memory
 * @param {string} heading
 */
export function titled({ privacyLevel }, heading) {
  return { title: privacyLevel === "SECRET" ? t("aMemory") : heading, heading };
}

/**
 * Hides the text of a secret memory until requested.
 * @param {any} memory
 * @param {string} what
 * @param {() => HTMLElement} make
 */
export function guarded({ privacyLevel }, what, make) {
  return privacyLevel === "SECRET" ? h("p", veiled(what, make)) : make();
}

/** @param {Session} session @param {any} memory */
export function mayChange({ permissions }, { redacted }) {
  return permissions.includes("memory.write") && !redacted;
}

/** @param {any} memory */
export function backTo({ memoryId, title, redacted }) {
  const name = redacted ? t("hidden") : title;
  return h("p", h("a.words", { href: `/console/memories/${memoryId}` }, name));
}
