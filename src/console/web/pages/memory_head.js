/** What the pages of one memory have in common. */

import { act } from "../core/act.js";
import { newKey, send } from "../core/api.js";
import { announce } from "../core/announce.js";
import { h } from "../core/dom.js";
import { TEXTS } from "../core/memory_drafts.js";
import { withSession } from "../core/sign_in_again.js";
import { t } from "../core/text.js";
import { visit } from "../core/visit.js";

/**
 * What a press does to a memory: one request under one key, however often it is pressed.
 *
 * @param {import("../core/session.js").Session} session
 * @param {any} memory
 * @param {string} end Of the API's path.
 * @param {{ done: string, body?: Record<string, unknown> }} about What is said once it is done.
 */
export function changing(session, { memoryId, revision }, end, { done, body = {} }) {
  const key = newKey();
  const sent = { body: { ...body, expectedRevision: revision }, key };
  return async () => {
    const post = () => send("POST", `${TEXTS}/${memoryId}/${end}`, sent);
    const made = await act(() => withSession(session.account.email, post));
    if (made === null) return;
    announce(done);
    await visit(`/console/memories/${memoryId}`);
  };
}

/**
 * Whether someone may change a memory.
 *
 * @param {import("../core/session.js").Session} session
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
