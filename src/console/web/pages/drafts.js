/** Unsaved text in this browser, and drafts of memories on the service. */

import { announce, ApiError, failureText, h, send, t, timeText, visit } from "../core/base.js";
import {
  dropDraft,
  dropQueued,
  listUnsynced,
  onResult,
  readDraft,
  sendAgain,
} from "../core/browser_outbox.js";
import { label, labelOfOne, moduleOfPath } from "../core/names.js";
import { ask } from "../fields/controls.js";
import { veiled } from "../fields/shown.js";
import { CAPTURES, restoreCapture } from "./capture_box.js";

/** Null if it cannot be read now, or not by this account. @param {string} path */
export async function readOrNull(path) {
  try {
    return (await send("GET", path)).data;
  } catch (error) {
    if (error instanceof ApiError && error.code !== "AUTH_REQUIRED") return null;
    throw error;
  }
}

/** Reads every page of a list. @param {string} path Includes the query. */
export async function readAll(path) {
  const items = [];
  let cursor = "";
  do {
    const page = cursor === "" ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
    const { data } = await send("GET", page);
    items.push(...data.items);
    cursor = data.nextCursor ?? "";
  } while (cursor !== "");
  return items;
}

export const TEXTS = "/api/v2/memory/texts";
export const DRAFTS = "/api/v2/memory/drafts";

const PAGE = 100;

/**
 * Newest first.
 * @param {string | null} cursor
 * @returns {Promise<{ items: readonly any[], nextCursor: string | null }>}
 */
async function openDrafts(cursor) {
  const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) });
  return (await send("GET", `${DRAFTS}?${query}`)).data;
}

/**
 * By its identifier; otherwise the newest open draft of the memory.
 * @param {string | null} draftId
 * @param {string | undefined} memoryId Undefined for a new memory.
 */
export async function findDraft(draftId, memoryId) {
  if (draftId !== null) return (await send("GET", `${DRAFTS}/${encodeURIComponent(draftId)}`)).data;
  if (memoryId === undefined) return null;
  const drafts = await readAll(`${DRAFTS}?limit=${PAGE}`);
  return drafts.find((draft) => draft.memoryId === memoryId) ?? null;
}

/** @param {any} memory Its current state. @param {string} time */
export async function revisionAt(memory, time) {
  if (memory.updatedAt <= time) return memory;
  const revisions = await readAll(`${TEXTS}/${memory.memoryId}/revisions?limit=${PAGE}`);
  return revisions.find(({ updatedAt }) => updatedAt <= time) ?? revisions.at(-1);
}

/** The service keeps the text. @param {string} draftId Empty if nothing has been saved. */
export async function discardDraft(draftId) {
  if (draftId === "") return true;
  await send("POST", `${DRAFTS}/${draftId}/discard`, { body: {} });
  return true;
}

/** Members that forms add to the user's text. */
const NOT_SHOWN = new Set([
  "expectedRevision",
  "contentType",
  "targetModule",
  "sourceApp",
  "routeStatus",
  "capturedAt",
]);

/**
 * By field name, in the body's order.
 * @param {unknown} body
 * @returns {{ name: string, text: string }[]}
 */
export function requestTexts(body) {
  return Object.entries(body ?? {}).flatMap(([name, value]) => {
    if (NOT_SHOWN.has(name)) return [];
    if (typeof value !== "object" || value === null) return [{ name, text: String(value ?? "") }];
    if (!Array.isArray(value)) return requestTexts(value);
    const isPlain = value.every((item) => typeof item !== "object");
    return [{ name, text: isPlain ? value.join("\n") : JSON.stringify(value, null, 2) }];
  }).filter(({ text }) => text !== "");
}

/**
 * @param {readonly QueuedWrite[]} entries
 * @param {(path: string) => string} nameOf
 * @param {() => void} redraw
 */
function outboxLines(entries, nameOf, redraw) {
  return entries.map((entry) => {
    const { key, page, at, refused, brief } = entry;
    const name = `${nameOf(page)}, ${timeText(at)}`;
    onResult(key, redraw);
    return h(
      "li",
      h("a", { href: page }, nameOf(page)),
      h("span.small", refused === null ? t("waiting") : failureText(refused)),
      brief ? veiled(name, () => words(entry)) : words(entry),
      refused !== null && acts(entry, name, redraw),
      h("span.quiet.small", timeText(at)),
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
    h(
      "dl.values",
      texts.map(({ name, text }) => [h("dt", label(name)), h("dd.words", text)]).flat(),
    ),
    // Missing on insecure origins.
    navigator.clipboard !== undefined &&
      h("button.plain", { onclick: copy }, t("copy")),
  );
}

/** @param {QueuedWrite} entry @param {string} name @param {() => void} redraw */
function acts(entry, name, redraw) {
  const button = (/** @type {string} */ text, /** @type {() => Promise<unknown>} */ act) => {
    const onclick = async () => {
      if (await act() !== false) redraw();
    };
    const label = `${text}: ${name}`;
    return h("button.plain", { "aria-label": label, onclick }, text);
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

/** Unsaved text in this browser, and drafts of memories on the service. */

const PATH = "/console/drafts";
const NO_DRAFTS = { items: [], nextCursor: null, isUnread: false };
/** Maximum length of an untitled draft's text. */
const MAX_LENGTH = 80;

/** @type {Page} */
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
    h("p", h("a", { href: `${PATH}?cursor=${nextCursor}` }, t("older")));
  const body = here.length + items.length === 0 ? [h("p.quiet", t("noDrafts"))] : [
    ...list(t("draftsText"), here),
    ...list(t("memoryDraftsText"), items.map(memoryLine)),
    older,
  ];
  const unread = isUnread && h("p.note", t("memoryDraftsUnread"));
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

/** @param {string} text @param {readonly Element[]} lines */
function list(text, lines) {
  return lines.length === 0 ? [] : [h("p", text), h("ul.lines", lines)];
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
    veiled(`${name}, ${time}`, () => h("span.words", begin));
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
    h("a", { href, class: voice, "aria-label": called }, name),
    words,
    h("span.quiet.small", time),
  );
}
