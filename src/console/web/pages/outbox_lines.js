import { ask } from "../core/ask.js";
import { announce, h } from "../core/dom.js";
import { dropDraft, readDraft } from "../core/drafts.js";
import { failureText, t, timeText } from "../core/text.js";
import { dropQueued, onResult, sendAgain } from "../core/browser_outbox.js";
import { visit } from "../core/visit.js";
import { veiled } from "../fields/shown_value.js";
import { label } from "../logic/labels.js";
import { requestTexts } from "../logic/request_texts.js";
import { CAPTURES } from "../core/captures.js";
import { restoreCapture } from "./capture_box.js";

/** @typedef {import("../core/browser_outbox.js").QueuedWrite} QueuedWrite */

/**
 * @param {readonly QueuedWrite[]} entries
 * @param {(path: string) => string} nameOf
 * @param {() => void} redraw
 */
export function outboxLines(entries, nameOf, redraw) {
  return entries.map((entry) => {
    const { key, page, at, refused, brief } = entry;
    const name = `${nameOf(page)}, ${timeText(at)}`;
    onResult(key, redraw);
    return h(
      "li",
      {},
      h("a", { href: page }, nameOf(page)),
      h("span", { class: "small" }, refused === null ? t("waiting") : failureText(refused)),
      brief ? veiled(name, () => words(entry)) : words(entry),
      refused !== null && acts(entry, name, redraw),
      h("span", { class: "quiet small" }, timeText(at)),
    );
  });
}

/** @param {QueuedWrite} entry */
function words({ body }) {
  const texts = requestTexts(body);
  const copy = async () => {
    await navigator.clipboard.writeText(texts.map(({ text }) => text).join("\n\n"));
    announce(t("copied"));
  };
  return h(
    "div",
    {},
    h(
      "dl",
      { class: "values" },
      texts.map(({ name, text }) => [
        h("dt", {}, label(name)),
        h("dd", { class: "words" }, text),
      ]).flat(),
    ),
    // Missing on insecure origins.
    navigator.clipboard !== undefined &&
      h("button", { type: "button", class: "plain", onclick: copy }, t("copy")),
  );
}

/**
 * @param {QueuedWrite} entry
 * @param {string} name
 * @param {() => void} redraw
 */
function acts(entry, name, redraw) {
  const button = (/** @type {string} */ text, /** @type {() => Promise<unknown>} */ act) => {
    const onclick = async () => {
      if (await act() !== false) redraw();
    };
    const label = `${text}: ${name}`;
    return h("button", { type: "button", class: "plain", "aria-label": label, onclick }, text);
  };
  const edit = async () => {
    if (await restoreCapture(entry)) await visit(entry.page);
    else announce(t("noRoom"));
    return false;
  };
  const discard = () =>
    ask(
      { title: t("discardQuestion"), text: t("queuedWriteLost"), action: t("discardNow") },
      async () => {
        if (readDraft(entry.page)?.sent === entry.key) dropDraft(entry.page);
        await dropQueued(entry.key);
      },
    );
  return [
    button(t("sendAgain"), () => sendAgain(entry)),
    // Other text is still in its form.
    entry.path === CAPTURES && button(t("edit"), edit),
    button(t("discard"), discard),
  ];
}
