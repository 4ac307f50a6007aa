/** What waits in this browser to be sent, and what the service refused of it. */

import { h } from "../core/dom.js";
import { dropDraft, readDraft } from "../core/drafts.js";
import { failureText, t, timeText } from "../core/text.js";
import { dropUnsent, onSettled, sendAgain } from "../core/unsent.js";

/** @typedef {import("../core/unsent.js").Entry} Entry */

/**
 * @param {readonly Entry[]} entries
 * @param {(path: string) => string} nameOf What is written on a page.
 * @param {() => void} redraw
 */
export function unsentLines(entries, nameOf, redraw) {
  return entries.map((entry) => {
    const { key, page, at, refused } = entry;
    onSettled(key, redraw);
    return h(
      "li",
      {},
      h("a", { href: page }, nameOf(page)),
      h("span", { class: "small" }, refused === null ? t("waiting") : failureText(refused)),
      refused !== null && acts(entry, nameOf(page), redraw),
      h("span", { class: "quiet small" }, timeText(at)),
    );
  });
}

/**
 * What can be done with what was refused.
 *
 * @param {Entry} entry
 * @param {string} name
 * @param {() => void} redraw
 */
function acts(entry, name, redraw) {
  const button = (/** @type {string} */ text, /** @type {() => Promise<unknown>} */ act) => {
    const onclick = async () => {
      await act();
      redraw();
    };
    const label = `${text}: ${name}`;
    return h("button", { type: "button", class: "plain", "aria-label": label, onclick }, text);
  };
  const discard = async () => {
    if (readDraft(entry.page)?.key === entry.key) dropDraft(entry.page);
    await dropUnsent(entry.key);
  };
  return [button(t("sendAgain"), () => sendAgain(entry)), button(t("discard"), discard)];
}
