/** What has been written and not yet kept, or not yet sent. */

import { h } from "../core/dom.js";
import { dropDraft, listDrafts, readDraft } from "../core/drafts.js";
import { failureText, t, timeText } from "../core/text.js";
import { dropUnsent, listUnsent, onSettled, sendAgain } from "../core/unsent.js";
import { visit } from "../core/visit.js";
import { moduleOfPath } from "../logic/addresses.js";
import { label } from "../logic/labels.js";

const PATH = "/console/drafts";

/** @type {import("../pages.js").Page} */
export default async function drafts() {
  const entries = await listUnsent();
  const redraw = () => {
    if (location.pathname === PATH) void visit(PATH);
  };
  for (const { key } of entries) onSettled(key, redraw);
  const keys = new Set(entries.map(({ key }) => key));
  const unsaved = listDrafts().filter(({ path }) => !keys.has(readDraft(path)?.key ?? ""));
  const lines = [
    ...entries.map((entry) => line(entry.page, entry.at, state(entry), acts(entry, redraw))),
    ...unsaved.map(({ path, at }) => line(path, at)),
  ];
  const body = lines.length === 0
    ? [h("p", { class: "quiet" }, t("noDrafts"))]
    : [h("p", {}, t("draftsText")), h("ul", { class: "lines" }, lines)];
  return { title: t("drafts"), body };
}

/**
 * @param {string} path
 * @param {number} at
 * @param {...import("../core/dom.js").Child | readonly import("../core/dom.js").Child[]} more
 */
function line(path, at, ...more) {
  const name = nameOf(path);
  const time = h("span", { class: "quiet small" }, timeText(at));
  return h("li", {}, h("a", { href: path }, name), ...more, time);
}

/** @param {string} path */
function nameOf(path) {
  const module = moduleOfPath(path);
  // The first page holds a note for the captures.
  const name = label(module ?? "capture");
  return t(module === null || path.endsWith("/new") ? "newOf" : "changeIn", { name });
}

/** @param {import("../core/unsent.js").Entry} entry */
function state({ refused }) {
  return h("span", { class: "small" }, refused === null ? t("waiting") : failureText(refused));
}

/**
 * What can be done with what was refused.
 *
 * @param {import("../core/unsent.js").Entry} entry
 * @param {() => void} redraw
 */
function acts(entry, redraw) {
  if (entry.refused === null) return null;
  const button = (/** @type {string} */ text, /** @type {() => Promise<unknown>} */ act) => {
    const onclick = async () => {
      await act();
      redraw();
    };
    const name = `${text}: ${nameOf(entry.page)}`;
    return h("button", { type: "button", class: "plain", "aria-label": name, onclick }, text);
  };
  const discard = async () => {
    if (readDraft(entry.page)?.key === entry.key) dropDraft(entry.page);
    await dropUnsent(entry.key);
  };
  return [button(t("sendAgain"), () => sendAgain(entry)), button(t("discard"), discard)];
}
