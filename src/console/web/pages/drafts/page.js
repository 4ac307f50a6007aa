/** The page of drafts. */

import { h, link } from "../../core/base/elements.js";
import { drawing } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { readOrNull } from "../../core/base/reads.js";
import { may } from "../../core/base/session.js";
import { listUnsynced } from "../../core/browser_outbox/sending.js";
import { labelOfOne, moduleOfPath } from "../../core/names.js";
import { row } from "../../fields/controls/forms.js";
import { kindSymbol } from "../../fields/shown/anchors.js";
import { veiled } from "../../fields/shown/files.js";
import { timeText } from "../../fields/shown/times.js";
import { DRAFTS, nameOf, PAGE, PATH, queuedLine } from "./queue.js";

const NO_DRAFTS = { items: [], nextCursor: null };

const MAX_LENGTH = 80;

/** @type {Page} */
export async function drafts({ query }) {
  const { queued, drafts: stored } = await listUnsynced();
  const here = [
    ...queued.map(queuedLine),
    ...stored.map(({ path, at }) => lineOfDrafts(path, nameOf(path), timeText(at))),
  ];
  const cursor = query.get("cursor");
  const asked = new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) });
  // Without a connection the page has only the drafts in this browser.
  const read = may("memory.read") ? await readOrNull(`${DRAFTS}?${asked}`) : NO_DRAFTS;
  const { items, nextCursor } = read ?? NO_DRAFTS;
  return {
    title: t("drafts"),
    body: [
      here.length + items.length === 0 &&
      h("div.empty", drawing("nothing"), h("p", t("noDrafts"))),
      ...list(t("draftsText"), here),
      ...list(t("memoryDraftsText"), items.map(memoryLine)),
      nextCursor !== null && h("p", link(`${PATH}?cursor=${nextCursor}`, t("older"))),
      read === null && h("p.note", t("memoryDraftsUnread")),
    ],
  };
}

/** @param {string} text @param {readonly Element[]} lines */
function list(text, lines) {
  return lines.length === 0 ? [] : [h("p", text), h("ul.lines", lines)];
}

/** @param {any} draft */
function memoryLine({ draftId, memoryId, content, updatedAt }) {
  const page = memoryId === null ? "new" : `${memoryId}/edit`;
  const href = `/console/memories/${page}?draft=${draftId}`;
  const time = timeText(updatedAt);
  const name = t(memoryId === null ? "newOf" : "changeIn", { name: labelOfOne("memory") });
  if (content?.title) {
    return lineOfDrafts(href, content.title, time, { look: "words", what: name });
  }
  if (content === null) return lineOfDrafts(href, t("hidden"), time);
  // The text is hidden, so only the time distinguishes drafts.
  const text = (content.originalContent ?? content.currentContent ?? "").trim();
  const begin = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  const label = `${name}, ${time}`;
  const words = text !== "" && veiled(label, () => h("span.words", begin));
  return lineOfDrafts(href, name, time, { label, words });
}

/**
 * @param {string} href
 * @param {string} name
 * @param {string} time
 * @param {DraftLineParts} [parts]
 */
function lineOfDrafts(href, name, time, { look, label, what, words = false } = {}) {
  return row({
    anchor: kindSymbol(moduleOfPath(href) ?? "capture"),
    name: h("a", { href, class: look, "aria-label": label }, name),
    facts: [what, time],
    more: [words],
  });
}
