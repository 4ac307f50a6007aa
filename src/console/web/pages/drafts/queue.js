/** Drafts and writes that wait. */

import { copyButton } from "../../core/acts/line_forms.js";
import { h, link } from "../../core/base/elements.js";
import { failureText, t } from "../../core/base/language.js";
import { get, readAll } from "../../core/base/reads.js";
import { send } from "../../core/base/sender.js";
import { visit } from "../../core/base/visits.js";
import { dropDraft, readDraft } from "../../core/browser_outbox/drafts.js";
import { dropQueued, onResult, sendAgain } from "../../core/browser_outbox/sending.js";
import { label, labelOfOne, moduleOfPath } from "../../core/names.js";
import { ask, row } from "../../fields/controls/forms.js";
import { kindSymbol } from "../../fields/shown/anchors.js";
import { veiled } from "../../fields/shown/files.js";
import { readableText, timeText } from "../../fields/shown/times.js";
import { pair } from "../../fields/shown/values.js";

export const DRAFTS = "/api/v2/memory/drafts";

export const PAGE = 100;

/**
 * By its identifier; otherwise the newest open draft of the memory.
 * @param {string | null} draftId
 * @param {string | undefined} memoryId
 */
export async function findDraft(draftId, memoryId) {
  if (draftId !== null) return get(`${DRAFTS}/${encodeURIComponent(draftId)}`);
  if (memoryId === undefined) return null;
  const drafts = await readAll(`${DRAFTS}?limit=${PAGE}`);
  return drafts.find((draft) => draft.memoryId === memoryId) ?? null;
}

/** The service keeps the text. @param {string} draftId */
export async function discardDraft(draftId) {
  if (draftId !== "") await send("POST", `${DRAFTS}/${draftId}/discard`, { body: {} });
  return true;
}

/** Members that forms add to the user's text. */
const NOT_SHOWN = [
  "expectedRevision",
  "contentType",
  "targetModule",
  "sourceApp",
  "routeStatus",
  "capturedAt",
];

/** In the body's order. @type {(body: unknown) => { name: string, text: string }[]} */
export function requestTexts(body) {
  return Object.entries(body ?? {}).flatMap(([name, value]) => {
    if (NOT_SHOWN.includes(name)) return [];
    if (typeof value !== "object" || value === null) return [{ name, text: String(value ?? "") }];
    if (!Array.isArray(value)) return requestTexts(value);
    const isPlain = value.every((item) => typeof item !== "object");
    return [{ name, text: isPlain ? value.join("\n") : JSON.stringify(value, null, 2) }];
  }).filter(({ text }) => text !== "");
}

/** @param {QueuedWrite} entry */
export function queuedLine(entry) {
  const { key, page, at, refused, brief, line } = entry;
  const title = nameOf(page, line !== undefined);
  const name = `${title}, ${timeText(at)}`;
  onResult(key, redraw);
  return row({
    anchor: kindSymbol(moduleOfPath(page) ?? "capture"),
    name: link(page, title),
    facts: [refused === null ? t("waiting") : failureText(refused), timeText(at)],
    more: [
      brief ? veiled(name, () => words(entry)) : words(entry),
      refused !== null && h("div.whole", acts(entry, name)),
    ],
  });
}

/** @param {QueuedWrite} entry */
export function words({ body }) {
  const texts = requestTexts(body);
  return h(
    "div",
    h(
      "dl.values",
      texts.flatMap(({ name, text }) => pair(label(name), h("span.words", readableText(text)))),
    ),
    copyButton(texts.map(({ text }) => text).join("\n\n"), "plain"),
  );
}

/** @param {QueuedWrite} entry @param {string} name */
function acts(entry, name) {
  /** @type {(text: string, act: () => Promise<unknown>) => Element} */
  const button = (text, act) => {
    const onclick = async () => {
      if (await act() !== false) redraw();
    };
    return h("button.plain", { "aria-label": `${text}: ${name}`, onclick }, text);
  };
  // Its page returns the words to the box.
  const edit = async () => {
    await visit(entry.page);
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
    entry.line !== undefined && button(t("edit"), edit),
    button(t("discard"), discard),
  ];
}

export function redraw() {
  if (location.pathname === PATH) void visit(PATH);
}

/** @param {string} path @param {boolean} [isLine] True for a line typed on the page of a list. */
export function nameOf(path, isLine = false) {
  const module = moduleOfPath(path);
  // The home page holds a capture.
  const name = labelOfOne(module ?? "capture");
  return t(isLine || module === null || /\/new(\?|$)/.test(path) ? "newOf" : "changeIn", { name });
}

export const PATH = "/console/drafts";
