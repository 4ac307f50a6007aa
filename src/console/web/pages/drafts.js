/** Unsaved text in this browser, and drafts of memories on the service. */

import { ApiError } from "../core/api.js";
import { h } from "../core/dom.js";
import { openDrafts } from "../core/memory_drafts.js";
import { t, timeText } from "../core/text.js";
import { listUnsynced } from "../core/unsynced.js";
import { visit } from "../core/visit.js";
import { veiled } from "../fields/shown_value.js";
import { moduleOfPath } from "../logic/addresses.js";
import { labelOfOne } from "../logic/labels.js";
import { outboxLines } from "./outbox_lines.js";

const PATH = "/console/drafts";
const NO_DRAFTS = { items: [], nextCursor: null, isUnread: false };
/** Maximum length of an untitled draft's text. */
const MAX_LENGTH = 80;

/** @type {import("../pages.js").Page} */
export default async function drafts({ query, session }) {
  const { queued, drafts: stored } = await listUnsynced();
  const here = [
    ...outboxLines(queued, nameOf, redraw),
    ...stored.map(({ path, at }) => line(path, nameOf(path), timeText(at))),
  ];
  const { items, nextCursor, isUnread } = session.permissions.includes("memory.read")
    ? await memoryDrafts(query.get("cursor"))
    : NO_DRAFTS;
  const older = nextCursor !== null &&
    h("p", {}, h("a", { href: `${PATH}?cursor=${nextCursor}` }, t("older")));
  const body = here.length + items.length === 0 ? [h("p", { class: "quiet" }, t("noDrafts"))] : [
    ...list(t("draftsText"), here),
    ...list(t("memoryDraftsText"), items.map(memoryLine)),
    older,
  ];
  const unread = isUnread && h("p", { class: "note" }, t("memoryDraftsUnread"));
  return { title: t("drafts"), body: [...body, unread] };
}

/** Without a connection the page has only what is in this browser. @param {string | null} cursor */
async function memoryDrafts(cursor) {
  try {
    return { ...await openDrafts(cursor), isUnread: false };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "NETWORK_ERROR")) throw error;
    return { ...NO_DRAFTS, isUnread: true };
  }
}

function redraw() {
  if (location.pathname === PATH) void visit(PATH);
}

/** @param {string} path */
function nameOf(path) {
  const module = moduleOfPath(path);
  // The home page holds a capture.
  const name = labelOfOne(module ?? "capture");
  return t(module === null || path.endsWith("/new") ? "newOf" : "changeIn", { name });
}

/**
 * @param {string} text
 * @param {readonly Element[]} lines
 */
function list(text, lines) {
  return lines.length === 0 ? [] : [h("p", {}, text), h("ul", { class: "lines" }, lines)];
}

/** @param {any} draft */
function memoryLine({ draftId, memoryId, content, updatedAt }) {
  const page = memoryId === null ? "new" : `${memoryId}/edit`;
  const href = `/console/memories/${page}?draft=${draftId}`;
  const time = timeText(updatedAt);
  if (content?.title) return line(href, content.title, time, { voice: "words" });
  if (content === null) return line(href, t("hidden"), time);
  // The text is hidden, so only the time tells drafts apart.
  const name = t(memoryId === null ? "newOf" : "changeIn", { name: labelOfOne("memory") });
  const text = (content.originalContent ?? content.currentContent ?? "").trim();
  const begin = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  const words = text !== "" &&
    veiled(`${name}, ${time}`, () => h("span", { class: "words" }, begin));
  return line(href, name, time, { words, called: `${name}, ${time}` });
}

/**
 * @param {string} href
 * @param {string} name
 * @param {string} time
 * @param {{ voice?: string, called?: string, words?: Element | false }} [more] `called` tells links of the
 *   same name apart.
 */
function line(href, name, time, { voice, called, words = false } = {}) {
  return h(
    "li",
    {},
    h("a", { href, class: voice, "aria-label": called }, name),
    words,
    h("span", { class: "quiet small" }, time),
  );
}
